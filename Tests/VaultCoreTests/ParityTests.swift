// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing
import VaultFormat
import VaultTesting

@testable import VaultCore

/// A backup with parity that something happens to.
private final class CoveredBackup {
    let full: RotatingVault
    let place: BackupPlace
    let store: OpenVault
    private let percent: Int
    private(set) var written: [BackupWriter.Written] = []

    init(percent: Int = 10, snapshots: Int = 1) throws {
        full = try RotatingVault(notes: 6)
        store = try full.vault.open()
        place = try BackupPlace()
        self.percent = percent
        for number in 0..<snapshots {
            if number > 0 { _ = try store.notes.create(NoteDraft(body: "of snapshot \(number)")) }
            try write()
        }
    }

    /// One more snapshot, a day after the one before.
    func write() throws {
        let (index, freeze) = try store.freeze()
        let made = 1_700_000_000_000 + Int64(written.count) * 86_400_000
        written.append(try BackupWriter.write(index, to: place.open(), made: made, parity: percent) { _ in true })
        _ = freeze
    }

    deinit { try? store.end() }

    func paths() throws -> [String] {
        try place.files.map { place.path + "/" + $0 }.filter { path in
            var isFolder: ObjCBool = false
            return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }

    func contents() throws -> [String: Data] {
        Dictionary(uniqueKeysWithValues: try paths().map { ($0, try Data(contentsOf: URL(filePath: $0))) })
    }

    func mend(isTrial: Bool = false) throws -> ParityMend.Mended {
        try ParityMend.run(place.open(), isTrial: isTrial)
    }

    func verify() throws { _ = try place.verify(#require(SnapshotName(written[written.count - 1].name)), store) }
}

/// Writes in place, as a scratched disk would.
private func damage(_ path: String, at offset: Int, count: Int) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    defer { try? file.close() }
    let end = Int(try file.seekToEnd())
    guard offset < end else { return }
    try file.seek(toOffset: UInt64(offset))
    let old = try file.read(upToCount: min(count, end - offset)) ?? Data()
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(old.map { $0 ^ 0xA5 }))
}

private func put(_ bytes: Data, _ path: String) throws {
    try bytes.write(to: URL(filePath: path))
    unsafe chmod(path, 0o600)
}

/// Damaged backups that come back from their parity, and those that cannot.
@Suite(.serialized) struct ParityTests {
    @Test func aWholeBackupIsWholeAndAllOfItIsCovered() throws {
        let backup = try CoveredBackup(snapshots: 2)
        let before = try backup.contents()
        let found = try backup.mend()
        #expect(found.mended.isEmpty && found.lost.isEmpty && found.lostParity.isEmpty && found.uncovered == 0)
        #expect(found.parityFiles == 2 && found.checkedFiles == before.count - 2)
        #expect(try backup.contents() == before)
        // What the first one covers is not covered again.
        let parity = try #require(backup.written[1].parity)
        #expect(parity.failure == nil && parity.files < found.checkedFiles && parity.files > 0)
        try backup.verify()
    }

    @Test func aHoleOf4KiBAnywhereIsMended() throws {
        let backup = try CoveredBackup()
        let before = try backup.contents()
        for (number, path) in before.keys.sorted().enumerated() {
            let count = before[path]?.count ?? 0
            // Every file, at places that are no block's begin, and at both ends.
            for offset in Set([0, (number * 1237) % max(1, count), max(0, count - 4096)]) {
                try damage(path, at: offset, count: 4096)
                let trial = try backup.mend(isTrial: true)
                #expect(trial.mended.count + trial.mendedParity.count == 1, "\(path) at \(offset)")
                let mended = try backup.mend()
                #expect(mended == trial, "\(path) at \(offset)")
                #expect(try backup.contents() == before, "\(path) at \(offset)")
            }
        }
        try backup.verify()
    }

    @Test func aFileThatIsGoneOrCutOrTooLongComesBack() throws {
        let backup = try CoveredBackup(percent: 50)
        let before = try backup.contents()
        let victims = before.keys.filter { !$0.contains("/parity/") }
        for path in victims {
            try FileManager.default.removeItem(atPath: path)
            #expect(try backup.mend().mended.map(\.wasMissing) == [true], "\(path)")
            #expect(try backup.contents() == before)
        }
        let path = try #require(victims.filter { $0.contains("/objects/") }.min())
        let whole = try #require(before[path])
        try put(whole.dropLast(5000), path)
        #expect(try backup.mend().mended.count == 1)
        #expect(try backup.contents() == before)
        try put(whole + Data([1]), path)
        #expect(try backup.mend().mended.map(\.damagedBlocks) == [0])
        #expect(try backup.contents() == before)
        try backup.verify()
    }

