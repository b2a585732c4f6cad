// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultTesting
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Backups of damaged vaults, and damaged backups: what is lost is said, and what `verify` calls whole is restored.
struct BackupDamageTests {
    /// Texts of all revisions of each ordinary note.
    private func texts(_ store: OpenVault) throws -> [NoteID: [String]] {
        var texts: [NoteID: [String]] = [:]
        for place in [NoteFilter(), .inTrash] {
            for note in try store.notes.list(place, offset: 0, limit: 10_000)
            where try !store.privateNotes.isPrivate(note.id) {
                texts[note.id] = try store.history.revisions(of: note.id).map {
                    String(decoding: try store.history.text(of: $0.id, note.id), as: UTF8.self)
                }
            }
        }
        return texts
    }

    private func flip(_ path: String, at offset: Int) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[offset] ^= 1
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.write(contentsOf: bytes)
        try file.close()
    }

    private func pins(_ place: BackupPlace) -> PinStore { PinStore(folder: place.folder.path + "/pins") }

    @Test func aBackupOfAVaultWithADamagedPageSaysWhatItLacksAndTheRestIsRestored() throws {
        let full = try RotatingVault(notes: 10)
        var store = try full.vault.open()
        for number in 0..<40 {
            _ = try store.notes.create(NoteDraft(body: "more \(number) " + String(repeating: "words ", count: 300)))
        }
        let before = try texts(store)
        try store.end()
        let name = try #require(full.vault.files().first { $0.hasSuffix(".db") })
        let size = try Data(contentsOf: full.vault.folder.appending(path: name)).count / 4096
        var (told, harmless, refused) = (0, 0, 0)
        for page in stride(from: 0, to: size, by: max(1, size / 12)) {
            let vault = try TestVault(copying: full.vault)
            store = try vault.open()
            try flip(vault.folder.path + "/" + name, at: page * 4096 + 100)
            let readable = before.keys.filter { (try? store.notes.note($0)) != nil }
            let place = try BackupPlace()
            let written: BackupWriter.Written
            // Without its counters and tables nothing can be told of an index.
            do { written = try place.write(store) } catch let error as VaultError {
                #expect(error.code == .integrity, "page \(page)")
                refused += 1
                continue
            }
            let snapshot = try #require(SnapshotName(written.name))
            #expect(written.damage.pageCount == 1, "page \(page)")
            #expect(try place.verify(snapshot, store).damage == written.damage)
            let isLoss = written.damage.isOfRecords
            if isLoss {
                expect(.integrity) { try place.restore(snapshot, pins: pins(place)) }
                #expect(!FileManager.default.fileExists(atPath: place.target))
            }
            let restored = try place.restore(snapshot, salvaging: isLoss, pins: pins(place))
            #expect(restored.damage == written.damage)
            let opened = try place.openRestored(pins: pins(place))
            let after = try texts(opened)
            let lost = Set(written.damage.losses.compactMap(\.noteID))
            for (note, revisions) in before where !lost.contains(note) {
                #expect(Set(after[note] ?? []) == Set(revisions), "page \(page)")
            }
            for note in readable { #expect(after[note] != nil, "page \(page): what opens here is in the backup") }
            for (note, revisions) in after { #expect(Set(revisions).isSubset(of: before[note] ?? []), "\(note.text)") }
            let named = written.damage.losses.allSatisfy { loss in
                !loss.title.isEmpty || loss.noteID == full.privateNote || loss.noteID == nil
            }
            #expect(named, "page \(page)")
            let missing = written.damage.losses.contains { $0.kind == .attachment }
            #expect(try check(opened).problems.allSatisfy { missing && $0.kind == .attachmentMissing })
            try opened.end()
            if isLoss { told += 1 } else { harmless += 1 }
        }
        #expect(told > 1 && harmless > 1 && refused < 5, "\(told) \(harmless) \(refused)")
    }

    @Test(arguments: [SpareTable.noteKey, .attachment, .draft])
    func whatHasASecondCopyIsInTheBackup(table: SpareTable) throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let before = try full.contents(store)
        let root = try #require(
            try store.read {
                try Int.fetchOne(
                    $0.database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table.rawValue])
            })
        try store.end()
        try flip(full.vault.folder.path + "/index-1.db", at: (root - 1) * 4096 + 100)
        let damaged = try full.vault.open()
        let place = try BackupPlace()
        let written = try place.write(damaged)
        #expect(written.damage.pageCount == 1 && !written.damage.isOfRecords, "\(written.damage)")
        #expect(written.counts.drafts == 1 && written.counts.attachments == 3 && written.counts.noteKeyslots == 1)
        let snapshot = try #require(SnapshotName(written.name))
        #expect(try place.verify(snapshot, damaged).damage == written.damage)
        try damaged.end()
        _ = try place.restore(snapshot, pins: pins(place))
        let opened = try place.openRestored(pins: pins(place))
        let after = try full.contents(opened)
        #expect(after.notes == before.notes && after.attachments == before.attachments && after.drafts == before.drafts)
        #expect(try check(opened).problems.isEmpty)
        try opened.end()
    }

    @Test func aBackupNamesAnAttachmentThatDoesNotOpenAndHoldsTheRest() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let note = try store.notes.resolve("note 0 quokka")
        _ = try store.addAttachment("plan.pdf", [UInt8](repeating: 5, count: 3 << 20), to: note)
        let objects = full.vault.folder.path + "/objects/"
        let file = try #require(
            FileManager.default.subpathsOfDirectory(atPath: objects).first {
                // A folder has no content.
                (try? Data(contentsOf: URL(filePath: objects + $0)).count) ?? 0 > 3 << 20
            })
        try flip(objects + file, at: 2 << 20)
        let place = try BackupPlace()
        let written = try place.write(store)
        #expect(written.damage.losses == [.init(.attachment, note, title: "note 0 quokka", name: "plan.pdf")])
        #expect(written.damage.pageCount == 0 && written.counts.attachments == 3)
        #expect(try !place.files.contains { $0.hasSuffix(String(file.suffix(20))) })
        let snapshot = try #require(SnapshotName(written.name))
        #expect(try place.verify(snapshot, store).damage == written.damage)
        expect(.integrity) { try place.restore(snapshot, pins: pins(place)) }
        let restored = try place.restore(snapshot, salvaging: true, pins: pins(place))
        #expect(restored.damage == written.damage && restored.notes == 5)
        try store.end()
    }

    /// As a repair leaves it that has found a note and not what it names.
    @Test func aBackupNamesAnAttachmentThatHasNoRow() throws {
        let place = try BackupPlace()
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "kept"))
        let note = try store.notes.resolve("kept")
        let gone = try store.addAttachment("gone.bin", [1, 2, 3], to: note)
        _ = try store.addAttachment("here.bin", [4, 5, 6], to: note)
        try store.write { transaction in
            try transaction.database.execute(
                sql: "DELETE FROM attachment WHERE id = ?", arguments: [gone.id.bytes.blob])
        }
        let written = try place.write(store)
        let snapshot = try #require(SnapshotName(written.name))
        #expect(written.damage.losses.map(\.kind) == [.attachment] && written.damage.losses.first?.noteID == note)
        #expect(written.counts.attachments == 1)
        #expect(try place.verify(snapshot, store).damage == written.damage)
        try store.end()
    }

    /// The version that names it is a head, and not in the newest row: that one came from another device.
    @Test func aBackupNamesAnAttachmentOfAnyHeadThatHasNoRow() throws {
        var note: NoteID?
        let devices = try DeviceSet { note = try $0.notes.create(NoteDraft(body: "monday", title: "Plan")).id }
        let (store, id) = (devices[0], try #require(note))
        _ = try store.notes.edit(id) { $0.body = "tuesday" }
        let gone = try store.addAttachment("gone.bin", [1, 2, 3], to: id)
        _ = try devices[1].notes.edit(id) { $0.body = "friday" }
        try devices.tell(1, 0)
        #expect(try store.read { try $0.heads(of: id) }.count == 2)
        try store.write { transaction in
            try transaction.database.execute(
                sql: "DELETE FROM attachment WHERE id = ?", arguments: [gone.id.bytes.blob])
        }
        let place = try BackupPlace()
        let written = try place.write(store)
        let snapshot = try #require(SnapshotName(written.name))
        #expect(written.damage.losses.map(\.kind) == [.attachment] && written.damage.losses.first?.noteID == id)
        #expect(try place.verify(snapshot, store).damage == written.damage)
        try devices.end()
    }

    @Test func theLastGoodCopyOfAnObjectOutlivesTheSnapshotOfAVaultThatHasLostIt() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        _ = try store.addAttachment(
            "plan.pdf", [UInt8](repeating: 5, count: 3 << 20), to: store.notes.resolve("note 0 quokka"))
        let place = try BackupPlace()
        let older = try #require(SnapshotName(try place.write(store).name))
        let file = try #require(
            place.files.first {
                $0.hasPrefix("objects/") && ((try? Data(contentsOf: place.url($0)).count) ?? 0) > 3 << 20
            })
        let (own, kept) = (full.vault.folder.path + "/" + file, place.url(file))
        let whole = try Data(contentsOf: kept)
        // No snapshot that opens names it, as after one of a time when its row could not be read.
        let list = place.url("snapshots/" + older.text)
        let bytes = try Data(contentsOf: list)
        func writeUnknown() throws -> BackupWriter.Written {
            for name in try place.open().names() {
                try FileManager.default.removeItem(at: place.url("snapshots/" + name.text))
            }
            return try place.write(store)
        }
        try flip(own, at: 2 << 20)
        #expect(try writeUnknown().damage.isEmpty, "the backup's copy opens")
        #expect(try Data(contentsOf: kept) == whole)
        // One that does not open is not made worse by another that does not.
        try flip(kept.path, at: 1 << 20)
        #expect(try writeUnknown().damage.losses.map(\.kind) == [.attachment])
        #expect(try Data(contentsOf: kept).count == whole.count)
        try flip(kept.path, at: 1 << 20)
        #expect(try Data(contentsOf: kept) == whole)
        // A good one takes its place.
        try flip(own, at: 2 << 20)
        try flip(kept.path, at: 1 << 20)
        #expect(try writeUnknown().damage.isEmpty)
        #expect(try Data(contentsOf: kept) == whole)
        try bytes.write(to: list)
        unsafe chmod(list.path, 0o600)
        #expect(try place.verify(older, store).damage.isEmpty)
        try store.end()
    }

    @Test(arguments: [1, 2]) func aSnapshotVerifiesExactlyWhenItIsRestored(seed: Int) throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let place = try BackupPlace()
        let name = try #require(SnapshotName(try place.write(store).name))
        var random = SeededGenerator(UInt64(seed))
        var outcomes: Set<Bool> = []
        for file in try place.files where file.utf8.count > 20 {
            let url = URL(filePath: place.path + "/" + file)
            let whole = try Data(contentsOf: url)
            for change in 0..<3 {
                var bytes = whole
                // The third is no change: that too must be said alike.
                if change < 2 { bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 0x21 }
                try bytes.write(to: url)
                unsafe chmod(url.path, 0o600)
                let isVerified = (try? place.verify(name, store)) != nil
                let isRestored = (try? place.restore(name, pins: pins(place))) != nil
                #expect(isVerified == isRestored, "\(file)")
                outcomes.insert(isVerified)
                place.forgetRestored()
            }
            try whole.write(to: url)
            unsafe chmod(url.path, 0o600)
        }
        #expect(outcomes == [true, false])
        try store.end()
    }

    @Test func aDamagedNewestSnapshotIsNeverPassedOverInSilence() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let place = try BackupPlace()
        let older = try #require(SnapshotName(try place.write(store).name))
        let newest = try #require(SnapshotName(try place.write(store).name))
        try flip(place.path + "/snapshots/" + newest.text, at: 700)
        let verified = try SnapshotReader.verifyNewest(in: place.open(), store.backups.access) { _ in true }
        #expect(verified.name == older && verified.passedOver == [newest])
        let restored = try place.restore(nil, pins: pins(place))
        #expect(restored.snapshot?.name == older.text && restored.passedOver == [newest])
        #expect(try place.write(store).passedOver == [newest])
        try store.end()
    }

    @Test func aRestoreMakesWrongListsAgain() throws {
        let fixture = try CheckFixture()
        try fixture.change("UPDATE note SET title = 'wrong'")
        try fixture.change("DELETE FROM folded")
        try fixture.change("UPDATE state SET live = 99")
        let place = try BackupPlace()
        let written = try place.write(fixture.store)
        #expect(written.damage.isEmpty)
        try place.restore(SnapshotName(written.name), pins: pins(place))
        let opened = try place.openRestored(pins: pins(place))
        #expect(try check(opened).problems.isEmpty)
        #expect(try opened.notes.list(NoteFilter(), offset: 0, limit: 10).allSatisfy { $0.title != "wrong" })
        try opened.end()
        try fixture.store.end()
    }

    /// Rows of redo have numbers of at least 2⁶².
    @Test(.timeLimit(.minutes(1))) func rowsThatCannotBeReadArePassedOverInGrowingSteps() throws {
        let vault = try TestVault()
        let store = try vault.open()
        do {
            let (index, freeze) = try store.freeze()
            defer { _ = freeze }
            let redo = Int64(1) << 62
            let (numbers, hidden) = ([1, 2, 3, 9, 5000, redo, redo + 1, redo + 2], [2, 3, 5000, redo])
            func list(_ numbers: [Int64]) -> String { numbers.map { "(\($0))" }.joined(separator: ", ") }
            // SQLite ends the statement at each hidden one, as at a page that does not open.
            let select = """
                SELECT n, abs(CASE WHEN n IN (VALUES \(list(hidden))) THEN -9223372036854775808 ELSE n END)
                FROM (SELECT column1 AS n FROM (VALUES \(list(numbers)))) WHERE n >= ?
                """
            var (seen, asked): ([Int64], Int) = ([], 0)
            let isWhole = try TolerantRows(index) { asked += 1 }.forEach(select, by: "n", last: redo + 2) { row in
                seen.append(row["n"])
            }
            #expect(!isWhole && seen == numbers.filter { !hidden.contains($0) })
            #expect(asked > 4 && asked < 20_000)
            let rest = TolerantRows(index) { throw VaultError(.cancelled) }
            expect(.cancelled) { try rest.forEach(select, by: "n", last: redo + 2) { _ in } }
        }
        try store.end()
    }

    @Test func aListWithDamageHasOneEncodingAndOlderProgramsRefuseIt() throws {
        var list = SnapshotList(
            made: 1, generation: 2, counts: ArchiveCounts(), manifest: [1], indexByteCount: 0)
        #expect(list.encoded.prefix(2) == [0, 1])
        list.damage.pageCount = 3
        list.damage.add(.init(.attachment, try NoteID(Array(1...10)), title: "Garden", name: "plan.pdf"))
        list.damage.add(.init(.draft, nil))
        #expect(list.encoded.prefix(2) == [0, 2])
        #expect(try SnapshotList(parsing: list.encoded) == list)
        for count in 0..<list.encoded.count {
            #expect(throws: FormatError.self) { try SnapshotList(parsing: Array(list.encoded.prefix(count))) }
        }
        // Nothing lost is said by version 1 alone.
        var empty = SnapshotList(made: 1, generation: 2, counts: ArchiveCounts(), manifest: [1], indexByteCount: 0)
            .encoded
        empty[1] = 2
        #expect(throws: FormatError.self) { try SnapshotList(parsing: empty + [UInt8](repeating: 0, count: 32)) }
    }
}
