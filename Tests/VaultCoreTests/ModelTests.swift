// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SearchText
import Testing
import TextReading
import VaultFormat
import VaultTesting

@testable import VaultCore

/// Random operations against a plain model in memory: the same notes, counts and search results, whatever the order.
struct ModelTests {
    private struct ModelNote {
        var title: String?
        var body: String
        var isTrashed = false

        /// Every word of the query somewhere in the title or the text.
        func matches(_ query: String) -> Bool {
            let title = TextFold.fold(NoteTitle.display(title: title, body: body))
            let text = TextFold.fold(body)
            let words = TextFold.fold(query).split(separator: 0x20)
            return words.allSatisfy { title.firstRange(of: $0) != nil || text.firstRange(of: $0) != nil }
        }
    }

    private static let words = [
        "Garten", "Gärtner", "ART", "straße", "owl", "Eule", "日記", "日本", "Заметка", "мета", "λόγος", "a", "b.", "42",
        "100%", "\"q\"", "x\u{301}y",
        "🦉",
    ]

    private func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in Self.words.randomElement(using: &random)! }
            .joined(separator: Bool.random(using: &random) ? " " : "\n")
    }

    private func compare(_ store: OpenVault, _ model: [NoteID: ModelNote], _ comment: Comment) throws {
        let live = try store.notes.list(NoteFilter(), offset: 0, limit: 1000)
        let trashed = try store.notes.list(.inTrash, offset: 0, limit: 1000)
        #expect(Set(live.map(\.id)) == Set(model.filter { !$0.value.isTrashed }.keys), comment)
        #expect(Set(trashed.map(\.id)) == Set(model.filter { $0.value.isTrashed }.keys), comment)
        let counts = try store.notes.counts()
        #expect(counts.notes[.live] == live.count && counts.notes[.trash] == trashed.count, comment)
        for (id, expected) in model {
            let note = try store.notes.note(id)
            #expect(note.body == expected.body && note.titleIsSet == (expected.title != nil), comment)
            #expect(note.title == NoteTitle.display(title: expected.title, body: expected.body), comment)
        }
    }

    private func search(_ store: OpenVault, _ query: String) throws -> Set<NoteID>? {
        for _ in 0..<20 {
            let page = try store.search.find(query, limit: 1000, page: 1, snippetColumns: 40)
            if !page.isCutShort { return Set(page.hits.map(\.note.id)) }
        }
        return nil
    }

    @Test(arguments: [UInt64(11), 12, 13])
    func aVaultDoesWhatAPlainModelDoes(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var vault = try TestVault()
        var store = try vault.open()
        var model: [NoteID: ModelNote] = [:]
        func any() -> NoteID? { model.keys.sorted { $0.text < $1.text }.randomElement(using: &random) }
        for step in 0..<90 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<35:
                let note = ModelNote(title: Bool.random(using: &random) ? nil : text(&random), body: text(&random))
                model[try store.notes.create(NoteDraft(body: note.body, title: note.title)).id] = note
            case 35..<60:
                guard let id = any() else { continue }
                let body = text(&random)
                _ = try store.notes.edit(id) { $0.body = body }
                model[id]?.body = body
            case 60..<75:
                guard let id = any() else { continue }
                let trashed = Bool.random(using: &random)
                _ = try store.notes.setTrashed(id, trashed)
                model[id]?.isTrashed = trashed
            case 75..<80:
                #expect(try store.notes.purgeTrash(limit: 100) == model.count { $0.value.isTrashed })
                model = model.filter { !$0.value.isTrashed }
            case 80..<84: try store.recordProgress()
            case 84..<87:
                // A crash, and on with what it left.
                vault = try TestVault(copying: vault, sharingPins: true)
                store = try vault.open()
            case 87..<90:
                try store.end()
                store = try vault.open()
            default: #expect(try store.checks.rebuildIndex() == model.count)
            }
            let query =
                Bool.random(using: &random)
                ? Self.words.randomElement(using: &random)! : String(text(&random).prefix(3))
            guard !TextFold.fold(query).allSatisfy({ $0 == 0x20 }), !query.contains("\"") else { continue }
            let expected = Set(model.filter { !$0.value.isTrashed && $0.value.matches(query) }.keys)
            #expect(try search(store, query) == expected, "step \(step), query \(query)")
            if step % 15 == 14 { try compare(store, model, "step \(step)") }
        }
        try compare(store, model, "at the end")
        #expect(try check(store).problems.isEmpty)
    }
}
