// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// `vault book` with services that answer as they should and as they should not, and without a network.
@Suite(.enabled(if: Programs.system("python3") != nil, "needs python3"))
struct BookCommandTests {
    private static let server = Result { try BookServer() }

    private func world(_ server: BookServer) throws -> VaultWorld {
        let world = try VaultWorld()
        for key in ["books.google", "books.openlibrary"] {
            try world.require(world.vault("config", "set", key, server.base))
        }
        return world
    }

    private func books(_ world: VaultWorld) throws -> [JSON] {
        try JSON(world.require(world.vault("book", "ls", "--json")))["books"].array
    }

    /// Nothing goes out before its owner has agreed, and agreeing to one address is not agreeing to another.
    @Test func X65nothingIsAskedBeforeItsOwnerAgrees() throws {
        let server = try BookServer()
        let world = try world(server)
        let refused = try world.vault("book", "search", "dune")
        #expect(refused.code == 3 && refused.err.contains(server.base) && refused.err.contains("--agree"))
        #expect(try !server.log().contains("volumes"))
        try world.require(world.vault("book", "search", "dune", "--agree"))
        #expect(try server.log().contains("volumes") && world.vault("book", "search", "dune").code == 0)
        let second = try BookServer()
        try world.require(world.vault("config", "set", "books.google", second.base))
        #expect(try world.vault("book", "search", "dune").code == 3)
        #expect(try !second.log().contains("volumes"))
    }

    /// Words and key reach the service and no command line, and no other thing of the vault does.
    @Test func X65aRequestHoldsTheWordsAndTheKeyAndNothingElse() throws {
        let server = try BookServer()
        let world = try world(server)
        try world.require(world.vault(["book", "key"], input: Array("KEY-5d1e\n".utf8)))
        try world.require(world.vault(["book", "search", "-", "--agree"], input: Array("zebra quagga".utf8)))
        let log = try server.log()
        #expect(log.contains("zebra%20quagga") && log.contains("KEY-5d1e"))
        #expect(!log.lowercased().contains("cookie") && !log.lowercased().contains("referer"))
        try world.require(world.vault("book", "key", "--remove"))
        try world.require(world.vault("book", "search", "other"))
        #expect(try world.vault("book", "key", "--show").text.contains("no key"))
    }

    struct Trick: Sendable, CustomTestStringConvertible {
        let word: String
        let sentence: String
        var testDescription: String { word }
        init(_ word: String, _ sentence: String) { (self.word, self.sentence) = (word, sentence) }
    }

    private static let tricks = [
        Trick("429", "quota: "), Trick("403-country", "refused: Google Books cannot tell from which country"),
        Trick("403-key", "refused: Google Books does not accept the key"), Trick("503", "out of order"),
        Trick("portal", "no network: a page was shown"), Trick("90MB", "more than is taken"),
        Trick("redirect", "led to another place"), Trick("notjson", "cannot be read"),
        Trick("silence", "did not answer in time"), Trick("nothing", "no service found such a book"),
    ]

    @Test(arguments: tricks) func X66eachAnswerEndsWithItsSentenceAndStoresNothing(_ trick: Trick) throws {
        let world = try world(Self.server.get())
        try world.require(world.vault("book", "search", "ok", "--agree"))
        let begun = ContinuousClock.now
        for words in [["book", "search", trick.word], ["book", "add", trick.word]] {
            let ended = try world.vault(words)
            #expect(ended.code != 0 && ended.err.contains(trick.sentence), "\(words): \(ended.err)")
            #expect(ended.err.contains("vault: hint: "), "\(words)")
        }
        // Two questions, each at most 10 s.
        #expect(try ContinuousClock.now - begun < .seconds(25) && books(world).isEmpty)
    }

    @Test(arguments: ["truncated", "dimensions", "html", "svg", "empty", "dot", "garbage"])
    func X66aHostileCoverIsNotStoredAndTheBookIs(_ cover: String) throws {
        let world = try world(Self.server.get())
        let added = try world.vault("book", "add", "google:\(cover)", "--agree")
        let found = try books(world)
        // The book itself was described; what was sent for a cover is no picture that is shown.
        #expect(added.code == 0 && found.count == 1 && found[0]["cover"].bool == false, "\(added.err)")
        #expect(added.err.contains("without its cover"), "\(added.err)")
    }

