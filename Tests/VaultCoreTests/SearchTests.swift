// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// Search: any substring, in any script, without regard to case and diacritics.
struct SearchTests {
    private let vault: TestVault
    private let store: OpenVault

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    private func titles(_ query: String) throws -> [String] {
        for _ in 0..<20 {
            let page = try store.search.find(query, limit: 50, page: 1, snippetColumns: 60)
            // Fifty milliseconds may be over too soon on a busy machine.
            if !page.isCutShort { return page.hits.map(\.note.title) }
        }
        return ["cut short each time"]
    }

    @Test(arguments: [
        ("Straße nach Süden", ["STRAßE NACH", "suden", "traß", "ß", "e n"], ["strasse", "norden"]),
        ("Ανθολογία ελληνική", ["ΑΝΘΟΛΟΓΙΑ", "λλη", "ία"], ["ανθοσ"]),
        ("日本語のメモ", ["本語", "日", "のメ", "メモ"], ["語日"]),
        ("Заметка о Ёлке", ["ЗАМЕТКА", "елке", "о Ё"], ["елка"]),
        ("메모장 노트", ["메모", "노트", "장 노"], ["모메"]),
        ("ملاحظة سرية", ["سرية", "لاح"], ["سريه"]),
        ("naïve café 50% \"x\" a_b*c", ["NAIVE", "cafe\u{301}", "50%", "_b*", "c"], ["50 % z", "a-b"]),
        ("owl 🦉 🇩🇪 done", ["🦉", "🇩🇪", "l 🦉"], ["🦊"]),
    ])
    func everySubstringIsFoundInEveryScript(body: String, found: [String], missed: [String]) throws {
        _ = try store.notes.create(NoteDraft(body: "other text altogether"))
        let note = try store.notes.create(NoteDraft(body: "heading\n" + body))
        for query in found { #expect(try titles(query).contains(note.title), "\(query)") }
        for query in missed { #expect(try titles(query).isEmpty, "\(query)") }
    }

    @Test func oneAndTwoCharactersAreEnough() throws {
        _ = try store.notes.create(NoteDraft(body: "quick"))
        _ = try store.notes.create(NoteDraft(body: "lazy"))
        #expect(try titles("q") == ["quick"])
        #expect(try titles("zy") == ["lazy"])
        #expect(try titles("x").isEmpty)
        expect(.badQuery) { try store.search.find("  ", limit: 5, page: 1, snippetColumns: 60) }
    }

    @Test func allWordsMustOccurAndAPhraseAsItStands() throws {
        _ = try store.notes.create(NoteDraft(body: "red green blue"))
        _ = try store.notes.create(NoteDraft(body: "blue\nred and green"))
        #expect(try titles("green red").count == 2)
        #expect(try titles("\"red green\"") == ["red green blue"])
        #expect(try titles("red \"green blue\"") == ["red green blue"])
        #expect(try titles("red violet").isEmpty)
    }

    @Test func titlesComeFirstThenWordsThenTheNewest() throws {
        for body in [
            "x\nthe owlet flies", "x2\na night owl calls", "Owls of Europe\ntext", "x3\nhowling", "x4\nan owl again",
        ] {
            _ = try store.notes.create(NoteDraft(body: body))
        }
        #expect(try titles("owl") == ["Owls of Europe", "x4", "x2", "x", "x3"])
    }

    @Test func pagesFollowEachOtherWithoutGapOrDouble() throws {
        for number in 0..<25 { _ = try store.notes.create(NoteDraft(body: "match \(number)")) }
        var seen: [NoteID] = []
        var page = 1
        while page < 10 {
            let found = try store.search.find("match", limit: 4, page: page, snippetColumns: 60)
            guard !found.isCutShort else { continue }
            seen += found.hits.map(\.note.id)
            #expect(found.hasMore == (seen.count < 25))
            if !found.hasMore { break }
            page += 1
        }
        #expect(seen.count == 25 && Set(seen).count == 25)
    }

    @Test func lesson15oldWordsAreGoneWithTheEditThatRemovedThem() throws {
        let note = try store.notes.create(NoteDraft(body: "The password of the safe is Xylophone"))
        _ = try store.notes.edit(note.id) { $0.body = "The safe was sold" }
        #expect(try titles("xylophone").isEmpty)
        #expect(try titles("xyl").isEmpty)
        #expect(try titles("sold").count == 1)
        // Not only hidden by the check of the text: the index itself has no row for the word any more.
        let rows = try store.read {
            try Int.fetchOne($0.database, sql: "SELECT count(*) FROM search WHERE search MATCH '\"xyl\"'")
        }
        #expect(rows == 0)
    }

    @Test func aNoteInTheTrashIsNotFoundUntilItIsRestored() throws {
        let note = try store.notes.create(NoteDraft(body: "buried treasure"))
        _ = try store.notes.setTrashed(note.id, true)
        #expect(try titles("treasure").isEmpty)
        _ = try store.notes.edit(note.id) { $0.body = "buried silver" }
        #expect(try titles("silver").isEmpty)
        _ = try store.notes.setTrashed(note.id, false)
        #expect(try titles("treasure").isEmpty)
        #expect(try titles("silver").count == 1)
    }

    @Test func hitsAreMarkedInSnippetAndTitle() throws {
        _ = try store.notes.create(NoteDraft(body: "Owl sightings\nAt dusk an owl sat there"))
        let hit = try #require(try store.search.find("owl", limit: 5, page: 1, snippetColumns: 60).hits.first)
        let bytes = Array(hit.snippet.utf8)
        #expect(!hit.hits.isEmpty)
        #expect(hit.hits.allSatisfy { String(decoding: bytes[$0], as: UTF8.self).lowercased() == "owl" })
        #expect(hit.titleHits == [0..<3])
    }
}
