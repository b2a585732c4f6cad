// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// Rows that stand only once have a copy on another page, whatever writes them.
struct SpareRowTests {
    private func fits(_ store: OpenVault) throws -> Bool { try store.read { try SpareTable.fit($0.database) } }

    private func rows(_ store: OpenVault, _ table: String) throws -> Int {
        try store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    /// Opens a vault whose table has a page that does not open.
    private func reopened(_ vault: TestVault, _ store: OpenVault, without table: String) throws -> OpenVault {
        let page = try #require(
            try store.read {
                try Int.fetchOne(
                    $0.database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])
            })
        try store.end()
        try vault.change("index-1.db") { $0[(page - 1) * 4096 + 10] ^= 1 }
        let again = try vault.open()
        expect(.integrity) { try again.read { try Row.fetchAll($0.database, sql: "SELECT * FROM \(table)") } }
        return again
    }

    @Test func A01aPrivateNoteOpensWhenThePageOfItsKeyDoesNot() throws {
        let (vault, store, note) = try PrivateNoteTests().vaultWithNote()
        try store.makePrivate(note)
        let again = try reopened(vault, store, without: "noteKey")
        try again.openPrivate(note)
        #expect(try again.notes.note(note).body.contains("marzipan"))
        try again.end()
    }

    @Test func A01anAttachmentIsReadWhenThePageOfItsRowDoesNotOpen() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "with a file"))
        let bytes = [UInt8](repeating: 5, count: 30_000)
        let attachment = try store.addAttachment("a.bin", bytes, to: note.id)
        let again = try reopened(vault, store, without: "attachment")
        #expect(try again.content(attachment) == bytes)
        try again.end()
    }

    @Test func aDraftIsThereWhenThePageOfItsRowDoesNotOpen() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let journal = try store.drafts.begin(DraftStart())
        try journal.save(Array("half a thought".utf8))
        let again = try reopened(vault, store, without: "draft")
        let draft = try #require(try again.drafts.all().first)
        #expect(try again.drafts.withText(draft).isDamaged == false)
        try again.end()
    }

    @Test func theCopiesFollowEveryChangeAndARotation() throws {
        let fixture = try RotatingVault()
        var store = try fixture.vault.open()
        #expect(try rows(store, "attachmentSpare") == 3 && rows(store, "noteKeySpare") == 1 && fits(store))
        try RotatingVault.begin(store)
        #expect(try rows(store, "rotationSpare") == 1 && fits(store))
        try RotatingVault.finish(store)
        #expect(try rows(store, "rotationSpare") == 0 && fits(store))
        #expect(try check(store).problems.isEmpty)
        try store.end()
        store = try fixture.vault.open(key: RotatingVault.nextKey)
        _ = try store.notes.setTrashed(fixture.privateNote, true)
        while try store.notes.purgeTrash(limit: 9) > 0 {}
        #expect(try rows(store, "noteKeySpare") == 0 && rows(store, "attachmentSpare") == 2 && fits(store))
        try store.end()
    }

    /// The password of before must open nothing from a copy that was forgotten.
    @Test func anotherPasswordReplacesTheCopyOfTheKey() throws {
        let (vault, store, note) = try PrivateNoteTests().vaultWithNote()
        defer { withExtendedLifetime(vault) {} }
        try store.makePrivate(note)
        let before = try store.read { try $0.sealedKeyslot(of: note) }
        try store.openPrivate(note)
        let known = try store.privateNotes.openedKey(of: note)
        try store.privateNotes.protect(note, store.protecting(note, "xanadu", keeping: known, epoch: 1))
        let copy = try store.read {
            try Row.fetchOne($0.database, sql: "SELECT sealed FROM noteKeySpare")?.bytes("sealed")
        }
        #expect(try copy == store.read { try $0.sealedKeyslot(of: note) } && copy != before)
    }

    @Test(arguments: [
        "DELETE FROM noteKeySpare", "UPDATE attachmentSpare SET sealed = zeroblob(100)",
        "INSERT INTO draftSpare(id, wrapped) VALUES(x'01', x'02')", "UPDATE stateSpare SET device = zeroblob(16)",
    ])
    func aCheckTellsOfACopyThatDiffers(sql: String) throws {
        let fixture = try RotatingVault()
        let store = try fixture.vault.open()
        #expect(try check(store).problems.isEmpty)
        try store.write { try $0.database.execute(sql: sql) }
        #expect(try check(store).problems.map(\.kind) == [.spare])
        try store.end()
    }

    @Test func anIndexOfSchema5GetsTheCopiesAndKeepsItsTexts() throws {
        let fixture = try RotatingVault()
        var store = try fixture.vault.open()
        try store.write { transaction in
            for table in SpareTable.allCases {
                for name in ["Added", "Changed", "Removed"] {
                    try transaction.database.execute(sql: "DROP TRIGGER \(table.spare)\(name)")
                }
                try transaction.database.execute(sql: "DROP TABLE \(table.spare)")
            }
            try transaction.database.execute(sql: "UPDATE state SET schema = 5")
        }
        let texts = try rows(store, "folded")
        try store.end()
        store = try fixture.vault.open()
        #expect(try store.read { try IndexState.fetch($0.database).schema } == 10)
        #expect(try rows(store, "attachmentSpare") == 3 && rows(store, "folded") == texts && fits(store))
        #expect(try check(store).problems.isEmpty)
        try store.end()
    }
}
