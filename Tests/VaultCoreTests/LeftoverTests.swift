// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import SealedSQLite
import Testing
import VaultFormat

@testable import VaultCore

/// What is left of a note in the index once it is private: nothing, in any page as the vault's key opens it.
struct LeftoverTests {
    /// Nobody writes it, and four bytes of it do not come about by chance: as a word, a title, a tag, a name and a gram
    /// of the index.
    private static let marker = "\u{13080}"

    private func vault() throws -> (TestVault, OpenVault, NoteID) {
        let vault = try TestVault()
        let store = try vault.open()
        for number in 0..<300 {
            _ = try store.notes.create(
                NoteDraft(body: "ordinary text number \(number) with words like harbour, lantern and quay"))
        }
        var draft = NoteDraft(
            body:
                "before \(Self.marker)\(Self.marker) after, [[\(Self.marker) other]] https://example.org/\(Self.marker)",
            title: "t\(Self.marker)")
        draft.tags = ["tag\(Self.marker)"]
        draft.notebook = "book\(Self.marker)"
        draft.source = "md:\(Self.marker)"
        let note = try store.notes.create(draft).id
        for number in 0..<5 { _ = try store.notes.edit(note) { $0.body += " \(Self.marker)\(number)" } }
        _ = try store.addAttachment("file\(Self.marker).txt", Array("attached".utf8), to: note)
        var start = DraftStart()
        start.note = note
        start.title = "title\(Self.marker)"
        _ = try store.drafts.begin(start)
        for number in 0..<50 { _ = try store.notes.create(NoteDraft(body: "later text \(number)")) }
        return (vault, store, note)
    }

    /// Pages of the file that hold the marker, whatever they are: live, free, of the search index, or of the log that
    /// was emptied.
    private func pagesWithMarker(_ store: OpenVault) throws -> Int {
        try store.startNewLog(isOpen: true)
        let storage = store.database.storage
        #expect(storage.logByteCount == 0)
        let wanted = Array(Self.marker.utf8)
        return try (1...storage.pageCount).count { number in
            let page = try #require(storage.openedPage(number))
            return (0...page.count - wanted.count).contains { page[$0..<$0 + wanted.count].elementsEqual(wanted) }
        }
    }

    private func grams(_ store: OpenVault) throws -> Int {
        try store.read { index in
            try Row.fetchAll(index.database, sql: "SELECT block FROM search_data").count { row in
                let block = try row.bytes("block")
                let wanted = Array(Self.marker.utf8)
                return block.count >= wanted.count
                    && (0...block.count - wanted.count).contains { block[$0..<$0 + wanted.count].elementsEqual(wanted) }
            }
        }
    }

    @Test func lesson15noMarkerAndNoGramOfALockedNoteIsInAnyPage() throws {
        let (vault, store, note) = try vault()
        defer { withExtendedLifetime(vault) {} }
        #expect(try pagesWithMarker(store) > 3 && grams(store) > 0, "the search for it finds it")
        try store.makePrivate(note)
        #expect(try grams(store) == 0)
        #expect(try pagesWithMarker(store) == 0)
        // Reading, searching and changing it in a session leaves nothing either.
        try store.openPrivate(note)
        #expect(try store.search.find(Self.marker, limit: 5, page: 1, snippetColumns: 60).hits.count == 1)
        _ = try store.notes.edit(note) { $0.body += "\n\(Self.marker) again" }
        _ = try store.addAttachment("\(Self.marker).bin", [1, 2, 3], to: note)
        _ = try store.notes.modify([note], .tag(["more\(Self.marker)"]), ChangeGroup(.tag))
        _ = try store.history.undo(limit: 10)
        store.privateNotes.relock(note)
        #expect(try pagesWithMarker(store) == 0 && grams(store) == 0)
    }

    @Test func lesson15aDeletionAloneLeavesWords() throws {
        let (vault, store, note) = try vault()
        defer { withExtendedLifetime(vault) {} }
        let protecting = try store.protecting(note, "rosebud", epoch: 1)
        try store.privateNotes.protect(note, protecting, attachments: store.reseal(note, to: protecting.opened))
        #expect(try store.privateNotes.hasWordsLeft() && grams(store) > 0, "without the merge they would stay")
    }

    @Test func whatIsLeftOfWordsIsRemovedAfterTheNextUnlock() throws {
        let (vault, store, note) = try vault()
        let protecting = try store.protecting(note, "rosebud", epoch: 1)
        try store.privateNotes.protect(note, protecting, attachments: store.reseal(note, to: protecting.opened))
        _ = try WordRemoval(store).step()
        let crashed = try TestVault(copying: vault, sharingPins: true)
        let again = try crashed.open()
        #expect(try again.privateNotes.hasWordsLeft())
        let removal = WordRemoval(again)
        while try removal.step() {}
        #expect(try !again.privateNotes.hasWordsLeft())
        #expect(try grams(again) == 0 && pagesWithMarker(again) == 0)
    }
}
