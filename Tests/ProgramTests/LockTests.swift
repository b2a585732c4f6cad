// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Serialized: time limits are measured.
@Suite(.serialized) struct LockTests {
    @Test func E05AnUnusedVaultLocksByItself() throws {
        let world = try VaultWorld(unlocked: false)
        let agent = try world.unlock("--idle", "1s")
        let seconds = try #require(VaultWorld.waitForEnd(of: agent, seconds: 5))
        #expect(seconds > 0.5)
        expectRefusal(try world.vault("ls"), 3, says: "locked")
    }

    @Test func E05UseDoesNotMoveTheLatestTime() throws {
        let world = try VaultWorld(unlocked: false)
        let agent = try world.unlock("--idle", "1s", "--max", "2s")
        let begin = Clock.seconds
        while VaultWorld.isRunning(agent) && Clock.seconds < begin + 5 {
            _ = try world.vault("ls")
            usleep(100_000)
        }
        // Each use starts the idle time again, so it is the other limit that ended it.
        #expect((1.2...4).contains(Clock.seconds - begin))
        expectRefusal(try world.vault("ls"), 3, says: "locked")
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT]) func aSignalLocksProperly(signal: Int32) throws {
        let world = try VaultWorld()
        let id = try world.new("saved before the signal")
        let agent = try world.agentPID()
        kill(agent, signal)
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 5) != nil)
        #expect(world.socket == nil)
        // A proper close leaves an empty log.
        let log = try FileManager.default.attributesOfItem(atPath: world.directory + "/index-1.db-wal")[.size] as? Int
        #expect(log == 0)
        try world.unlock()
        #expect(try world.vault("cat", id).text == "saved before the signal")
        #expect(try world.vault("check").code == 0)
    }

    @Test func lockingAndUnlockingAtOnceAlwaysWorks() throws {
        let world = try VaultWorld(unlocked: false)
        for _ in 0..<8 {
            try world.unlock()
            #expect(try world.vault("lock").err == "locked\n")
            #expect(try world.vault("lock").err == "already locked\n")
        }
    }

    @Test func unlockingTwiceKeepsTheFirstAgent() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        let again = try world.tryUnlock()
        #expect(again.code == 0)
        #expect(again.err == "already unlocked\n")
        #expect(try world.agentPID() == agent)
    }

    @Test func lockAllEndsEveryAgentOfTheUser() throws {
        let world = try VaultWorld()
        let first = try world.agentPID()
        let options = ["--vault", world.path("second"), "--password-file", world.passwordFile]
        try world.require(world.vault(options + ["init", "--kdf-target", "0", "--no-recovery"]))
        try world.require(world.vault(options + ["unlock"]))
        let second = try #require(JSON(world.vault(options + ["status", "--json"]))["agentPID"].int)
        #expect(try JSON(world.vault("lock", "--all", "--json"))["locked"].int == 2)
        for agent in [first, pid_t(second)] { #expect(VaultWorld.waitForEnd(of: agent, seconds: 5) != nil) }
    }

    @Test func aCommandWithItsOwnPasswordLeavesNoAgent() throws {
        let world = try VaultWorld(unlocked: false)
        let made = try world.require(world.vault("--password-file", world.passwordFile, "new", "for one command"))
        #expect(world.socket == nil)
        expectRefusal(try world.vault("cat", made.id), 3, says: "locked")
        #expect(try world.vault("--password-file", world.passwordFile, "cat", made.id).text == "for one command")
    }

    @Test func anAgentStartedByHandIsOfNoUse() throws {
        let world = try VaultWorld(prepared: false)
        let started = try Command.run([Programs.path("vault-agent")], environment: world.environment, seconds: 10)
        #expect(started.code == 2)
        #expect(started.err.hasPrefix("vault-agent: error: "))
    }
}
