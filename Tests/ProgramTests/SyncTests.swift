// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Two homes on one machine, which meet over a folder and see nothing else of each other.
@Suite struct SyncTests {
    @Test func aCloneHasTheNotesOfTheVault() throws {
        let devices = try SyncedDevices(notes: ["# One\nfirst", "# Two\nsecond", "# Three\nthird"])
        let list = try JSON(devices.second.vault("ls", "--json"))
        #expect(list["notes"].array.count == 3)
        try devices.expectEqual()
        let status = try JSON(devices.second.vault("sync", "status", "--json"))
        #expect(status["remotes"][0]["pending"].int == 0 && status["remotes"][0]["failure"].isNull)
        #expect(status["remotes"][0]["alarms"].array.isEmpty)
    }

    @Test func anEmptyVaultTakesSeveralRemotes() throws {
        let world = try VaultWorld()
        for name in ["one", "two", "three"] {
            try world.makeFolder(name)
            try world.require(world.vault("remote", "add", "folder", world.path(name), "--name", name))
        }
        _ = try world.new("# A note\nof a vault that had none")
        try world.require(world.vault("sync", "now"))
        for name in ["one", "two", "three"] {
            let other = try VaultWorld(prepared: false, unlocked: false)
            try other.require(other.vault("clone", world.path(name), "--password-file", other.passwordFile))
            let list = try JSON(other.vault("ls", "--json", "--password-file", other.passwordFile))
            #expect(list["notes"].array.count == 1)
        }
    }

    @Test func editsOfBothMeet() throws {
        let devices = try SyncedDevices()
        let note = try #require(try JSON(devices.first.vault("ls", "--json"))["notes"][0]["id"].string)
        // Two edits of one text in different lines fit together.
        try devices.first.require(
            devices.first.vault("replace", note, "-", input: Array("# Shopping\noat milk\nbread\nsalt\npepper".utf8)))
        try devices.second.require(
            devices.second.vault("replace", note, "-", input: Array("# Shopping\nmilk\nbread\nsalt\nwhite pepper".utf8))
        )
        _ = try devices.first.new("# Of the first\nonly there")
        _ = try devices.second.new("# Of the second\nonly there")
        try devices.sync()
        try devices.expectEqual()
        let text = try devices.first.require(devices.first.vault("cat", note)).text
        #expect(text.contains("oat milk") && text.contains("white pepper"), "\(text)")
        #expect(try JSON(devices.second.vault("ls", "--json"))["notes"].array.count == 3)
    }

    @Test func editsThatDoNotFitAreBothKept() throws {
        let devices = try SyncedDevices(notes: ["# Plan\nmonday"])
        let note = try #require(try JSON(devices.first.vault("ls", "--json"))["notes"][0]["id"].string)
        for (world, day) in [(devices.first, "tuesday"), (devices.second, "friday")] {
            try world.require(world.vault("replace", note, "-", input: Array("# Plan\n\(day)".utf8)))
        }
        try devices.sync()
        try devices.expectEqual()
        #expect(try JSON(devices.first.vault("ls", "--json"))["notes"][0]["forked"].bool == true)
    }

    @Test func M12removalsTravelAndWhatIsMissingRemovesNothing() throws {
        let devices = try SyncedDevices(notes: ["# Stays\none", "# Goes\ntwo"])
        let notes = try JSON(devices.first.vault("ls", "--json"))["notes"].array
        let gone = try #require(notes.first { $0["title"].string == "Goes" }?["id"].string)
        try devices.second.require(devices.second.vault("rm", gone))
        try devices.sync()
        try devices.expectEqual()
        #expect(try JSON(devices.first.vault("ls", "--json"))["notes"].array.count == 1)
        // A remote that was emptied is no reason to remove anything.
        try FileManager.default.removeItem(atPath: devices.folder)
        try devices.first.makeFolder("remote")
        let lost = try devices.first.vault("sync", "now")
        #expect(lost.code == 8 && lost.err.contains("vault: hint: "), "\(lost.err)")
        #expect(try JSON(devices.first.vault("ls", "--json"))["notes"].array.count == 1)
        #expect(try devices.first.vault("check").code == 0)
    }

    @Test func M22whatRemovesManyNotesIsHeldUntilTheirOwnerSaysSo() throws {
        let devices = try SyncedDevices(notes: (0..<30).map { "# Note \($0)\ntext" })
        let (first, second) = (devices.first, devices.second)
        let notes = try JSON(second.vault("ls", "--limit", "0", "--json"))["notes"].array.compactMap { $0["id"].string }
        try second.require(second.vault(["rm"] + Array(notes.prefix(25))))
        try second.require(second.vault("trash", "empty", "--yes"))
        try second.require(second.vault("sync", "now"))
        for _ in 0..<2 {
            let held = try first.vault("sync", "now")
            #expect(held.code == 8 && held.err.contains("removes 25 notes at once"), "\(held.err)")
            #expect(held.err.contains("--accept-removals"), "\(held.err)")
            #expect(try JSON(first.vault("ls", "--limit", "0", "--json"))["notes"].array.count == 30)
        }
        try first.require(first.vault("sync", "now", "--accept-removals"))
        #expect(try JSON(first.vault("ls", "--limit", "0", "--json"))["notes"].array.count == 5)
        try devices.sync()
        try devices.expectEqual()
    }

