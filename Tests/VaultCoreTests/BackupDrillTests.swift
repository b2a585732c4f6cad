// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// A drill compares what a restore would give with the vault, and finds what differs.
struct BackupDrillTests {
    private func drill(_ place: BackupPlace, _ store: OpenVault) throws -> BackupDrill.Drilled {
        let (index, freeze) = try store.freeze()
        defer { _ = freeze }
        return try BackupDrill.run(place.open(), store.backups.access, with: index) { _ in true }
    }

    @Test func aDrillComparesWhatWasThereThen() throws {
        let full = try RotatingVault(notes: 6)
        let store = try full.vault.open()
        let place = try BackupPlace()
        let written = try place.write(store)
        // What comes, changes and goes later is no difference.
        _ = try store.notes.create(NoteDraft(body: "later"))
        _ = try store.notes.edit(store.notes.resolve("note 0 quokka")) { $0.body = "another text" }
        _ = try store.notes.setTrashed(store.notes.resolve("note 4 quokka"), true)
        _ = try store.notes.purgeTrash(limit: 10)
        let drilled = try drill(place, store)
        #expect(drilled.isSound && drilled.name == written.name && drilled.notes == 7)
        #expect(drilled.attachments == 3 && drilled.revisions > 5)
        try store.end()
    }

    @Test func aDrillFindsATextThatIsNotTheVaults() throws {
        let full = try RotatingVault(notes: 4)
        var store = try full.vault.open()
        let note = try store.notes.resolve("note 0 quokka")
        let head = try #require(store.history.revisions(of: note).first).id
        try store.end()
        // The same vault with another text under the same name: every seal is right.
        let other = try TestVault(copying: full.vault)
        store = try other.open()
        let changed = NoteRecord(noteID: note, created: 1, modified: 1, body: "not what was written")
        let sealed = try store.records.seal(changed, revision: head)
        try store.write {
            try $0.database.execute(
                sql: "UPDATE revision SET sealed = ? WHERE id = ?", arguments: [sealed.blob, head.bytes.blob])
        }
        let place = try BackupPlace()
        _ = try place.write(store)
        try store.end()
        store = try full.vault.open()
        let drilled = try drill(place, store)
        #expect(!drilled.isSound && drilled.differences.losses == [.init(.text, note, title: "note 0 quokka")])
        try store.end()
    }

    @Test func aDrillSaysThatItIsTheVaultThatDoesNotOpen() throws {
        let full = try RotatingVault(notes: 6)
        let store = try full.vault.open()
        let place = try BackupPlace()
        let written = try place.write(store)
        let objects = full.vault.folder.path + "/objects/"
        let file = try #require(
            FileManager.default.subpathsOfDirectory(atPath: objects).first { $0.utf8.count > 60 })
        var bytes = try Data(contentsOf: URL(filePath: objects + file))
        bytes[100] ^= 1
        let handle = try FileHandle(forUpdating: URL(filePath: objects + file))
        try handle.write(contentsOf: bytes)
        try handle.close()
        let drilled = try drill(place, store)
        #expect(drilled.vaultIsDamaged && !drilled.isSound && drilled.name == written.name)
        #expect(drilled.differences.isEmpty, "nothing is said of the snapshot")
        try store.end()
    }

    @Test func aDrillIsDueAMonthAfterTheLastThatSucceeded() {
        var memory = BackupMemory()
        let month = BackupMemory.drillMillisecondsMax
        #expect(!memory.isDrillDue(now: 10 * month))
        (memory.first, memory.created) = (1, 1)
        #expect(!memory.isDrillDue(now: month) && memory.isDrillDue(now: month + 2))
        // A new snapshot every day proves nothing.
        memory.created = 2 * month
        #expect(memory.isDrillDue(now: 2 * month))
        memory.drilled = 2 * month
        #expect(!memory.isDrillDue(now: 3 * month) && memory.isDrillDue(now: 3 * month + 1))
        #expect(BackupMemory(parsing: memory.encoded) == memory)
        #expect(BackupMemory(parsing: memory.encoded + [0]) == nil && BackupMemory(parsing: []) == nil)
    }

    @Test func theVaultsStateRemembersBackupsAndTheVaultItselfDoesNot() throws {
        let vault = try TestVault()
        let store = try vault.open()
        #expect(store.backups.memory == nil)
        let generation = store.recordedGeneration
        store.backups.rememberCreated(5)
        store.backups.rememberCreated(9)
        store.backups.rememberDrill(11)
        let memory = try #require(store.backups.memory)
        #expect((memory.first, memory.created, memory.drilled) == (5, 9, 11))
        #expect(store.recordedGeneration == generation)
        try store.end()
    }
}