    @Test func moreDamageThanParityIsSaidAndNothingIsChanged() throws {
        let backup = try CoveredBackup()
        let objects = try backup.paths().filter { $0.contains("/objects/") }
        for path in objects { try damage(path, at: 0, count: 100_000) }
        let before = try backup.contents()
        let found = try backup.mend()
        #expect(found.mended.isEmpty && found.lost.count == objects.count)
        #expect(try backup.contents() == before)
    }

    @Test func anyRowsUpToTheNumberOfParityComeBack() throws {
        try ReedSolomon.load()
        var random = SeededGenerator(31)
        for _ in 0..<60 {
            let rows = Int.random(in: 1...120, using: &random)
            let parity = Int.random(in: 1...60, using: &random)
            let data = (0..<rows * 64).map { _ in UInt8.random(in: 0...255, using: &random) }
            let coded = try ReedSolomon.encode(data, dataRows: rows, parityRows: parity, byteCount: 64)
            let all = data + coded
            let gone = (0..<rows + parity).shuffled(using: &random).prefix(parity)
            let lost = gone.filter { $0 < rows }.sorted()
            guard !lost.isEmpty else { continue }
            let present = (0..<rows + parity).filter { !gone.contains($0) }.prefix(rows)
            let rebuilt = try ReedSolomon.rebuild(
                lost, of: present.flatMap { all[$0 * 64..<($0 + 1) * 64] }, present: Array(present),
                parityRows: parity, byteCount: 64)
            #expect(rebuilt == lost.flatMap { data[$0 * 64..<($0 + 1) * 64] })
        }
    }

    @Test func aPruneReplacesParityOfWhatGoesAndRefusesToBuryDamage() throws {
        let backup = try CoveredBackup(snapshots: 2)
        // The draft is in the two older snapshots: the newest is whole without it.
        let draft = try #require(backup.store.drafts.all().first)
        let name = try #require(SnapshotName(backup.written[1].name))
        let list = try SnapshotReader(backup.place.open(), name, backup.store.backups.access).list
        let digest = try #require(list.drafts.first).digest
        try backup.store.drafts.forget(draft.id)
        try backup.write()
        let piece = try #require(backup.paths().first { $0.hasSuffix(BackupFolder.hex(digest)) })
        try damage(piece, at: 10, count: 10)
        let before = try backup.contents()
        var rules = KeepRules()
        rules.last = 2
        expect(.parityDamaged) { try BackupPrune.run(backup.place.open(), backup.store.backups.access, rules) }
        #expect(try backup.contents() == before)
        _ = try backup.mend()
        rules.last = 1
        let pruned = try BackupPrune.run(backup.place.open(), backup.store.backups.access, rules)
        #expect(pruned.removed.count == 2)
        let found = try backup.mend()
        #expect(found.mended.isEmpty && found.lost.isEmpty && found.uncovered == 0)
        #expect(found.checkedFiles == (try backup.paths().count { !$0.contains("/parity/") }))
        try backup.verify()
    }

    @Test func aPruneRemovesNothingWhileWhatEverySnapshotNeedsIsDamaged() throws {
        let backup = try CoveredBackup(snapshots: 3)
        try damage(#require(backup.paths().first { $0.contains("/objects/") }), at: 100, count: 10)
        let before = try backup.contents()
        var rules = KeepRules()
        rules.last = 1
        let pruned = try BackupPrune.run(backup.place.open(), backup.store.backups.access, rules)
        #expect(pruned.removed.isEmpty && pruned.broken.count == 3)
        #expect(try backup.contents() == before)
    }

    @Test func aSnapshotThatItsOwnerRemovedByHandIsForgottenByThePrune() throws {
        let backup = try CoveredBackup(snapshots: 2)
        try FileManager.default.removeItem(atPath: backup.place.path + "/snapshots/" + backup.written[0].name)
        var rules = KeepRules()
        rules.last = 2
        _ = try BackupPrune.run(backup.place.open(), backup.store.backups.access, rules)
        #expect(try backup.mend().mended.isEmpty)
        #expect(try backup.place.open().names().count == 1)
        try backup.verify()
    }

    @Test func anArchiveIsMendedFromTheFileBesideIt() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "parity-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SeededGenerator(7)
        let bytes = Data((0..<300_001).map { _ in UInt8.random(in: 0...255, using: &random) })
        let path = folder.path + "/notes.vault"
        try bytes.write(to: URL(filePath: path))
        let opened = unsafe Glibc.open(folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(opened) }
        let size = try ArchiveParity.write(of: "notes.vault", in: opened, percent: 10) { _ in true }
        #expect(size > 30_000 && size < 60_000)
        #expect(try parityProgram("archive", path).contains("1 parity file"))
        for offset in stride(from: 0, to: bytes.count, by: 37_001) {
            try damage(path, at: offset, count: 4096)
            #expect(try ParityMend.run(archive: "notes.vault", in: opened).mended.count == 1)
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        }
        expect(.notOurs) { try ParityMend.run(archive: "../notes.vault", in: opened) }
        expect(.noParity) { try ParityMend.run(archive: "other", in: opened) }
    }