    @Test func X66marksOfDirectionAndLineFeedsAreGone() throws {
        let world = try world(Self.server.get())
        try world.require(world.vault("book", "search", "ok", "--agree"))
        let first = try JSON(world.require(world.vault("book", "search", "marks", "--json")))["books"][0]
        let volume = try #require(first["volume"].string)
        for text in [first["title"].string, first["authors"][0].string] {
            let scalars = try #require(text).unicodeScalars
            #expect(
                scalars.allSatisfy { $0.value >= 0x20 && !(0x202A...0x202E).contains($0.value) && $0 != "\u{200F}" })
        }
        try world.require(world.vault("book", "add", volume))
    }

    @Test func aBookIsShownWithItsCoverAfterTheNetworkWent() throws {
        var server: BookServer? = try BookServer()
        let world = try world(#require(server))
        try world.require(world.vault("book", "add", "9780441013593", "--to", "reading", "--agree"))
        let again = try world.vault("book", "add", "9780441013593")
        #expect(again.code == 7 && again.err.contains("in the vault already"))
        server = nil
        let failed = try world.vault("book", "search", "dune")
        #expect(failed.code == 1 && failed.err.contains("no network"))
        let shown = try JSON(world.require(world.vault("book", "show", "dune", "--json")))["book"]
        #expect(shown["title"].string == "Dune" && shown["cover"].bool == true && shown["pages"].int == 528)
        try world.require(world.vault("book", "cover", "dune", "-o", world.path("cover.jpg")))
        let bytes = try Data(contentsOf: URL(filePath: world.path("cover.jpg")))
        #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF]))
    }

    /// docs/export-json.md §3.1: what one vault wrote, another one reads, and the second export is the first.
    @Test func booksSurviveAnExportAndAnImport() throws {
        let world = try world(Self.server.get()), other = try VaultWorld()
        try world.require(world.vault("book", "add", "9780441013593", "--to", "reading", "--agree"))
        for (chapter, text) in [("2. Sand", "second"), ("1. Arrakis", "first")] {
            try world.require(world.vault("new", "--book", "dune", "--chapter", chapter, text))
        }
        try world.require(world.vault("book", "chapter", "mv", "dune", "1. Arrakis", "--before", "2. Sand"))
        try world.require(world.vault("book", "log", "dune", "--percent", "30", "half asleep"))
        try world.require(world.vault("book", "finish", "dune", "--rating", "4.25"))
        let file = world.path("out.json")
        try world.require(world.vault("export", "json", "--plaintext", "-o", file))
        // The service's own number stays in the first vault alone, and that is told.
        #expect(try other.vault("import", "json", file).code == 12)
        let fields = ["title", "authors", "shelf", "started", "finished", "rating", "pages", "percent"]
        let one = try JSON(world.require(world.vault("book", "show", "dune", "--json")))["book"]
        let two = try JSON(other.require(other.vault("book", "show", "dune", "--json")))["book"]
        for field in fields { #expect("\(one[field])" == "\(two[field])", "\(field)") }
        #expect(two["cover"].bool == true && two["log"][0]["line"].string == "half asleep")
        #expect(two["chapters"].array.map { $0["title"].string } == ["1. Arrakis", "2. Sand"])
        let sections = try JSON(other.require(other.vault("book", "notes", "dune", "--json")))["sections"].array
        #expect(sections.map { $0["chapter"].string } == ["1. Arrakis", "2. Sand"])
        #expect(sections.map { $0["notes"][0]["title"].string } == ["first", "second"])
        // A second import finds all of it.
        let second = try other.vault("import", "json", file)
        #expect(
            second.err.contains("unchanged 3") || second.text.contains("unchanged 3"), "\(second.err)\(second.text)")
    }
}
