// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Sentences that the programs say about themselves, each compared with what is so.
@Suite struct TruthTests {
    private func terminal(_ world: VaultWorld, _ arguments: String...) throws -> String {
        let session = try TerminalSession([Programs.path("vault")] + arguments, environment: world.environment)
        #expect(try session.finish() == 0)
        return session.transcript
    }

    @Test func aboutNamesTheConstructionsAndOnlyAddressesThatTheBuildWasGiven() throws {
        let world = try VaultWorld(prepared: false)
        let text = try world.require(world.vault("about")).text
        #expect(text.contains("Notes and attachments: Cobblestone-256"))
        #expect(text.contains("Index: SQLite, each page sealed with XAES-256-GCM"))
        // An ordinary build was given neither.
        #expect(text.contains("this build names no website") && text.contains("this build names no address"), "\(text)")
        let json = try JSON(world.require(world.vault("about", "--json")))
        #expect(json.names.isSuperset(of: ["website", "email"]))
        #expect(json["website"].string == nil && json["email"].string == nil)
        let page = try String(contentsOfFile: Programs.repository + "/man/man1/vault.1", encoding: .utf8)
        #expect(!page.contains(".example") && page.contains("vault about"))
    }

    @Test func theHistoryNamesAttachmentsThatCameAndWent() throws {
        let world = try VaultWorld()
        let id = try world.new("with files")
        let file = try world.write("a.txt", "one")
        let other = try world.write("b.txt", "two")
        try world.require(world.vault("attach", "add", id, file, other))
        try world.require(world.vault("attach", "rm", id, "a.txt"))
        let lines = try world.require(world.vault("history", id)).text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasSuffix("\t1 attachment removed") && lines[1].hasSuffix("\t2 attachments added"), "\(lines)")
    }

    @Test func theFooterOfTheTemplatesCountsTemplates() throws {
        let world = try VaultWorld()
        _ = try world.new("an ordinary note")
        #expect(try terminal(world, "template", "ls").contains("0 templates"))
        #expect(try terminal(world, "ls").contains("1 note"))
    }

    @Test func anOrdinaryNoteIsNoTemplateToBeRemoved() throws {
        let world = try VaultWorld()
        _ = try world.new("letter")
        let refused = try world.vault("template", "rm", "letter")
        #expect(refused.code == 5 && refused.err.contains("there is no template 'letter'"), "\(refused)")
        #expect(try world.vault("ls", "--count").text == "1\n")
    }

    @Test func colourThatIsAskedForIsInAPipeToo() throws {
        let world = try VaultWorld()
        let id = try world.new("walrus\nsecond line of it")
        let escape = "\u{1B}["
        for command in [["ls"], ["search", "walrus"], ["show", id], ["history", id]] {
            #expect(try !world.require(world.vault(command)).text.contains(escape), "\(command)")
            let asked = try world.require(world.vault(command + ["--color", "always"])).text
            #expect(asked.contains(escape), "\(command): \(asked.debugDescription)")
            #expect(!asked.contains("\u{1B}]"), "links are for terminals")
        }
        #expect(try !world.require(world.vault("ls", "--color", "always", "--json")).text.contains(escape))
        // The bytes of a text are its own, whatever is asked for.
        #expect(try world.require(world.vault("cat", id, "--color", "always")).text == "walrus\nsecond line of it")
    }

    /// Each hint names an option that gives what was missing: following it leads on.
    @Test func hintsOfMissingPasswordsLeadOn() throws {
        let world = try VaultWorld()
        let id = try world.new("soon private")
        let file = try world.write("note-password", "quartz ember lattice")
        for command in [["new", "--private", "text"], ["note", "lock", id]] {
            let refused = try world.vault(command)
            expectRefusal(refused, 3, says: "the note's own password is needed")
            #expect(refused.err.contains("--note-password-file F"), "\(refused.err)")
            try world.require(world.vault(command + ["--note-password-file", file]))
        }
        let recovery = try world.vault("recovery", "test")
        expectRefusal(recovery, 3, says: "the recovery key is needed")
        #expect(recovery.err.contains("--password-file F"), "\(recovery.err)")
    }

    /// A feature that a search knows stands in the documentation, and the message that lists them is complete.
    @Test func theDocumentationNamesEveryFeatureThatASearchKnows() throws {
        let world = try VaultWorld()
        let refused = try world.vault("ls", "has:walrus")
        #expect(refused.code == 2)
        let listed = try #require(refused.err.firstMatch(of: /has:([a-z|]+)/)).1.split(separator: "|")
        #expect(listed.contains("attachment") && listed.count >= 7, "\(refused.err)")
        let documented = try String(contentsOfFile: Programs.repository + "/docs/cli.md", encoding: .utf8)
        let words = try #require(documented.firstMatch(of: /`has:([a-z|]+)`/)).1.split(separator: "|")
        #expect(Set(words) == Set(listed))
    }
}
