// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import SecretMemory
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Drafts of private notes.
extension PrivateNoteTests {
    @Test func draftsOfAPrivateNoteNeedItsKey() throws {
        let (vault, store, id) = try vaultWithNote()
        var start = DraftStart()
        start.note = id
        start.base = try store.notes.note(id).revision
        let journal = try store.drafts.begin(start)
        try journal.save(Array("before it was private".utf8))
        try store.makePrivate(id)
        #expect(throws: VaultError(.noteLocked)) { try store.drafts.journal(of: journal.id) }
        #expect(try store.drafts.withText(store.drafts.all()[0]).isLocked)
        try store.close()
        let again = try vault.open()
        try again.openPrivate(id)
        #expect(try again.drafts.withText(again.drafts.all()[0]).text?.body == Array("before it was private".utf8))
        let outcome = try again.drafts.commit(journal.id, text: Array("the end".utf8))
        guard case .saved(let note) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(note.protection == .unlocked && note.id == id)
    }

    @Test func aNewPrivateNotesDraftTellsNothingOfIt() throws {
        let (vault, store, _) = try vaultWithNote()
        var start = DraftStart()
        start.title = "Whippersnapper"
        start.tags = ["pumpernickel"]
        let protecting = try store.protecting(store.notes.newID(), "rosebud", epoch: 1)
        let journal = try store.drafts.beginPrivate(start, protecting)
        try journal.save(Array("first words".utf8))
        let row = try store.read { try Row.fetchOne($0.database, sql: "SELECT title, notebook, tags FROM draft") }
        #expect(row?["title"] == nil && row?["tags"] == "")
        try store.close()
        let again = try vault.open()
        #expect(try again.drafts.withText(again.drafts.all()[0]).isLocked && again.drafts.all()[0].start.title == nil)
        try again.openPrivate(protecting.note)
        #expect(try again.drafts.all()[0].start.title == "Whippersnapper")
        guard case .created(let note) = try again.drafts.commit(journal.id, text: Array("first words".utf8)) else {
            return #expect(Bool(false))
        }
        #expect(note.id == protecting.note && note.tags == ["pumpernickel"] && note.protection == .unlocked)
    }
}