    @Test func anAgentThatIsKilledBetweenSyncsLosesNothing() throws {
        let devices = try SyncedDevices()
        for round in 0..<3 {
            _ = try devices.first.new("# Round \(round)\nwritten before the kill")
            let agent = try devices.first.agentPID()
            if round % 2 == 0 { try devices.first.require(devices.first.vault("sync", "now")) }
            kill(agent, SIGKILL)
            #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
            try devices.first.unlock()
        }
        try devices.sync()
        try devices.expectEqual()
        #expect(try JSON(devices.second.vault("ls", "--json"))["notes"].array.count == 4)
    }

    /// The process that carries files there has the folder open: it must not go on in the one that was moved away.
    @Test func aRemoteFolderThatWasMovedAwayIsNotWrittenAnyMore() throws {
        let devices = try SyncedDevices()
        _ = try devices.first.new("before")
        try devices.first.require(devices.first.vault("sync", "now"))
        try FileManager.default.moveItem(atPath: devices.folder, toPath: devices.folder + ".moved")
        let moved = try FileManager.default.subpathsOfDirectory(atPath: devices.folder + ".moved").sorted()
        _ = try devices.first.new("after")
        let refused = try devices.first.vault("sync", "now")
        #expect(refused.code == 8, "\(refused.err)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: devices.folder + ".moved").sorted() == moved)
        try FileManager.default.moveItem(atPath: devices.folder + ".moved", toPath: devices.folder)
        try devices.sync()
        try devices.expectEqual()
    }

    @Test func attachmentsComeAlong() throws {
        let devices = try SyncedDevices()
        let note = try #require(try JSON(devices.first.vault("ls", "--json"))["notes"][0]["id"].string)
        let content = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let file = devices.first.path("plan.bin")
        try Data(content).write(to: URL(fileURLWithPath: file))
        try devices.first.require(devices.first.vault("attach", "add", note, file))
        try devices.sync()
        try devices.expectEqual()
        let copy = devices.second.path("copy.bin")
        try devices.second.require(devices.second.vault("attach", "get", note, "plan.bin", "-o", copy))
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: copy))) == content)
    }

    @Test func aRemoteIsTriedBeforeItIsKept() throws {
        let world = try VaultWorld()
        expectRefusal(try world.vault("remote", "add", "folder", world.path("nowhere")), 5)
        expectRefusal(try world.vault("remote", "add", "folder", world.directory), 2)
        expectRefusal(try world.vault("sync", "now"), 5, says: "no remote")
        try world.makeFolder("remote")
        let added = try world.require(world.vault("remote", "add", "folder", world.path("remote"), "--name", "nas"))
            .text
        #expect(added.contains("nas") && added.contains("no device"))
        expectRefusal(try world.vault("remote", "add", "folder", world.path("remote"), "--name", "nas"), 7)
        #expect(try world.require(world.vault("remote", "ls")).text.hasPrefix("nas\tfolder\t"))
        try world.require(world.vault("remote", "test"))
        try world.require(world.vault("remote", "rm", "nas"))
        #expect(try JSON(world.vault("remote", "ls", "--json"))["remotes"].array.isEmpty)
    }

    @Test func aCloneIsOpenedByTheRecoveryKey() throws {
        let first = try VaultWorld(prepared: false, unlocked: false)
        let recovery = first.path("recovery")
        try first.require(
            first.vault(
                "init", "--kdf-target", "0", "--recovery-file", recovery, "--password-file", first.passwordFile))
        try first.unlock()
        _ = try first.new("# Shopping\nmilk")
        try first.makeFolder("remote")
        let folder = first.path("remote")
        try first.require(first.vault("remote", "add", "folder", folder))
        try first.require(first.vault("sync", "now"))
        let second = try VaultWorld(prepared: false, unlocked: false)
        expectRefusal(
            try second.vault("clone", folder, "--recovery", "--password-file", second.passwordFile), 4,
            says: "recovery key")
        #expect(!FileManager.default.fileExists(atPath: second.directory))
        expectRefusal(
            try second.vault("clone", folder, "--recovery"), 3, says: "recovery key is needed")
        try second.require(second.vault("clone", folder, "--recovery", "--password-file", recovery))
        // The password opens it too, and so does the key.
        try second.unlock()
        #expect(try JSON(second.vault("ls", "--json"))["notes"].array.count == 1)
        try second.require(second.vault("lock"))
        try second.require(second.vault("unlock", "--recovery", "--password-file", recovery))
        try second.agentPID()
        try second.require(second.vault("sync", "now"))
        // On a terminal it is typed from paper, as it stands there.
        let third = try VaultWorld(prepared: false, unlocked: false)
        let session = try third.terminal("clone", folder, "--recovery")
        let key = try String(contentsOfFile: recovery, encoding: .utf8).trimmingCharacters(in: .newlines)
        try session.answer("Recovery key: ", key.uppercased().replacing("-", with: " "))
        #expect(try session.finish() == 0, "\(session.transcript)")
        try third.unlock()
        #expect(try JSON(third.vault("ls", "--json"))["notes"].array.count == 1)
    }

    @Test func M21aCloneNeedsTheRightPasswordAndLeavesNothingWithoutIt() throws {
        let devices = try SyncedDevices()
        let third = try VaultWorld(prepared: false, unlocked: false)
        let wrong = try third.write("wrong", "another phrase than that one")
        expectRefusal(try third.vault("clone", devices.folder, "--password-file", wrong), 4)
        #expect(!FileManager.default.fileExists(atPath: third.directory))
        expectRefusal(try third.vault("clone", third.path("home"), "--password-file", third.passwordFile), 5)
        // Another copy for one account would speak for the device that is there.
        let again = try devices.first.vault(
            "--vault", devices.first.path("again"), "clone", devices.folder,
            "--password-file", devices.first.passwordFile)
        expectRefusal(again, 7)
    }
}
