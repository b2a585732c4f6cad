// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// The first note of somebody who has no vault yet, and a note for the owner of a key.
@Suite struct FirstNoteTests {
    @Test func theFirstNoteMakesItsVault() throws {
        let world = try VaultWorld(prepared: false)
        let session = try world.terminal("new", "buy", "milk")
        try session.answer("New password: ", "a long pass phrase 88")
        try session.answer("Repeat it: ", "a long pass phrase 88")
        #expect(try session.finish() == 0, "\(session.lastScreen)")
        #expect(session.lastScreen.contains("there is no vault yet") && session.lastScreen.contains("saved"))
        #expect(session.lastScreen.contains("vault recovery new"))
        _ = try world.agentPID()
        #expect(try world.vault("ls", "--count").text == "1\n")
    }

    @Test func aScriptIsToldWhatIsMissing() throws {
        let world = try VaultWorld(prepared: false)
        let finished = try world.vault("new", "text")
        #expect(finished.code == 5 && finished.err.contains("vault init"), "\(finished.err)")
    }

    @Test func aNoteIsSharedWithTheOwnerOfAKey() throws {
        let world = try VaultWorld()
        guard let keygen = Programs.system("age-keygen"), let age = Programs.system("age") else { return }
        let key = try Command.run([keygen, "-o", world.path("key")], environment: world.environment)
        let recipient = try #require(key.err.split(separator: " ").last?.split(separator: "\n").first.map(String.init))
        let note = try world.new("For you\nthe words")
        try world.require(world.vault("share", note, "--to", "age:" + recipient, "-o", world.path("note.age")))
        #expect(String(decoding: try ProcFile.bytes(world.path("note.age")), as: UTF8.self).hasPrefix("-----BEGIN AGE"))
        let opened = try Command.run(
            [age, "-d", "-i", world.path("key"), world.path("note.age")], environment: world.environment)
        #expect(opened.text == "For you\nthe words")
        let wrong = try world.vault("share", note, "--to", "age:age1nothing", "-o", world.path("other.age"))
        #expect(wrong.code == 2 && wrong.err.contains("recipient 1 is mistyped"))
        #expect(try world.vault("share", note, "--to", "nowhere").code == 2)
    }
}