    @Test(arguments: [1, 10, 100]) func aSecondProgramMakesTheSameParity(percent: Int) throws {
        let backup = try CoveredBackup(percent: percent, snapshots: 2)
        #expect(try parityProgram("backup", backup.place.path).contains("2 parity files"))
    }

    private func parityProgram(_ arguments: String...) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", Repository.root.appending(path: "Tests/Parity/parity.py").path] + arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text
    }

    // MARK: Parity that lies

    @Test func noBytesOfAParityFileTrapOrChangeWhatIsWhole() throws {
        let backup = try CoveredBackup()
        let parity = try #require(backup.paths().first { $0.contains("/parity/") })
        let whole = try #require(backup.contents()[parity])
        let before = try backup.contents().filter { $0.key != parity }
        var random = SeededGenerator(99)
        for round in 0..<150 {
            var bytes = whole
            if round % 3 == 0 { bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &random)) }
            let area = round % 2 == 0 ? min(bytes.count, 200) : bytes.count
            for _ in 0..<(area > 0 ? Int.random(in: 1...8, using: &random) : 0) {
                let at = Int.random(in: 0..<area, using: &random)
                bytes[at] = UInt8.random(in: 0...255, using: &random)
                // Both ends alike.
                if round % 4 == 0 { bytes[bytes.count - 1 - at] = 0xFF }
            }
            try put(bytes, parity)
            _ = try? backup.mend()
            #expect(try backup.contents().filter { !$0.key.contains("/parity/") } == before)
            try put(whole, parity)
        }
    }

    @Test func aTableThatLiesOfAPieceDoesNotReplaceIt() throws {
        let backup = try CoveredBackup(percent: 100)
        let name = try #require(backup.paths().first { $0.contains("/parity/") })
        let place = ParityPlace(.backup(try backup.place.open().directory))
        var table = try #require(ParityFile(String(name.suffix(64)), in: place)).table
        // Another file's worth of checksums for the first piece, with heads that fit.
        for at in 0..<16 { table.dataChecks[at] ^= 1 }
        let encoded = table.encoded
        let (_, head) = try ParityFile.head(of: encoded)
        var bytes = try Data(contentsOf: URL(filePath: name))
        bytes.replaceSubrange(0..<64 + encoded.count, with: head + encoded)
        bytes.replaceSubrange(bytes.count - 64 - encoded.count..<bytes.count, with: encoded + head)
        try put(bytes, name)
        let before = try backup.contents()
        let found = try backup.mend()
        #expect(found.mended.isEmpty)
        #expect(try backup.contents().filter { $0.key != name } == before.filter { $0.key != name })
        try backup.verify()
    }

    @Test func tablesOfOtherShapesAreRefused() throws {
        let files = [ParityTable.File(name: .piece([UInt8](repeating: 3, count: 32)), byteCount: 70_000)]
        let table = try #require(ParityTable(percent: 10, blockByteCount: 4096, files: files))
        let bytes = table.encoded
        #expect(try ParityTable(parsing: bytes) == table)
        for at in 0..<17 {
            var other = bytes
            other[at] ^= 1
            let parsed = try? ParityTable(parsing: other)
            #expect(parsed == nil || parsed?.percent != 10, "\(at)")
        }
        for other in [bytes + [0], Array(bytes.dropLast())] { #expect((try? ParityTable(parsing: other)) == nil) }
        #expect(ParityTable(percent: 10, blockByteCount: 4096, files: files + files) == nil)
        #expect(ParityTable(percent: 0, blockByteCount: 4096, files: files) == nil)
        let empty = [ParityTable.File(name: .archive, byteCount: 0)]
        #expect(ParityTable(percent: 10, blockByteCount: 4096, files: empty) == nil)
        for percent in 1...100 {
            for blocks in [1, 2, 100, 231, 232, 5000, 32_768] {
                let file = ParityTable.File(name: .archive, byteCount: UInt64(blocks) * 4096)
                let shape = try #require(ParityTable(percent: percent, blockByteCount: 4096, files: [file])).shape
                #expect(shape.dataRows + shape.parityRows <= 255 && shape.dataRows * shape.columns >= blocks)
                #expect(shape.parityRows >= 2 && shape.parityRows * 100 >= shape.dataRows * percent)
            }
        }
    }
}
