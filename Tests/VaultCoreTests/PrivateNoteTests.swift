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
    func vaultWithNote() throws -> (TestVault, OpenVault, NoteID) {
        let vault = try TestVault()
        let store = try vault.open()
        var draft = NoteDraft(body: "the marzipan combination is 7 3 9\n[[Elsewhere]]", title: "Quixotic safe")
        draft.tags = ["zugzwang"]
        draft.notebook = "Velvet/Drawer"
        draft.source = "md:Velvet/safe.md"
        let note = try store.notes.create(draft)
        _ = try store.notes.edit(note.id) { $0.body += "\nand the xylophone key" }
        return (vault, store, note.id)
    }

    @Test func aLockedNoteShowsItsDateAndNothingElse() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        let shown = try store.notes.list(NoteFilter(), offset: 0, limit: 10)
        #expect(
            shown.count == 1 && shown[0].title == "" && shown[0].snippet == "" && shown[0].tags == []
                && shown[0].notebook == "")
        #expect(shown[0].protection == .locked && shown[0].byteCount == 0 && shown[0].modified > 0)
        #expect(throws: VaultError(.noteLocked)) { try store.notes.note(id) }
        #expect(throws: VaultError(.noteLocked)) { try store.history.all(of: id) }
        #expect(throws: VaultError(.noteLocked)) { try store.notes.edit(id) { $0.body = "x" } }
        #expect(throws: VaultError(.noteLocked)) { try store.notes.modify([id], .tag(["x"]), ChangeGroup(.tag)) }
        #expect(try store.search.find("marzipan", limit: 10, page: 1, snippetColumns: 40).hits.isEmpty)
        #expect(try store.search.find("quixotic", limit: 10, page: 1, snippetColumns: 40).hits.isEmpty)
        #expect(
            try store.names.notebooks().isEmpty && store.names.notes(tagged: "zugzwang").isEmpty
                && store.names.notes(inNotebook: "Velvet").isEmpty)
        #expect(throws: VaultError(.notFound)) { try store.notes.resolve("Quixotic safe") }
        #expect(try rows(store, "noteTag") == 0 && rows(store, "noteLink") == 0)
        let source = try store.read { try String.fetchOne($0.database, sql: "SELECT source FROM note") }
        #expect(source == nil)
    }

    @Test func whileItIsUnlockedItIsLikeAnyOther() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        try store.openPrivate(id)
        let shown = try store.notes.list(NoteFilter(), offset: 0, limit: 10)
        #expect(shown[0].title == "Quixotic safe" && shown[0].tags == ["zugzwang"] && shown[0].protection == .unlocked)
        #expect(try store.search.find("marzipan", limit: 10, page: 1, snippetColumns: 40).hits.map(\.note.id) == [id])
        #expect(try store.notes.resolve("Quixotic safe") == id)
        #expect(
            try store.names.notebooks().map(\.name) == ["Velvet/Drawer"]
                && store.names.notes(tagged: "zugzwang") == [id])
        #expect(try found(store) { $0.tag = "zugzwang" }.notes.map(\.id) == [id])
        #expect(try store.history.all(of: id).count == 2)
        _ = try store.notes.edit(id) { $0.body += "\nvermilion" }
        #expect(try store.search.find("vermilion", limit: 10, page: 1, snippetColumns: 40).hits.map(\.note.id) == [id])
        _ = try store.history.undo(limit: 10)
        #expect(try !store.notes.note(id).body.contains("vermilion"))
        // Nothing of that is in the tables.
        store.privateNotes.relock(id)
        #expect(
            try store.search.find("vermilion", limit: 10, page: 1, snippetColumns: 40).hits.isEmpty
                && rows(store, "noteTag") == 0)
        #expect(try found(store) { $0.tag = "zugzwang" }.notes.isEmpty)
    }

    @Test func aTitleIsShownOnlyWhenItsOwnerWantsThat() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id, showsTitle: true)
        let shown = try store.notes.list(NoteFilter(), offset: 0, limit: 10)[0]
        #expect(shown.title == "Quixotic safe" && shown.snippet == "" && shown.protection == .locked)
        #expect(try store.notes.resolve("quixotic safe") == id)
    }

    @Test func B06aWrongPasswordAndADamagedSlotLookAlike() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        #expect(throws: VaultError(.wrongNotePassword)) { try store.openPrivate(id, "rosebut") }
        #expect(!store.privateNotes.isUnlocked(id))
        try store.write { transaction in
            var slot = try transaction.keyslot(id)
            slot.wrappedKey[60] ^= 1
            try transaction.save(slot)
        }
        #expect(throws: VaultError(.wrongNotePassword)) { try store.openPrivate(id) }
        try store.write { transaction in
            var slot = try transaction.keyslot(id)
            slot.wrappedKey[60] ^= 1
            slot.iterations += 1
            try transaction.save(slot)
        }
        #expect(throws: VaultError(.wrongNotePassword)) { try store.openPrivate(id) }
    }

    @Test func B01aSlotThatAsksForTooLittleOrTooMuchIsRefused() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        for (memory, iterations) in [(UInt32(8), UInt32(3)), (65536, 1), (.max, 3)] {
            var slot = try store.read { try $0.keyslot(id) }
            (slot.memoryKiB, slot.iterations) = (memory, iterations)
            let opening = NoteOpening(slot: slot, vaultID: store.header.vaultID)
            #expect(throws: VaultError(.costOutOfRange)) { try opening.open(secret(Array("rosebud".utf8))) }
        }
    }

    @Test func thePasswordsHashVerifiesItAndHasASaltOfItsOwn() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        let note = try store.privateNotes.secureNote(id)
        #expect(note.note == nil && note.passwordHash.hasPrefix("$argon2id$v=19$m="))
        #expect(try note.verify(secret(Array("rosebud".utf8))))
        #expect(try !note.verify(secret(Array("rosebut".utf8))))
        let slot = try store.read { try $0.keyslot(id) }
        let hash = try PasswordHash(parsing: note.passwordHash)
        #expect(
            hash.salt != slot.salt && hash.cost.memoryKiB >= slot.memoryKiB && hash.cost.iterations >= slot.iterations)
    }

    @Test func anotherPasswordKeepsTheKeyAndANewKeyDoesNot() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        try store.openPrivate(id)
        let before = try store.privateNotes.openedKey(of: id)
        try store.privateNotes.protect(id, store.protecting(id, "second", keeping: before, epoch: 1))
        store.privateNotes.relock(id)
        #expect(throws: VaultError(.wrongNotePassword)) { try store.openPrivate(id) }
        try store.openPrivate(id, "second")
        #expect(try store.notes.note(id).body.contains("marzipan"))
        let renewed = try store.protecting(id, "third", epoch: store.privateNotes.nextKeyEpoch(of: id))
        try store.privateNotes.protect(id, renewed, attachments: store.reseal(id, to: renewed.opened))
        #expect(try store.notes.note(id).body.contains("marzipan") && store.history.all(of: id).count == 2)
        store.privateNotes.relock(id)
        // Somebody who kept the old key opens nothing that is sealed now.
        store.records.keyring.insert(id, before.keys, showsTitle: false)
        #expect(throws: VaultError(.noteLocked)) { try store.notes.note(id) }
        store.privateNotes.relock(id)
        try store.openPrivate(id, "third")
        #expect(try store.history.all(of: id).map(\.record.noteID) == [id, id])
    }

    @Test func withoutItsPasswordItIsAnOrdinaryNoteAgain() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        #expect(throws: VaultError(.noteLocked)) { try store.privateNotes.unprotect(id) }
        try store.openPrivate(id)
        try store.privateNotes.unprotect(id)
        #expect(try store.search.find("marzipan", limit: 10, page: 1, snippetColumns: 40).hits.map(\.note.id) == [id])
        #expect(try store.notes.list(NoteFilter(), offset: 0, limit: 10)[0].protection == .none)
        #expect(try store.history.all(of: id).count == 2 && rows(store, "noteKey") == 0 && rows(store, "noteTag") == 1)
    }

    @Test func aLockedNoteCanBeThrownAwayWithoutItsPassword() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(id)
        #expect(try store.notes.setTrashed(id, true).isTrashed)
        #expect(try store.notes.setTrashed(id, false).place == .live)
        #expect(try store.notes.modify([id], .flag(.pinned, true), ChangeGroup(.pin))[0].isPinned)
        try store.openPrivate(id)
        let note = try store.notes.note(id)
        #expect(note.isPinned && note.body.contains("marzipan"))
        store.privateNotes.relock(id)
        _ = try store.notes.setTrashed(id, true)
        #expect(try store.notes.purgeTrash(limit: 10) == 1)
        #expect(try rows(store, "noteKey") == 0 && rows(store, "revision") == 0)
    }

    @Test func copiesAndMergesDoNotTakeItsTextOutOfItsProtection() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        let other = try store.notes.create(NoteDraft(body: "other")).id
        try store.makePrivate(id)
        try store.openPrivate(id)
        #expect(throws: VaultError(.isPrivate)) { try store.notes.duplicate(id) }
        #expect(throws: VaultError(.isPrivate)) { try store.notes.join([other, id]) }
        #expect(throws: VaultError(.isPrivate)) { try store.notes.join([id, other]) }
    }

    @Test func itIsPrivateAfterReopeningAndRebuildingAndSoundToTheCheck() throws {
        let (vault, store, id) = try vaultWithNote()
        try store.makePrivate(id)
        try store.close()
        let again = try vault.open()
        #expect(throws: VaultError(.noteLocked)) { try again.notes.note(id) }
        _ = try again.checks.rebuildIndex()
        #expect(try check(again).isEmpty)
        try again.openPrivate(id)
        #expect(try check(again).isEmpty)
        _ = try again.checks.rebuildIndex()
        #expect(try rows(again, "noteTag") == 0)
        #expect(try again.notes.note(id).title == "Quixotic safe")
    }

    @Test func A02privateRecordsCannotBeExchanged() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        let other = try store.notes.create(NoteDraft(body: "another private one")).id
        try store.makePrivate(id)
        try store.makePrivate(other, "different")
        try store.write { transaction in
            let rows = try [id, other].map { note in
                try transaction.database.cachedStatement(
                    "SELECT sealed FROM revision WHERE id = (SELECT head FROM note WHERE id = ?)"
                ).row([
                    note.bytes.blob
                ])!
                .bytes("sealed")
            }
            for (note, sealed) in [(id, rows[1]), (other, rows[0])] {
                try transaction.database.execute(
                    sql: "UPDATE revision SET sealed = ? WHERE id = (SELECT head FROM note WHERE id = ?)",
                    arguments: [sealed.blob, note.bytes.blob])
            }
        }
        let problems = try check(store)
        #expect(problems.contains { $0.kind == .revisionUnreadable && $0.noteID == id })
        #expect(problems.contains { $0.kind == .revisionUnreadable && $0.noteID == other })
        expect(.noteDamaged) { try store.openPrivate(id) }
    }

    @Test func aPlainRevisionInAPrivateNoteIsFound() throws {
        let (vault, store, id) = try vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        let head = try store.read { try $0.headID(of: id) }
        let plain = try store.read {
            try $0.database.cachedStatement("SELECT sealed FROM revision WHERE id = ?").row([head.bytes.blob])!.bytes(
                "sealed")
        }
        try store.makePrivate(id)
        try store.write {
            try $0.database.execute(
                sql: "UPDATE revision SET sealed = ? WHERE id = ?", arguments: [plain.blob, head.bytes.blob])
        }
        #expect(try check(store).contains { $0.kind == .revisionUnreadable && $0.noteID == id })
    }

    @Test func aNoteBornPrivateWasNeverAnythingElse() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let protecting = try store.protecting(store.notes.newID(), "rosebud", epoch: 1)
        let note = try store.privateNotes.create(NoteDraft(body: "saxophone"), protecting)
        #expect(note.protection == .unlocked && note.title == "saxophone")
        #expect(try rows(store, "noteTag") == 0)
        #expect(try !store.privateNotes.hasWordsLeft())
        store.privateNotes.relock(note.id)
        #expect(try store.search.find("saxophone", limit: 10, page: 1, snippetColumns: 40).hits.isEmpty)
        #expect(try check(store).isEmpty)
    }

    private func rows(_ store: OpenVault, _ table: String) throws -> Int {
        try store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    private func check(_ store: OpenVault) throws -> [CheckProblem] {
        let check = VaultCheck(store)
        while try check.step() {}
        return check.report.problems
    }
}
