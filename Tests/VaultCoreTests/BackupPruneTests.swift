// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultTesting
import VaultFormat

@testable import VaultCore

/// Snapshots that are removed by rules: which, in what order, and what is left after a crash.
struct BackupPruneTests {
    private static let day: Int64 = 86_400_000

    /// Another way to the same answer: a calendar's words for each period, and the last of each.
    private func model(_ rules: KeepRules, _ names: [SnapshotName]) throws -> Set<String> {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let fields: [(Int, (DateComponents) -> String)] = [
            (rules.daily, { "\($0.year ?? 0)-\($0.month ?? 0)-\($0.day ?? 0)" }),
            (rules.weekly, { "\($0.yearForWeekOfYear ?? 0)w\($0.weekOfYear ?? 0)" }),
            (rules.monthly, { "\($0.year ?? 0)-\($0.month ?? 0)" }), (rules.yearly, { "\($0.year ?? 0)" }),
        ]
        var kept = Set(names.map(\.text).sorted().suffix(rules.last))
        for (count, word) in fields {
            var last: [String: String] = [:]
            for name in names.map(\.text).sorted() {
                let seconds = Double(SnapshotStamp.milliseconds(try #require(SnapshotName(name)))) / 1000
                let parts = calendar.dateComponents(
                    [.year, .month, .day, .weekOfYear, .yearForWeekOfYear], from: Date(timeIntervalSince1970: seconds))
                last[word(parts)] = name
            }
            kept.formUnion(last.values.sorted().suffix(count))
        }
        return kept
    }

    @Test func rulesKeepTheLastOfEachPeriod() throws {
        var random = SeededGenerator(7)
        for _ in 0..<200 {
            let names = try (0..<Int.random(in: 1...60, using: &random)).map { number in
                let made = Int64.random(in: 0..<(900 * Self.day), using: &random) + 1_600_000_000_000
                let id = [UInt8](repeating: UInt8(number), count: 4)
                return try #require(SnapshotName(made: SnapshotStamp.text(made), id: id))
            }
            var rules = KeepRules()
            (rules.last, rules.daily) = (Int.random(in: 0...3, using: &random), Int.random(in: 0...9, using: &random))
            (rules.weekly, rules.monthly) = (
                Int.random(in: 0...9, using: &random), Int.random(in: 0...9, using: &random)
            )
            rules.yearly = Int.random(in: 0...3, using: &random)
            #expect(rules.kept(of: names) == (try model(rules, names)))
        }
    }

    /// Five snapshots, a day apart, each with a file of its own.
    private func place(_ store: OpenVault) throws -> BackupPlace {
        let place = try BackupPlace()
        for day in 0..<5 {
            let note = try store.notes.create(NoteDraft(body: "of day \(day)")).id
            _ = try store.addAttachment("a", [UInt8](repeating: UInt8(day), count: 5000), to: note)
            _ = try place.write(store, made: 1_700_000_000_000 + Int64(day) * Self.day)
            _ = try store.notes.setTrashed(note, true)
            _ = try store.notes.purgeTrash(limit: 10)
        }
        return place
    }

    private var two: KeepRules {
        var rules = KeepRules()
        rules.last = 2
        return rules
    }

    @Test func onlyWhatNoSnapshotNeedsIsRemoved() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let place = try place(store)
        let before = try place.files
        let trial = try BackupPrune.run(place.open(), store.backups.access, two, isTrial: true)
        #expect(try place.files == before && trial.removed.count == 3 && trial.freedByteCount > 0)
        let pruned = try BackupPrune.run(place.open(), store.backups.access, two)
        #expect(pruned == trial && pruned.newestWhole == pruned.kept.last && !pruned.newestIsDamaged)
        #expect(try place.open().names() == pruned.kept)
        for name in pruned.kept { _ = try place.verify(name, store) }
        // What is left is what the two name, and nothing else.
        let named = try pruned.kept.flatMap { name in
            let list = try SnapshotReader(place.open(), name, store.backups.access).list
            return list.pieces.map(BackupFolder.hex) + list.drafts.map { BackupFolder.hex($0.digest) }
                + list.objects.map(\.name.hex)
        }
        let left = try place.files.filter { $0.utf8.count > 60 }.map { String($0.suffix(64)) }
        #expect(Set(left) == Set(named))
        #expect(try BackupPrune.run(place.open(), store.backups.access, two).fileCount == 0)
        try store.end()
    }

    @Test func aPruneThatEndsAnywhereLeavesWholeSnapshotsAndTheNextOneEndsIt() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let master = try place(store)
        let wanted = try BackupPrune.run(master.open(), store.backups.access, two, isTrial: true)
        for end in stride(from: 0, to: wanted.fileCount, by: max(1, wanted.fileCount / 12)) {
            let place = try BackupPlace()
            try FileManager.default.removeItem(atPath: place.path)
            try FileManager.default.copyItem(atPath: master.path, toPath: place.path)
            expect(.cancelled) {
                try BackupPrune.run(place.open(), store.backups.access, two) { $0 < UInt64(end) }
            }
            for name in try place.open().names() { _ = try place.verify(name, store) }
            _ = try BackupPrune.run(place.open(), store.backups.access, two)
            #expect(try place.open().names() == wanted.kept)
            #expect(
                try place.files.count { $0.utf8.count > 60 } == master.files.count { $0.utf8.count > 60 }
                    - wanted.fileCount + wanted.removed.count)
        }
        try store.end()
    }

    @Test func aSnapshotThatDoesNotOpenKeepsEveryPieceAndTheNewestThatOpensStays() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let place = try place(store)
        let names = try place.open().names()
        let newest = URL(filePath: place.path + "/snapshots/" + names[4].text)
        var bytes = try Data(contentsOf: newest)
        bytes[700] ^= 1
        try bytes.write(to: newest)
        unsafe chmod(newest.path, 0o600)
        let pieces = try place.files.filter { $0.utf8.count > 60 }
        var rules = KeepRules()
        rules.yearly = 1
        let pruned = try BackupPrune.run(place.open(), store.backups.access, rules)
        #expect(pruned.kept == [names[3]] && pruned.unreadable == [names[4]] && pruned.keepsPieces)
        #expect(try place.files.filter { $0.utf8.count > 60 } == pieces)
        try store.end()
    }

    /// A list that opens says nothing of the files that it names.
    @Test func aNewestSnapshotWhoseFilesAreDamagedCostsNoOlderOne() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let place = try place(store)
        let names = try place.open().names()
        func pieces(_ name: SnapshotName) throws -> Set<String> {
            Set(try SnapshotReader(place.open(), name, store.backups.access).list.pieces.map(BackupFolder.hex))
        }
        let own = try #require(try pieces(names[4]).subtracting(pieces(names[3])).first)
        let path = place.path + "/" + (try #require(place.files.first { $0.hasSuffix(own) }))
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[700] ^= 1
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        try handle.write(contentsOf: bytes)
        try handle.close()
        var rules = KeepRules()
        rules.last = 1
        let pruned = try BackupPrune.run(place.open(), store.backups.access, rules)
        #expect(pruned.broken == [names[4]] && pruned.newestWhole == names[3] && !pruned.newestIsDamaged)
        #expect(pruned.kept == [names[3], names[4]])
        _ = try place.verify(names[3], store)
        try store.end()
    }

    /// Adds an attachment to the vault whose file does not open.
    private func damage(_ full: RotatingVault, _ store: OpenVault) throws {
        let note = try store.notes.create(NoteDraft(body: "with a plan")).id
        _ = try store.addAttachment("plan.pdf", [UInt8](repeating: 5, count: 3 << 20), to: note)
        let objects = full.vault.folder.path + "/objects/"
        for file in try FileManager.default.subpathsOfDirectory(atPath: objects) {
            // A folder has no content.
            guard var bytes = try? Data(contentsOf: URL(filePath: objects + file)), bytes.count > 3 << 20 else {
                continue
            }
            bytes[2 << 20] ^= 1
            let handle = try FileHandle(forUpdating: URL(filePath: objects + file))
            try handle.write(contentsOf: bytes)
            try handle.close()
        }
    }

    @Test func theNewestWholeSnapshotStaysBehindThoseOfADamagedVault() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let place = try BackupPlace()
        var names: [SnapshotName] = []
        for day in 0..<5 {
            if day == 2 { try damage(full, store) }
            let written = try place.write(store, made: 1_700_000_000_000 + Int64(day) * Self.day)
            #expect(written.damage.isOfRecords == (day >= 2))
            names.append(try #require(SnapshotName(written.name)))
        }
        var rules = KeepRules()
        rules.last = 1
        let pruned = try BackupPrune.run(place.open(), store.backups.access, rules)
        #expect(pruned.kept == [names[1], names[4]] && pruned.newestWhole == names[1] && pruned.newestIsDamaged)
        #expect(try place.verify(names[1], store).damage.isEmpty)
        // Without a whole one that is said too.
        try FileManager.default.removeItem(atPath: place.path + "/snapshots/" + names[1].text)
        let left = try BackupPrune.run(place.open(), store.backups.access, rules)
        #expect(left.kept == [names[4]] && left.newestWhole == nil && left.newestIsDamaged)
        try store.end()
    }

    @Test func nothingIsRemovedWhileAnotherBackupRuns() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let place = try place(store)
        let other = try place.open()
        try other.lock(forWriting: false)
        expect(.backupBusy) { try BackupPrune.run(place.open(), store.backups.access, two) }
        #expect(try place.open().names().count == 5)
        _ = other
        try store.end()
    }
}
