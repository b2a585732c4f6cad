// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
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

    /// A page that looks around by itself, and an edit that nobody changes, do not keep a vault open for days.
    @Test(arguments: [false, true]) func E05WhatNoPersonAskedForIsNoUse(_ isByHand: Bool) throws {
        let world = try VaultWorld(unlocked: false)
        let agent = try world.unlock("--idle", "1s")
        let line = try AgentLine.greeted(#require(world.socket))
        line.traits.isUnattended = !isByHand
        let begin = Clock.seconds
        while VaultWorld.isRunning(agent) && Clock.seconds < begin + 3 {
            // After the lock there is nobody to ask.
            _ = try? line.ask(ShowStatus())
            usleep(100_000)
        }
        #expect(VaultWorld.isRunning(agent) == isByHand)
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

    // MARK: Open elsewhere

    /// The shape of it: cron, sudo and a second login have another runtime directory, or none.
    @Test func anAgentOfAnotherRuntimeDirectoryIsNamedAndLocked() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        try world.makeFolder("run2")
        let here = world.environment["XDG_RUNTIME_DIR"]!
        world.environment["XDG_RUNTIME_DIR"] = world.path("run2")
        let status = try JSON(world.vault("status", "--json"))
        #expect(status["state"].string == "unlocked")
        #expect(status["reachable"].bool == false)
        #expect(status["agentPID"].int == Int(agent))
        #expect(status["runtimeDirectory"].string == here)
        #expect(
            try world.vault("status").text.hasPrefix(
                "unlocked, but not here: an agent of another session (pid \(agent), \(here)) has"))
        for refused in [
            try world.vault("unlock", "--password-file", world.passwordFile),
            try world.vault("--password-file", world.passwordFile, "ls"),
        ] {
            expectRefusal(refused, 7, says: "(pid \(agent), \(here)) has this vault open")
            #expect(refused.err.contains("vault: hint: vault lock ends it"))
        }
        let locked = try world.vault("lock")
        #expect(locked.code == 0)
        #expect(locked.err == "locked; an agent of another session (pid \(agent), \(here)) had it open\n")
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
        #expect(try world.vault("lock").err == "already locked\n")
        try world.unlock()
    }

    /// Whoever tidies up a runtime directory removes the socket of an agent that may not look for it for a minute.
    @Test func lockEndsAnAgentWhoseSocketWasRemoved() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        // Stopped, it cannot notice by itself.
        kill(agent, SIGSTOP)
        unsafe unlink(try #require(world.socket))
        let locked = try world.vault("lock", seconds: 40)
        #expect(locked.code == 0, "\(locked.err)")
        #expect(locked.err.hasPrefix("locked"))
        #expect(!VaultWorld.isRunning(agent))
        #expect(try JSON(world.vault("status", "--json"))["state"].string == "locked")
        try world.unlock()
    }

    /// Two scripts at the same minute.
    @Test func commandsWithPasswordsOfTheirOwnTakeTurns() throws {
        let world = try VaultWorld(unlocked: false)
        let commands = try (0..<6).map { number in
            try Child(
                [Programs.path("vault"), "--password-file", world.passwordFile, "new", "from script \(number)"],
                environment: world.environment)
        }
        for command in commands { #expect(command.wait(seconds: 60) == 0) }
        #expect(
            try JSON(world.vault("--password-file", world.passwordFile, "ls", "--count", "--json"))["total"].int == 6)
    }

    @Test func whoWaitsForAnotherCommandIsToldWhy() throws {
        let world = try VaultWorld(unlocked: false)
        unsafe mkfifo(world.path("text"), 0o600)
        // It has the vault open and waits for its text.
        let first = try Child(
            [
                "/bin/sh", "-c", "exec \"$0\" --password-file \"$1\" attach add \"$3\" - --name x <\"$2\"",
                Programs.path("vault"),
                world.passwordFile, world.path("text"),
                try world.require(world.vault("--password-file", world.passwordFile, "new", "with a file")).id,
            ], environment: world.environment)
        let writer = unsafe open(world.path("text"), O_WRONLY | O_CLOEXEC)
        defer { first.end() }
        usleep(1_500_000)
        let status = try JSON(world.vault("status", "--json"))
        #expect(status["state"].string == "unlocked" && status["reachable"].bool == false)
        expectRefusal(try world.vault("lock", seconds: 20), 7, says: "the agent of a single command (pid ")
        let waiting = try Child(
            [Programs.path("vault"), "--password-file", world.passwordFile, "ls"], environment: world.environment,
            streams: [-1, -1, try messages(world)])
        let deadline = Clock.seconds + 20
        while try !said(world).contains("this command waits for it to finish") && Clock.seconds < deadline {
            usleep(50_000)
        }
        #expect(try said(world).contains("has this vault open; this command waits for it to finish"))
        #expect(!waiting.hasEnded)
        close(writer)
        #expect(first.wait(seconds: 30) == 0)
        #expect(waiting.wait(seconds: 30) == 0)
    }

    private func messages(_ world: VaultWorld) throws -> Int32 {
        unsafe open(world.path("messages"), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
    }
    private func said(_ world: VaultWorld) throws -> String {
        try String(contentsOfFile: world.path("messages"), encoding: .utf8)
    }
}
