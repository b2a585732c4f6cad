// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Serialized: waiting times are measured.
@Suite(.serialized) struct PasswordTests {
    @Test func B06AWrongPasswordIsRefusedLaterEachTime() throws {
        let world = try VaultWorld(unlocked: false)
        let wrong = try world.write("wrong", "corduroy bramble osprey teak ten")
        var tries: [Finished] = []
        for _ in 0..<4 { tries.append(try world.tryUnlock(file: wrong)) }
        for refused in tries { expectRefusal(refused, 4, says: "wrong password") }
        // Each waits for the one before it, and then derives.
        for (refused, waiting) in zip(tries.dropFirst(), [0.25, 0.5, 1]) { #expect(refused.seconds > waiting) }
    }

    @Test func theRightPasswordEndsTheWaiting() throws {
        let world = try VaultWorld(unlocked: false)
        let wrong = try world.write("wrong", "not it")
        for _ in 0..<3 { _ = try world.tryUnlock(file: wrong) }
        #expect(try world.tryUnlock().code == 0)
        try world.require(world.vault("lock"))
        let again = try world.tryUnlock(file: wrong)
        #expect(again.code == 4)
        #expect(again.seconds < 2, "the fourth in a row would wait for as long as this alone")
    }

    @Test func B08OnlyOneFinalLineFeedIsNotPartOfAPassword() throws {
        let world = try VaultWorld(prepared: false)
        let zeros = try world.write("zeros", "nul \0 and two lines\nof it\n")
        try world.require(world.vault("init", "--kdf-target", "0", "--no-recovery", "--password-file", zeros))
        let cut = try world.write("cut", "nul ")
        #expect(try world.tryUnlock(file: cut).code == 4)
        let line = try world.write("line", "nul \0 and two lines")
        #expect(try world.tryUnlock(file: line).code == 4)
        let same = try world.write("same", "nul \0 and two lines\nof it")
        #expect(try world.tryUnlock(file: same).code == 0)
    }

    @Test(arguments: [(0, Int32(2)), (1, 0), (4096, 0), (4097, 2), (1 << 20, 2)])
    func B08APasswordHasOneTo4096Bytes(byteCount: Int, code: Int32) throws {
        let world = try VaultWorld(prepared: false)
        let file = try world.write("long", String(repeating: "p", count: byteCount))
        let made = try world.vault("init", "--kdf-target", "0", "--no-recovery", "--password-file", file)
        #expect(made.code == code, "\(made.err)")
        #expect(try world.tryUnlock(file: file).code == (code == 0 ? 0 : 5))
    }

    @Test func B09APasswordIsNeverAnArgumentOrAVariable() throws {
        let world = try VaultWorld(unlocked: false)
        expectRefusal(try world.vault("unlock", "--password", VaultWorld.password), 2, says: "no --password")
        expectRefusal(try world.vault("unlock", "--password=" + VaultWorld.password), 2, says: "no --password")
        for name in ["NOTEVAULT_PASSWORD", "NOTEVAULT_PASSPHRASE", "VAULT_PASSWORD"] {
            world.environment[name] = VaultWorld.password
            let refused = try world.vault("unlock")
            #expect(refused.code == 3)
            #expect(refused.err.contains("vault: warning: \(name) is not read"))
            #expect(!refused.err.contains(VaultWorld.password))
            world.environment[name] = nil
        }
    }

    @Test func aPasswordComesFromADescriptorOrAProgram() throws {
        let world = try VaultWorld(unlocked: false)
        let shell = [
            "/bin/sh", "-c", "exec \"$0\" unlock --password-fd 3 3<\"$1\"", Programs.path("vault"), world.passwordFile,
        ]
        #expect(try Command.run(shell, environment: world.environment).code == 0)
        try world.agentPID()
        try world.require(world.vault("lock"))
        world.environment["NOTEVAULT_ASKPASS"] = try program(world, "#!/bin/sh\ncat '\(world.passwordFile)'\n")
        #expect(try world.vault("unlock").code == 0)
        try world.agentPID()
    }

    @Test func anAskpassProgramThatPrintsWithoutEndIsEnded() throws {
        let world = try VaultWorld(unlocked: false)
        world.environment["NOTEVAULT_ASKPASS"] = try program(world, "#!/bin/sh\nexec yes corduroy\n")
        let refused = try world.vault("unlock", seconds: 20)
        expectRefusal(refused, 2, says: "longer than 4096 bytes")
        // All 4,096 bytes and a line feed are taken.
        world.environment["NOTEVAULT_ASKPASS"] = try program(
            world, "#!/bin/sh\nhead -c 4096 /dev/zero | tr '\\0' p; echo\n")
        expectRefusal(try world.vault("unlock", seconds: 20), 4, says: "wrong password")
    }

    @Test func anAskpassProgramThatOthersMayChangeIsNotRun() throws {
        let world = try VaultWorld(unlocked: false)
        let path = try program(world, "#!/bin/sh\ntouch '\(world.path("it-ran"))'\ncat '\(world.passwordFile)'\n")
        try world.makeFolder("open")
        let moved = world.path("open/askpass")
        try FileManager.default.copyItem(atPath: path, toPath: moved)
        unsafe symlink(moved, world.path("link"))
        for (mode, place, named) in [
            (0o770, path, path), (0o707, path, path), (0o777, world.path("open"), moved),
            (0o770, world.path("open"), world.path("link")),
        ] {
            unsafe chmod(place, mode_t(mode))
            world.environment["NOTEVAULT_ASKPASS"] = named
            expectRefusal(try world.vault("unlock", seconds: 20), 11, says: "can be changed by other users")
            unsafe chmod(place, 0o700)
        }
        #expect(!FileManager.default.fileExists(atPath: world.path("it-ran")))
        #expect(try world.vault("unlock").code == 0, "by the link, with nothing open to others")
        try world.agentPID()
    }

    @Test func withNobodyToAskACommandEndsWith3() throws {
        let world = try VaultWorld(unlocked: false)
        expectRefusal(try world.vault("unlock"), 3, says: "no terminal")
        expectRefusal(try world.vault("unlock", "--no-input"), 3, says: "--no-input")
        expectRefusal(try world.vault("ls"), 3, says: "locked")
        expectRefusal(
            try world.vault("--vault", world.path("other"), "init", "--password-file", world.passwordFile), 3,
            says: "recovery key")
    }

    @Test func aPasswordFileForOthersToReadIsWarnedOf() throws {
        let world = try VaultWorld(unlocked: false)
        try world.require(Command.run(["/bin/chmod", "644", world.passwordFile], environment: world.environment))
        #expect(try world.tryUnlock().err.contains("vault: warning: other users can read the password file"))
    }

    private func program(_ world: VaultWorld, _ text: String) throws -> String {
        let path = try world.write("askpass", text)
        try world.require(Command.run(["/bin/chmod", "700", path], environment: world.environment))
        return path
    }
}
