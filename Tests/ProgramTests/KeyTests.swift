// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Passwords, key files, recovery keys and rotation, as somebody uses them.
@Suite struct KeyTests {
    private let world: VaultWorld
    private let second: String

    init() throws {
        world = try VaultWorld(prepared: false, unlocked: false)
        try world.require(
            world.vault(
                "init", "--kdf-target", "0", "--password-file", world.passwordFile, "--recovery-file",
                world.path("recovery")))
        second = try world.write("second", "walrus thimble quartz eleven")
        try world.unlock()
    }

    private func header() throws -> [Data] {
        try ["header", "header.2"].map { try Data(contentsOf: URL(fileURLWithPath: world.directory + "/" + $0)) }
    }

    private func passwd(_ options: String...) throws -> Finished {
        try world.vault(
            ["passwd", "--kdf-target", "0", "--password-file", world.passwordFile, "--new-password-file", second]
                + options)
    }

    /// Whether a password opens the vault in a new agent.
    private func opens(_ options: String...) throws -> Bool {
        _ = try world.vault("lock")
        let finished = try world.vault(["unlock"] + options)
        if finished.code == 0 { try world.agentPID() } else { #expect(finished.code == 4, "\(finished.err)") }
        return finished.code == 0
    }

    @Test func D02aNewPasswordTakesTheOldOnesPlaceAndSaysWhatItDoesNot() throws {
        let before = try header()
        let changed = try passwd()
        #expect(changed.code == 0)
        #expect(changed.err.contains("old copy of the vault") && changed.err.contains("vault rotate"), "\(changed.err)")
        let after = try header()
        // The slot's salt and wrapped key are in neither copy any more.
        for copy in after { #expect(copy.range(of: before[0][39 + 29..<39 + 165]) == nil) }
        #expect(try !opens("--password-file", world.passwordFile))
        #expect(try opens("--password-file", second))
        // What the note says, shown: the old copy still opens with the old password, and the data in it is the same.
        #expect(try JSON(world.vault("status", "--json"))["epoch"].int == 1)
    }

    @Test func aWrongPresentPasswordChangesNothingAndIsAnsweredLaterEachTime() throws {
        let before = try header()
        let wrong = try world.write("wrong", "not the password at all")
        let begin = Clock.seconds
        for _ in 0..<3 {
            let refused = try world.vault(
                "passwd", "--kdf-target", "0", "--password-file", wrong, "--new-password-file", second)
            expectRefusal(refused, 4, says: "wrong password or key, or the vault is damaged")
        }
        #expect(Clock.seconds - begin > 0.75, "0.25 s, then 0.5 s")
        #expect(try header() == before)
    }

    @Test func aKeyFileIsASecondFactor() throws {
        let file = world.path("stick.key")
        try world.require(
            world.vault(
                "key", "add", "--name", "stick", "--kdf-target", "0", "--password-file", world.passwordFile,
                "--new-password-file", second,
                "--new-key-file", file))
        var status = stat()
        #expect(unsafe stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600 && status.st_size == 67)
        #expect(try !opens("--password-file", second))
        #expect(try !opens("--password-file", world.passwordFile, "--key-file", file))
        #expect(try opens("--password-file", second, "--key-file", file))
        let damaged = try world.write(
            "damaged.key", String(decoding: Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self).uppercased())
        _ = try world.vault("lock")
        expectRefusal(
            try world.vault("unlock", "--password-file", second, "--key-file", damaged), 2, says: "not a key file")
        expectRefusal(
            try world.vault(
                "key", "add", "--name", "inside", "--kdf-target", "0", "--password-file", world.passwordFile,
                "--new-password-file", second,
                "--new-key-file", world.directory + "/inside.key"), 2, says: "protects nothing")
    }

    @Test func keysHaveNamesAndTheLastPasswordStays() throws {
        try world.require(
            world.vault(
                "key", "add", "--name", "laptop", "--kdf-target", "0", "--password-file", world.passwordFile,
                "--new-password-file", second))
        let keys = try JSON(world.vault("key", "ls", "--json"))["keys"].array
        #expect(keys.compactMap { $0["name"].string } == ["password", "recovery key", "laptop"])
        #expect(try world.vault("key", "verify", "--password-file", second).text.hasPrefix("opens as laptop"))
        try world.require(world.vault("key", "rm", "password", "--yes", "--password-file", second))
        #expect(try !opens("--password-file", world.passwordFile))
        #expect(try opens("--password-file", second))
        expectRefusal(
            try world.vault("key", "rm", "laptop", "--yes", "--password-file", second), 7, says: "last password")
        try world.require(world.vault("key", "rm", "recovery key", "--yes", "--password-file", second))
        expectRefusal(
            try world.vault("key", "rm", "laptop", "--yes", "--password-file", second), 7, says: "last password")
    }

    @Test func D04aRecoveryKeyIsTestedUsedAndRenewed() throws {
        let recovery = world.path("recovery")
        let before = try header()
        #expect(try world.vault("recovery", "test", "--password-file", recovery).code == 0)
        #expect(try header() == before, "a test changes nothing")
        // 160 bits and a checksum: 36 characters; a slip is noticed, and a password is never taken for one.
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: recovery)), as: UTF8.self).filter {
            $0.isLetter || $0.isNumber
        }
        #expect(text.count == 36)
        let slip = try world.write("slip", (text.first == "a" ? "b" : "a") + text.dropFirst())
        #expect(try world.vault("recovery", "test", "--password-file", slip).code == 4)
        #expect(try world.vault("recovery", "test", "--password-file", world.passwordFile).code == 4)
        #expect(
            try world.vault("key", "verify", "--password-file", recovery).code == 4, "a recovery key is no password")
        _ = try world.vault("lock")
        try world.require(
            world.vault(
                "recovery", "use", "--kdf-target", "0", "--password-file", recovery, "--new-password-file", second))
        #expect(try opens("--password-file", second))
        try world.require(
            world.vault("recovery", "new", "--password-file", second, "--recovery-file", world.path("next")))
        #expect(try world.vault("recovery", "test", "--password-file", recovery).code == 4)
        #expect(try world.vault("recovery", "test", "--password-file", world.path("next")).code == 0)
    }

    @Test func theRecoveryPageIsAPDFForItsOwnerAlone() throws {
        let page = world.path("page.pdf")
        try world.require(world.vault("recovery", "print", "-o", page, "--password-file", world.path("recovery")))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: page))
        #expect(bytes.starts(with: Data("%PDF-".utf8)) && bytes.count > 10_000)
        var status = stat()
        #expect(unsafe stat(page, &status) == 0 && status.st_mode & 0o777 == 0o600)
        expectRefusal(try world.vault("recovery", "print", "-o", page, "--password-file", world.path("recovery")), 7)
        expectRefusal(try world.vault("recovery", "print", "-o", world.path("no.pdf"), "--password-file", second), 4)
        #expect(!FileManager.default.fileExists(atPath: world.path("no.pdf")))
    }

    @Test func D02rotationRenewsEverythingAndDropsOtherKeysOnlyWithConsent() throws {
        let id = try world.new("survives a rotation")
        try world.require(
            world.vault(
                "key", "add", "--name", "laptop", "--kdf-target", "0", "--password-file", world.passwordFile,
                "--new-password-file", second))
        #expect(try world.vault("rotate", "--dry-run").text.contains("laptop"))
        let rotate = [
            "rotate", "--kdf-target", "0", "--password-file", world.passwordFile, "--recovery-file", world.path("next"),
            "--no-input",
        ]
        let before = try header()
        expectRefusal(try world.vault(rotate), 3, says: "needs confirmation")
        #expect(try header() == before)
        let rotated = try world.vault(rotate + ["--drop-others"])
        #expect(rotated.code == 0 && rotated.err.contains("still open with the old key"), "\(rotated.err)")
        #expect(try world.vault("cat", id).text == "survives a rotation")
        #expect(try JSON(world.vault("status", "--json"))["epoch"].int == 2)
        #expect(try world.vault("recovery", "test", "--password-file", world.path("recovery")).code == 4)
        #expect(try world.vault("recovery", "test", "--password-file", world.path("next")).code == 0)
        #expect(try !opens("--password-file", second))
        #expect(try opens("--password-file", world.passwordFile))
        #expect(try world.vault("check").code == 0)
    }

    @Test func D03anAgentOnAnotherEpochIsRefusedNotHalfServed() throws {
        let id = try world.new("seen by the old agent")
        // The files as another machine, or a sync, would leave them after a rotation there.
        try world.require(world.vault("lock"))
        let copy = try Command.run(["/bin/cp", "-a", world.directory, world.path("other")], environment: [:])
        #expect(copy.code == 0)
        var elsewhere = world.environment
        for (name, folder) in [("XDG_RUNTIME_DIR", "run2"), ("XDG_STATE_HOME", "state2")] {
            try world.makeFolder(folder)
            elsewhere[name] = world.path(folder)
        }
        let rotate = [
            "rotate", "--kdf-target", "0", "--recovery-file", world.path("next"), "--vault", world.path("other"),
        ]
        try world.require(
            Command.run(
                [Programs.path("vault")] + rotate + ["--password-file", world.passwordFile], environment: elsewhere,
                seconds: 60))
        try world.unlock()
        for name in ["header", "header.2"] {
            try FileManager.default.removeItem(atPath: world.directory + "/" + name)
            try FileManager.default.copyItem(atPath: world.path("other/") + name, toPath: world.directory + "/" + name)
        }
        expectRefusal(try world.vault("cat", id), 7, says: "changed by another program")
        expectRefusal(try world.vault("new", "not written"), 7, says: "changed by another program")
    }

    @Test func B04theCostOfAPasswordIsRaisedWithoutChangingIt() throws {
        let before = try JSON(world.vault("key", "ls", "--json"))["keys"].array[0]
        let raised = try world.vault(
            "passwd", "--upgrade", "--kdf-target", "400ms", "--password-file", world.passwordFile)
        #expect(raised.code == 0 && raised.text.contains("raised the cost"), "\(raised.err)")
        #expect(try opens("--password-file", world.passwordFile))
        let after = try JSON(world.vault("key", "ls", "--json"))["keys"].array[0]
        #expect(after["id"].string != before["id"].string && after["name"].string == "password")
        #expect((after["memoryKiB"].int ?? 0) >= (before["memoryKiB"].int ?? 0))
    }
}
