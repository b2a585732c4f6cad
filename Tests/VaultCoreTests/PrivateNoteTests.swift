// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import SecretMemory
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Notes with a password of their own.
struct PrivateNoteTests {
    private func vaultWithNote() throws -> (TestVault, VaultStore, NoteID) {
        let vault = try TestVault()
        let store = try vault.open()
        var draft = NoteDraft(body: "the marzipan combination is 7 3 9\n[[Elsewhere]]", title: "Quixotic safe")
        draft.tags = ["zugzwang"]
        draft.notebook = "Velvet/Drawer"
        draft.source = "md:Velvet/safe.md"
        let note = try store.create(draft)
        _ = try store.edit(note.id) { $0.body += "\nand the xylophone key" }
        return (vault, store, note.id)
    }

    @Test func aLockedNoteShowsItsDateAndNothingElse() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        let shown = try store.list(NoteFilter(), offset: 0, limit: 10)
        #expect(shown.count == 1 && shown[0].title == "" && shown[0].snippet == "" && shown[0].tags == [] && shown[0].notebook == "")
        #expect(shown[0].protection == .locked && shown[0].byteCount == 0 && shown[0].modified > 0)
        #expect(throws: VaultError(.noteLocked)) { try store.note(id) }
        #expect(throws: VaultError(.noteLocked)) { try store.history(id) }
        #expect(throws: VaultError(.noteLocked)) { try store.edit(id) { $0.body = "x" } }
        #expect(throws: VaultError(.noteLocked)) { try store.modify([id], .tag(["x"]), ChangeGroup(.tag)) }
        #expect(try store.search("marzipan", limit: 10, page: 1, snippetColumns: 40).hits.isEmpty)
        #expect(try store.search("quixotic", limit: 10, page: 1, snippetColumns: 40).hits.isEmpty)
        #expect(try store.notebooks().isEmpty && store.notes(tagged: "zugzwang").isEmpty && store.notes(inNotebook: "Velvet").isEmpty)
        #expect(throws: VaultError(.notFound)) { try store.resolve("Quixotic safe") }
        #expect(try rows(store, "noteTag") == 0 && rows(store, "noteLink") == 0)
        let source = try store.read { try String.fetchOne($0, sql: "SELECT source FROM note") }
        #expect(source == nil)
    }

    @Test func whileItIsUnlockedItIsLikeAnyOther() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        try store.openPrivate(id)
        let shown = try store.list(NoteFilter(), offset: 0, limit: 10)
        #expect(shown[0].title == "Quixotic safe" && shown[0].tags == ["zugzwang"] && shown[0].protection == .unlocked)
        #expect(try store.search("marzipan", limit: 10, page: 1, snippetColumns: 40).hits.map(\.note.id) == [id])
        #expect(try store.resolve("Quixotic safe") == id)
        #expect(try store.notebooks().map(\.name) == ["Velvet/Drawer"] && store.notes(tagged: "zugzwang") == [id])
        #expect(try found(store) { $0.tag = "zugzwang" }.notes.map(\.id) == [id])
        #expect(try store.history(id).count == 2)
        _ = try store.edit(id) { $0.body += "\nvermilion" }
        #expect(try store.search("vermilion", limit: 10, page: 1, snippetColumns: 40).hits.map(\.note.id) == [id])
        _ = try store.undo(limit: 10)
        #expect(try !store.note(id).body.contains("vermilion"))
        // Nothing of that is in the tables.
        store.relock(id)
        #expect(try store.search("vermilion", limit: 10, page: 1, snippetColumns: 40).hits.isEmpty && rows(store, "noteTag") == 0)
        #expect(try found(store) { $0.tag = "zugzwang" }.notes.isEmpty)
    }

    @Test func aTitleIsShownOnlyWhenItsOwnerWantsThat() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id, showsTitle: true)
        let shown = try store.list(NoteFilter(), offset: 0, limit: 10)[0]
        #expect(shown.title == "Quixotic safe" && shown.snippet == "" && shown.protection == .locked)
        #expect(try store.resolve("quixotic safe") == id)
    }

    @Test func B06aWrongPasswordAndADamagedSlotLookAlike() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        #expect(throws: VaultError(.wrongNotePassword)) { try store.openPrivate(id, "rosebut") }
        #expect(!store.isUnlocked(id))
        try store.write { database in
            var slot = try store.keyslot(database, id)
            slot.wrappedKey[60] ^= 1
            try store.save(database, slot)
        }
        #expect(throws: VaultError(.wrongNotePassword)) { try store.openPrivate(id) }
        try store.write { database in
            var slot = try store.keyslot(database, id)
            slot.wrappedKey[60] ^= 1
            slot.iterations += 1
            try store.save(database, slot)
        }
        #expect(throws: VaultError(.wrongNotePassword)) { try store.openPrivate(id) }
    }

    @Test func B01aSlotThatAsksForTooLittleOrTooMuchIsRefused() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        for (memory, iterations) in [(UInt32(8), UInt32(3)), (65536, 1), (.max, 3)] {
            var slot = try store.read { try store.keyslot($0, id) }
            (slot.memoryKiB, slot.iterations) = (memory, iterations)
            let opening = NoteOpening(slot: slot, vaultID: store.header.vaultID)
            #expect(throws: VaultError(.costOutOfRange)) { try opening.open(secret(Array("rosebud".utf8))) }
        }
    }

    @Test func thePasswordsHashVerifiesItAndHasASaltOfItsOwn() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        let note = try store.secureNote(id)
        #expect(note.note == nil && note.passwordHash.hasPrefix("$argon2id$v=19$m="))
        #expect(try note.verify(secret(Array("rosebud".utf8))))
        #expect(try !note.verify(secret(Array("rosebut".utf8))))
        let slot = try store.read { try store.keyslot($0, id) }
        let hash = try PasswordHash(parsing: note.passwordHash)
        #expect(hash.salt != slot.salt && hash.cost.memoryKiB >= slot.memoryKiB && hash.cost.iterations >= slot.iterations)
    }

    @Test func anotherPasswordKeepsTheKeyAndANewKeyDoesNot() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        try store.openPrivate(id)
        let before = try store.openedKey(of: id)
        try store.protect(id, store.protecting(id, "second", keeping: before, epoch: 1))
        store.relock(id)
        #expect(throws: VaultError(.wrongNotePassword)) { try store.openPrivate(id) }
        try store.openPrivate(id, "second")
        #expect(try store.note(id).body.contains("marzipan"))
        let renewed = try store.protecting(id, "third", epoch: store.nextKeyEpoch(of: id))
        try store.protect(id, renewed, attachments: store.reseal(id, to: renewed.opened))
        #expect(try store.note(id).body.contains("marzipan") && store.history(id).count == 2)
        store.relock(id)
        // Somebody who kept the old key opens nothing that is sealed now.
        store.records.keyring.insert(id, before.keys, showsTitle: false)
        #expect(throws: VaultError(.noteLocked)) { try store.note(id) }
        store.relock(id)
        try store.openPrivate(id, "third")
        #expect(try store.history(id).map(\.record.noteID) == [id, id])
    }

    @Test func withoutItsPasswordItIsAnOrdinaryNoteAgain() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        #expect(throws: VaultError(.noteLocked)) { try store.unprotect(id) }
        try store.openPrivate(id)
        try store.unprotect(id)
        #expect(try store.search("marzipan", limit: 10, page: 1, snippetColumns: 40).hits.map(\.note.id) == [id])
        #expect(try store.list(NoteFilter(), offset: 0, limit: 10)[0].protection == .none)
        #expect(try store.history(id).count == 2 && rows(store, "noteKey") == 0 && rows(store, "noteTag") == 1)
    }

    @Test func aLockedNoteCanBeThrownAwayWithoutItsPassword() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        #expect(try store.setTrashed(id, true).isTrashed)
        #expect(try store.setTrashed(id, false).place == .live)
        #expect(try store.modify([id], .pinned(true), ChangeGroup(.pin))[0].isPinned)
        try store.openPrivate(id)
        let note = try store.note(id)
        #expect(note.isPinned && note.body.contains("marzipan"))
        store.relock(id)
        _ = try store.setTrashed(id, true)
        #expect(try store.purgeTrash(limit: 10) == 1)
        #expect(try rows(store, "noteKey") == 0 && rows(store, "revision") == 0)
    }

    @Test func copiesAndMergesDoNotTakeItsTextOutOfItsProtection() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        let other = try store.create(NoteDraft(body: "other")).id
        try store.makePrivate(id)
        try store.openPrivate(id)
        #expect(throws: VaultError(.isPrivate)) { try store.duplicate(id) }
        #expect(throws: VaultError(.isPrivate)) { try store.join([other, id]) }
        #expect(throws: VaultError(.isPrivate)) { try store.join([id, other]) }
    }

    @Test func itIsPrivateAfterReopeningAndRebuildingAndSoundToTheCheck() throws {
        let (vault, store, id) = try vaultWithNote()
        try store.makePrivate(id)
        try store.close()
        let again = try vault.open()
        #expect(throws: VaultError(.noteLocked)) { try again.note(id) }
        _ = try again.rebuildIndex()
        #expect(try check(again).isEmpty)
        try again.openPrivate(id)
        #expect(try check(again).isEmpty)
        _ = try again.rebuildIndex()
        #expect(try rows(again, "noteTag") == 0)
        #expect(try again.note(id).title == "Quixotic safe")
    }

    @Test func A02privateRecordsCannotBeExchanged() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        let other = try store.create(NoteDraft(body: "another private one")).id
        try store.makePrivate(id)
        try store.makePrivate(other, "different")
        try store.write { database in
            let rows = try [id, other].map { note in
                try database.cachedStatement("SELECT sealed FROM revision WHERE id = (SELECT head FROM note WHERE id = ?)").row([note.bytes.blob])!
                    .bytes("sealed")
            }
            for (note, sealed) in [(id, rows[1]), (other, rows[0])] {
                try database.execute(
                    sql: "UPDATE revision SET sealed = ? WHERE id = (SELECT head FROM note WHERE id = ?)", arguments: [sealed.blob, note.bytes.blob])
            }
        }
        let problems = try check(store)
        #expect(problems.contains { $0.kind == .revisionUnreadable && $0.noteID == id })
        #expect(problems.contains { $0.kind == .revisionUnreadable && $0.noteID == other })
        #expect(throws: VaultError(.integrity)) { try store.openPrivate(id) }
    }

    @Test func aPlainRevisionInAPrivateNoteIsFound() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        let head = try store.read { try store.headID($0, of: id) }
        let plain = try store.read { try $0.cachedStatement("SELECT sealed FROM revision WHERE id = ?").row([head.bytes.blob])!.bytes("sealed") }
        try store.makePrivate(id)
        try store.write { try $0.execute(sql: "UPDATE revision SET sealed = ? WHERE id = ?", arguments: [plain.blob, head.bytes.blob]) }
        #expect(try check(store).contains { $0.kind == .revisionUnreadable && $0.noteID == id })
    }

    @Test func aNoteBornPrivateWasNeverAnythingElse() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let protecting = try store.protecting(store.newNoteID(), "rosebud", epoch: 1)
        let note = try store.createPrivate(NoteDraft(body: "saxophone"), protecting)
        #expect(note.protection == .unlocked && note.title == "saxophone")
        #expect(try rows(store, "noteTag") == 0)
        #expect(try !store.hasWordsLeft())
        store.relock(note.id)
        #expect(try store.search("saxophone", limit: 10, page: 1, snippetColumns: 40).hits.isEmpty)
        #expect(try check(store).isEmpty)
    }

    @Test func draftsOfAPrivateNoteNeedItsKey() throws {
        let (vault, store, id) = try vaultWithNote()
        var start = DraftStart()
        start.note = id
        start.base = try store.note(id).revision
        let journal = try store.beginDraft(start)
        try journal.save(Array("before it was private".utf8))
        try store.makePrivate(id)
        #expect(throws: VaultError(.noteLocked)) { try store.journal(of: journal.id) }
        #expect(try store.withText(store.drafts()[0]).isLocked)
        try store.close()
        let again = try vault.open()
        try again.openPrivate(id)
        #expect(try again.withText(again.drafts()[0]).text?.body == Array("before it was private".utf8))
        let outcome = try again.commitDraft(journal.id, text: Array("the end".utf8))
        guard case .saved(let note) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(note.protection == .unlocked && note.id == id)
    }

    @Test func aNewPrivateNotesDraftTellsNothingOfIt() throws {
        let (vault, store, _) = try vaultWithNote()
        var start = DraftStart()
        start.title = "Whippersnapper"
        start.tags = ["pumpernickel"]
        let protecting = try store.protecting(store.newNoteID(), "rosebud", epoch: 1)
        let journal = try store.beginPrivateDraft(start, protecting)
        try journal.save(Array("first words".utf8))
        let row = try store.read { try Row.fetchOne($0, sql: "SELECT title, notebook, tags FROM draft") }
        #expect(row?["title"] == nil && row?["tags"] == "")
        try store.close()
        let again = try vault.open()
        #expect(try again.withText(again.drafts()[0]).isLocked && again.drafts()[0].start.title == nil)
        try again.openPrivate(protecting.note)
        #expect(try again.drafts()[0].start.title == "Whippersnapper")
        guard case .created(let note) = try again.commitDraft(journal.id, text: Array("first words".utf8)) else { return #expect(Bool(false)) }
        #expect(note.id == protecting.note && note.tags == ["pumpernickel"] && note.protection == .unlocked)
    }

    private func rows(_ store: VaultStore, _ table: String) throws -> Int {
        try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    private func check(_ store: VaultStore) throws -> [CheckProblem] {
        let check = VaultCheck(store)
        while try check.step() {}
        return check.report.problems
    }
}
