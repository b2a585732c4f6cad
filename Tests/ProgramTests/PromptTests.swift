// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// What a terminal goes through while it asks for a password: signals, keys that are no text, typing ahead.
@Suite struct PromptTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM])
    func aSignalThatEndsAPromptLeavesTheTerminalAsItWas(signal: Int32) throws {
        let world = try VaultWorld(unlocked: false)
        let session = try world.terminal("unlock")
        try session.wait(for: "Password: ")
        #expect(!session.echoes)
        try session.type("half of it")
        session.kill(signal)
        #expect(try session.finish(seconds: 20) == -signal)
        #expect(session.echoes)
        #expect(!session.transcript.contains("half"))
    }

    @Test func controlZLeavesAPromptAndItAsksAnewInTheForeground() throws {
        let world = try VaultWorld(unlocked: false)
        let session = try world.shell(running: "unlock")
        try session.wait(for: "Password: ")
        try session.type("half\u{1A}")
        try session.wait(for: "Stopped")
        try session.wait(for: "ready> ")
        #expect(session.echoes)
        try session.type("fg\r")
        try session.answer("Password: ", VaultWorld.password)
        try session.wait(for: "unlocked; ")
        #expect(session.echoes)
        try session.answer("ready> ", "exit")
        #expect(try session.finish(seconds: 20) == 0)
        try world.agentPID()
        #expect(!session.transcript.contains("corduroy") && !session.transcript.contains("half"))
    }

    @Test(arguments: [SIGTSTP, SIGTTIN, SIGTTOU]) func aStopAtAPromptGivesTheTerminalBack(signal: Int32) throws {
        let world = try VaultWorld(unlocked: false)
        let session = try world.shell(running: "unlock")
        try session.wait(for: "Password: ")
        let asking = try #require(Self.children(of: session.pid).first)
        kill(asking, signal)
        try session.wait(for: "Stopped")
        try session.wait(for: "ready> ")
        #expect(session.echoes)
        try session.type("fg\r")
        try session.wait(for: "Password: ")
        #expect(!session.echoes)
        try session.type("\u{3}")
        try session.answer("ready> ", "exit $?")
        #expect(try session.finish(seconds: 20) == 130)
    }

    /// A process that nothing can catch may have changed hands meanwhile: the modes are set again.
    @Test func afterAStopThatCannotBeCaughtThePromptIsStillBlind() throws {
        let world = try VaultWorld(unlocked: false)
        let session = try world.shell(running: "unlock")
        try session.wait(for: "Password: ")
        kill(try #require(Self.children(of: session.pid).first), SIGSTOP)
        try session.wait(for: "Stopped")
        try session.wait(for: "ready> ")
        try session.type("stty echo; fg\r")
        try session.answer("Password: ", VaultWorld.password)
        try session.wait(for: "unlocked; ")
        #expect(session.echoes)
        try session.answer("ready> ", "exit")
        #expect(try session.finish(seconds: 20) == 0)
        try world.agentPID()
        #expect(!session.transcript.contains("corduroy"))
    }

    /// An arrow key, one with Control, one of a terminal in application mode, a terminal's answer about its colours,
    /// Alt and a key.
    @Test(arguments: [
        "\u{1B}[D", "\u{1B}[1;5C", "\u{1B}OA", "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}]10;?\u{1B}\\", "\u{1B}b",
    ])
    func keysThatAreNoTextAreNotPartOfAPassword(key: String) throws {
        let world = try VaultWorld(unlocked: false)
        let session = try world.terminal("unlock")
        try session.answer("Password: ", key + VaultWorld.password.prefix(9) + key + VaultWorld.password.dropFirst(9))
        #expect(try session.finish(seconds: 20) == 0, "\(session.transcript.debugDescription)")
        try world.agentPID()
    }

    @Test func ofAPasteItsContentIsTaken() throws {
        let world = try VaultWorld(unlocked: false)
        let session = try world.terminal("unlock")
        try session.answer("Password: ", "\u{1B}[200~" + VaultWorld.password + "\u{1B}[201~")
        #expect(try session.finish(seconds: 20) == 0, "\(session.transcript.debugDescription)")
        try world.agentPID()
    }

    @Test func theEscapeKeyAloneIsNotPartOfAPasswordEither() throws {
        let world = try VaultWorld(unlocked: false)
        let session = try world.terminal("unlock")
        try session.wait(for: "Password: ")
        try session.type("\u{1B}")
        usleep(400_000)
        try session.type(VaultWorld.password + "\r")
        #expect(try session.finish(seconds: 20) == 0, "\(session.transcript.debugDescription)")
        try world.agentPID()
    }

    // MARK: A new vault

    /// The shape of it: who types a password twice without looking meets the question about a weak one with the second.
    @Test func aPasswordTypedAtAQuestionIsNeverShown() throws {
        let world = try VaultWorld(prepared: false)
        let session = try world.terminal("init", "--kdf-target", "0", "--no-recovery")
        try session.answer("New password: ", "weak one")
        try session.answer("Use it anyway? [y/N] ", "weak one, again")
        try session.answer("Use it anyway? [y/N] ", "n")
        try session.answer("New password: ", VaultWorld.password)
        try session.answer("Repeat it: ", VaultWorld.password)
        #expect(try session.finish(seconds: 60) == 0)
        #expect(
            !session.transcript.contains("again\n") && !session.transcript.contains("weak one"), "\(session.transcript)"
        )
        #expect(session.transcript.contains("Use it anyway? [y/N] n\n"))
    }

    @Test func noWrongRecoveryKeyThrowsANewVaultAway() throws {
        let world = try VaultWorld(prepared: false)
        let session = try world.terminal("init", "--kdf-target", "0")
        try session.answer("New password: ", VaultWorld.password)
        try session.answer("Repeat it: ", VaultWorld.password)
        for wrong in ["", "not it", "", "nor this", "nor that"] {
            try session.answer("Type the recovery key back: ", wrong)
        }
        try session.answer("Show the recovery key once more? [y/N] ", "y")
        try session.wait(for: "Type the recovery key back: ")
        let key = try #require(TerminalTests.recoveryKey(in: session.transcript))
        #expect(session.transcript.components(separatedBy: key).count == 3, "it is shown twice")
        try session.type(key + "\r")
        #expect(try session.finish(seconds: 60) == 0)
        try world.unlock()
    }

    @Test func controlCAtTheRecoveryKeySaysThatNothingWasWritten() throws {
        let world = try VaultWorld(prepared: false)
        let session = try world.terminal("init", "--kdf-target", "0")
        try session.answer("New password: ", VaultWorld.password)
        try session.answer("Repeat it: ", VaultWorld.password)
        try session.wait(for: "Type the recovery key back: ")
        try session.type("abcd\u{3}")
        #expect(try session.finish(seconds: 60) == 130)
        #expect(session.transcript.contains("vault: error: interrupted; nothing was written"))
        #expect(!FileManager.default.fileExists(atPath: world.directory))
    }

    // MARK: An agent that does not answer

    @Test func aStoppedAgentIsTold() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        kill(agent, SIGSTOP)
        defer { kill(agent, SIGCONT) }
        let session = try world.terminal("ls")
        let begin = Clock.seconds
        try session.wait(for: "the agent (pid \(agent)) does not answer: it is stopped", seconds: 15)
        #expect(Clock.seconds - begin > 1.5)
        try session.wait(for: "kill -CONT \(agent)")
        try session.type("\u{3}")
        #expect(try session.finish(seconds: 5) == -SIGINT)
        let waiting = try world.terminal("ls")
        try waiting.wait(for: "it is stopped", seconds: 15)
        kill(agent, SIGCONT)
        #expect(try waiting.finish(seconds: 20) == 0)
    }

    @Test func lockEndsAStoppedAgent() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        kill(agent, SIGSTOP)
        let locked = try world.vault("lock", seconds: 20)
        #expect(locked.code == 0 && locked.err == "locked\n", "\(locked.err)")
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
        #expect(try JSON(world.vault("status", "--json"))["state"].string == "locked")
    }

    private static func children(of pid: pid_t) -> [pid_t] {
        ((try? ProcFile.text(pid, "task/\(pid)/children")) ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
}
