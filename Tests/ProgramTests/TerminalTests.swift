// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// What a person at a terminal sees, letter for letter; only what differs from run to run is replaced.
@Suite struct TerminalTests {
    @Test func aVaultIsMadeWithAGoodPasswordAndARecoveryKey() throws {
        let world = try VaultWorld(prepared: false)
        let session = try world.terminal("init", "--kdf-target", "0")
        let typed = ["short", "n", VaultWorld.password, "something else", VaultWorld.password, VaultWorld.password]
        let prompts = ["New password: ", "[y/N] ", "New password: ", "Repeat it: ", "New password: ", "Repeat it: "]
        for (prompt, text) in zip(prompts, typed) { try session.answer(prompt, text) }
        try session.wait(for: "Type the recovery key back: ")
        let key = try #require(Self.recoveryKey(in: session.transcript))
        try session.type("not the key\r")
        try session.answer("Type the recovery key back: ", key.uppercased())
        #expect(try session.finish() == 0)
        #expect(
            Self.masked(session.transcript.replacing(key.uppercased(), with: "KEY").replacing(key, with: "key"), world)
                == Self.creation)

        // Who has typed the password has it open.
        try world.agentPID()
        try world.require(world.vault("lock"))
        let unlock = try world.terminal("unlock", "--recovery")
        try unlock.answer("Recovery key: ", key.replacing("-", with: " "))
        #expect(try unlock.finish() == 0)
        try world.agentPID()
        #expect(
            Self.masked(unlock.transcript, world)
                == "Recovery key: \nunlocked; locks after 15 min idle, or after 8 h at the latest\n")
    }

    /// Every password is typed blind; the answers that are no secret are echoed.
    static let creation = """
        New password: 
        vault: warning: the password is weak: it has fewer than 12 characters
        Use it anyway? [y/N] n
        New password: 
        Repeat it: 
        vault: the passwords do not match
        New password: 
        Repeat it: 
        Recovery key. It opens the vault without the password. Write it on paper now; it is never shown again:
            key
        Type the recovery key back: not the key
        vault: that is not the recovery key; look again
        Type the recovery key back: KEY
        unlocked; locks after 15 min idle, or after 8 h at the latest
        vault created in ROOT/vault
        next: vault new "my first note"

        """

    @Test func aWrongPasswordIsAskedForAgain() throws {
        let world = try VaultWorld(unlocked: false)
        let session = try world.terminal("unlock", "--idle", "5m", "--max", "1h")
        try session.answer("Password: ", "wrong")
        // Erased and begun again, as a person does.
        try session.answer("Password: ", "wrong again\u{15}cory\u{7F}" + VaultWorld.password.dropFirst(3))
        #expect(try session.finish() == 0)
        try world.agentPID()
        #expect(
            Self.masked(session.transcript, world) == """
                Password: 
                vault: wrong password; attempt 1 of 3
                Password: 
                unlocked; locks after 5 min idle, or after 1 h at the latest

                """)
    }

    @Test func afterThreeWrongPasswordsItIsOver() throws {
        let world = try VaultWorld(unlocked: false)
        let session = try world.terminal("unlock")
        for number in 1...3 { try session.answer("Password: ", "wrong \(number)") }
        #expect(try session.finish() == 4)
        #expect(
            Self.masked(session.transcript, world) == """
                Password: 
                vault: wrong password; attempt 1 of 3
                Password: 
                vault: wrong password; attempt 2 of 3
                Password: 
                vault: error: wrong password or key, or the vault is damaged
                vault: hint: try again, or vault unlock --recovery

                """)
    }

    @Test(arguments: ["\u{3}", "half\u{3}", "\u{4}"]) func controlCLeavesAPromptWith130(typed: String) throws {
        let world = try VaultWorld(unlocked: false)
        let session = try world.terminal("unlock")
        try session.wait(for: "Password: ")
        try session.type(typed)
        #expect(try session.finish() == 130)
        #expect(Self.masked(session.transcript, world) == "Password: \nvault: error: interrupted\n")
    }

    @Test func emptyingTheTrashNeedsAYes() throws {
        let world = try VaultWorld()
        try world.require(world.vault("rm", world.new("gone soon")))
        for (answer, code) in [("n", Int32(10)), ("", 10), ("perhaps", 10), ("Yes", 0)] {
            let session = try world.terminal("trash", "empty")
            try session.answer("Permanently delete all notes in the trash? [y/N] ", answer)
            #expect(try session.finish() == code)
            #expect(try JSON(world.vault("trash", "ls", "--json"))["total"].int == (code == 0 ? 0 : 1))
        }
    }

    static func recoveryKey(in text: String) -> String? {
        text.firstMatch(of: /(?:[a-z2-7]{4}-){8}[a-z2-7]{4}/).map { String($0.output) }
    }

    /// Without empty lines, and without a warning that belongs to this machine and not to the program.
    static func masked(_ text: String, _ world: VaultWorld) -> String {
        let lines = text.replacing(world.root, with: "ROOT").split(separator: "\n").filter {
            !$0.contains("warning: swap on ")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
