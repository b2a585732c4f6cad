// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol
import Testing

struct ObsidianImportTests {
    static let vault: [(String, String)] = [
        (
            "Home.md",
            "---\ntags: [start]\ncreated: 2020-01-02\n---\n[[Plan#Day 1|the plan]] ![[map.png|300]] [[missing]]\n`[[Plan]]` #inline\n![[Plan]]"
        ),
        (
            "Trips/Plan.md",
            "see [home](../Home.md), [pdf](<files/a b.pdf>) and ![](files/map.png) [web](https://a.example) [[files/a b.pdf]]"
        ),
        ("Trips/files/map.png", "PNG"), ("Trips/files/a b.pdf", "PDF"), ("unused.zip", "ZIP"),
        ("Board.canvas", "{\"nodes\":[]}"),
        (".obsidian/app.json", "{}"), (".trash/old.md", "old"), ("secret.mdenc", "xx"),
    ]

    @Test func wikiLinksAndEmbedsAreResolvedByNameAnywhere() throws {
        let result = Imported(.obsidian, MemorySource(Self.vault))
        let note = try #require(result.note("Home.md"))
        #expect(
            result.isWellFormed && note.title == "Home" && note.tags == ["start", "inline"]
                && note.created == 1_577_923_200_000)
        #expect(note.body == "[[Plan|the plan]] ![map.png|300](att:map.png) [[missing]]\n`[[Plan]]` #inline\n![[Plan]]")
        #expect(note.links == [try NoteReference(target: "Plan", sourceKey: "Trips/Plan.md")])
        #expect(Set(codes(note)) == [.linkPartLost, .linkUnresolved, .noteShownAsLink])
    }

    @Test func pathsAreResolvedFromTheNotesFolder() throws {
        let result = Imported(.obsidian, MemorySource(Self.vault))
        let note = try #require(result.note("Trips/Plan.md"))
        #expect(
            note.body
                == "see [[Home|home]], [pdf](att:a b.pdf) and ![](att:map.png) [web](https://a.example) [a b.pdf](att:a b.pdf)"
        )
        #expect(
            note.notebook == "Trips" && note.losses.isEmpty
                && note.attachments.map(\.key) == ["Trips/files/a b.pdf", "Trips/files/map.png"])
        #expect(result.attachments["Trips/files/map.png"] == Array("PNG".utf8))
    }

    @Test func aFileOfTwoNotesIsSentOnceAndUnusedOnesAreNamed() {
        let result = Imported(.obsidian, MemorySource(Self.vault))
        #expect(Set(result.attachments.keys) == ["Trips/files/map.png", "Trips/files/a b.pdf", "Board.canvas"])
        #expect(
            Set(result.refused) == [
                RefusedEntry(.notUsed, path: "unused.zip".utf8), RefusedEntry(.encrypted, path: "secret.mdenc".utf8),
            ])
        #expect(result.notes.count == 3 && result.note("Board.canvas")?.body == "[Board.canvas](att:Board.canvas)\n")
        #expect(result.summary?.found.notes == 4 && result.summary?.delivered.notes == 3)
    }

    @Test func ambiguousNamesAreToldAndTheShortestPathWins() throws {
        let files = [("a/deep/x.png", "1"), ("b/x.png", "2"), ("n.md", "![[x.png]]")]
        let note = try #require(Imported(.obsidian, MemorySource(files)).notes.first)
        #expect(note.attachments.map(\.key) == ["b/x.png"] && codes(note) == [.ambiguousLink])
    }

    @Test func linksOutOfTheVaultLeadNowhere() throws {
        let files = [
            ("n.md", "![](../../etc/passwd) ![[../../etc/passwd.png]] ![](file:///etc/passwd) ![](/etc/passwd.png)")
        ]
        let result = Imported(.obsidian, MemorySource(files))
        #expect(
            result.attachments.isEmpty && result.notes.first?.body == files[0].1
                && result.notes.first?.attachments.isEmpty == true)
    }

    @Test func namesThatDifferInCaseOnlyAreOne() {
        let result = Imported(.obsidian, MemorySource([("A.md", "1"), ("a.md", "2")]))
        #expect(result.notes.map(\.sourceKey) == ["A.md"] && result.reasons == [.duplicate])
    }

    @Test func aSecondReadingGivesTheSame() {
        let (one, two) = (
            Imported(.obsidian, MemorySource(Self.vault)),
            Imported(.obsidian, MemorySource(Self.vault, pieceByteCount: 3))
        )
        #expect(one.notes == two.notes && one.attachments == two.attachments && one.summary == two.summary)
    }

    @Test(arguments: [
        "[", "![[a", "[[", "](", "[](", "[a](b ", "[[a]", "[x](<", "![", "`[", ":/", "[a](\"", "[[a|",
        "[[[a](x.md)](x.md)",
    ])
    func manyBeginningsTakeLinearTime(piece: String) {
        let unit = Array(String(repeating: piece, count: max(1, 4096 / piece.utf8.count)).utf8)
        var text: [UInt8] = []
        while text.count + unit.count <= 32 << 10 { text += unit }
        let files = [("n.md", text), ("x.md", Array("x".utf8))]
        let seconds = ProcessorTime.seconds { _ = Imported(.obsidian, MemorySource(files)) }
        #expect(seconds < 10, "\(piece): \(seconds)")
    }

    @Test func eachOfManyLinksIsReplacedOnce() throws {
        let text = String(repeating: "[a](x.md) ", count: 20_000)
        let note = try #require(Imported(.obsidian, MemorySource([("n.md", text), ("x.md", "x")])).note("n.md"))
        #expect(
            note.body == String(repeating: "[[x|a]] ", count: 20_000) && note.links.count == 1 && note.losses.isEmpty)
    }
}
