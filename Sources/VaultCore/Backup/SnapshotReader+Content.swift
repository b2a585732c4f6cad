// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import SealedSQLite
internal import VaultCrypto
public import VaultFormat

extension SnapshotDamage {
    /// Whether anything lost cannot be rebuilt: lost pages alone may be of lists.
    public var isOfRecords: Bool { lossCount > 0 || entryCount > 0 || changeCount > 0 }
}

/// This extension reads what is in a snapshot. `verify`, `restore` and a drill read it with the same code, and differ
/// in where it goes.
extension SnapshotReader {
    /// Puts the index together from its pieces, each of which has its digest: in memory, or where that is too small in
    /// a file without a name in the backup's folder. It is sealed as in the vault.
    ///
    /// - Parameter salvaging: a piece that is missing or another is no reason to stop; its pages do not open then.
    /// - Throws: `VaultError.integrity`, `.saveFailed` without memory.
    func index(salvaging: Bool = false, goesOn: (UInt64) -> Bool) throws -> FrozenIndex {
        let fits = list.indexByteCount < Machine.memoryByteCount / 4
        let memory = fits ? vs_memory_file() : vs_open_unnamed(folder.directory.descriptor)
        guard memory >= 0 else { throw VaultError(.saveFailed) }
        do { try writeIndex(to: memory, salvaging: salvaging, goesOn: goesOn) } catch {
            close(memory)
            throw error
        }
        return try FrozenIndex(reading: memory, folder.directory, header, keys)
    }

    func writeIndex(to target: Int32, salvaging: Bool = false, goesOn: (UInt64) -> Bool) throws {
        var done: UInt64 = 0
        for digest in list.pieces {
            let wanted = min(UInt64(SnapshotList.pieceByteCount), list.indexByteCount - done)
            var piece: [UInt8]
            do throws(VaultError) { piece = try folder.piece(digest, byteCountMax: SnapshotList.pieceByteCount) } catch
            {
                guard salvaging else { throw error }
                piece = folder.pieceAsItIs(digest, byteCountMax: SnapshotList.pieceByteCount)
                let missing = max(0, Int(wanted) - piece.count)
                piece = Array(piece.prefix(Int(wanted))) + [UInt8](repeating: 0, count: missing)
            }
            guard UInt64(piece.count) == wanted else { throw VaultError(.integrity) }
            guard unsafe piece.withUnsafeBytes({ unsafe vs_write_whole(target, $0.baseAddress, $0.count) }) == 0 else {
                throw VaultDirectory.failure()
            }
            done += wanted
            guard goesOn(done) else { throw VaultError(.cancelled) }
        }
    }

    /// A `Verified` is a snapshot that can be restored.
    public struct Verified: Sendable {
        public let name: SnapshotName
        /// Milliseconds since 1970, UTC.
        public let made: Int64
        public let counts: ArchiveCounts
        /// What it lacks, as its list says: nothing, unless it is the copy of a damaged vault.
        public let damage: SnapshotDamage
        /// Newer ones, when the newest was asked for, that cannot be restored.
        public let passedOver: [SnapshotName]
    }

    /// Does everything that a restore does except writing: opens everything, and compares with what the snapshot says
    /// that it holds.
    ///
    /// - Throws: `VaultError.integrity` when anything is altered, missing but not listed as missing, or not as
    ///   many; `.cancelled`.
    public func verify(goesOn: @escaping (UInt64) -> Bool) throws -> Verified {
        let damage = try FrozenIndex.mapped { try opened(index(goesOn: goesOn), goesOn: goesOn) }
        return Verified(name: name, made: made, counts: list.counts, damage: damage, passedOver: passedOver)
    }

    /// Finds the newest snapshot that can be restored.
    ///
    /// - Parameter begins: called with the size of each snapshot that is tried.
    /// - Throws: as `verify` for the newest when none can.
    public static func verifyNewest(
        in folder: BackupFolder, _ access: Access, begins: (UInt64) -> Void = { _ in },
        goesOn: @escaping (UInt64) -> Bool
    ) throws -> Verified {
        var failure: (any Error)?
        var passedOver: [SnapshotName] = []
        for name in try folder.names().reversed() {
            do {
                let snapshot = try SnapshotReader(folder, name, access, passedOver: passedOver)
                begins(snapshot.byteCount)
                return try snapshot.verify(goesOn: goesOn)
            } catch let error as VaultError where [.integrity, .newerFormat, .costOutOfRange].contains(error.code) {
                passedOver.append(name)
                failure = failure ?? error
            } catch let error as VaultError where [.oldKey, .otherVault].contains(error.code) {
                failure = failure ?? error
            }
        }
        throw failure ?? VaultError(.noSnapshot)
    }

    /// Returns what a vault that is made of it will lack.
    ///
    /// - Throws: `VaultError.integrity` for damage that reaches records, unless that is `salvaging`.
    func damage(of index: FrozenIndex, salvaging: Bool, goesOn: @escaping (UInt64) -> Bool) throws -> SnapshotDamage {
        do {
            let damage = try opened(index, goesOn: goesOn)
            guard salvaging || !damage.isOfRecords else { throw VaultError(.integrity) }
            return damage
        } catch let error as VaultError where error.code == .integrity && salvaging {
            let survey = try survey(index, goesOn: goesOn)
            return survey.damage(pageCount: index.damagedPageCount())
        }
    }

    /// Opens everything in the snapshot and compares it with what the snapshot says that it holds.
    ///
    /// - Parameter next: gets all of it too.
    func opened(
        _ index: FrozenIndex, to next: (any ArchiveSink)? = nil, goesOn: @escaping (UInt64) -> Bool
    ) throws -> SnapshotDamage {
        let pageCount = index.damagedPageCount()
        let sink = CountingSink(
            begin: list.indexByteCount,
            ItemCheck(device: index.state.device, hasOthers: true, isOfSalvage: list.damage.isOfRecords), to: next,
            goesOn)
        let file = ManifestFile(folder.directory, keys: keys, header: header)
        guard index.state.generation == list.generation, let manifest = file.opened(list.manifest), !manifest.isOpen,
            manifest.generation == list.generation, UInt64(manifest.pageCount) * 4096 == list.indexByteCount
        else { throw VaultError(.integrity) }
        let source = ArchiveSource(index, to: sink, drafts: draftFiles())
        var damage = list.damage
        // One that was made before pages were opened for it may have damaged lists and not know it.
        damage.pageCount = UInt32(clamping: pageCount)
        if damage.isEmpty {
            try source.run(made: list.made)
        } else {
            // What lay on a damaged page may have a second copy.
            let survey = try survey(index, goesOn: goesOn)
            guard survey.damage(pageCount: pageCount) == damage else { throw VaultError(.integrity) }
            try source.run(survey, made: list.made)
        }
        guard source.counts == list.counts, source.objects == list.objects else { throw VaultError(.integrity) }
        return damage
    }

    /// Gives all of it, or what opens of it, to a vault that is made of it.
    func give(_ index: FrozenIndex, isWhole: Bool, to sink: any ArchiveSink) throws {
        let source = ArchiveSource(index, to: sink, drafts: draftFiles())
        guard !isWhole else { return try source.run(made: list.made) }
        try source.run(survey(index) { _ in true }, made: list.made)
    }

    private func survey(_ index: FrozenIndex, goesOn: @escaping (UInt64) -> Bool) throws -> IndexSurvey {
        let survey = try IndexSurvey(index, draftFiles: draftFiles()) {
            guard goesOn(self.list.indexByteCount) else { throw VaultError(.cancelled) }
        }
        try survey.tryFiles()
        return survey
    }

    func draftFiles() -> (DraftID) throws -> [UInt8]? {
        let digests = Dictionary(list.drafts.map { ($0.id, $0.digest) }) { first, _ in first }
        return { [folder] id in
            try digests[id].map { try folder.piece($0, byteCountMax: ArchivedDraft.journalByteCountMax) }
        }
    }
}

extension FrozenIndex {
    /// Counts the pages that do not open, free ones too.
    func damagedPageCount() -> Int {
        let storage = database.storage
        var count = 0
        for first in stride(from: UInt32(1), through: storage.pageCount, by: 256) {
            let pages = min(256, Int(storage.pageCount - first) + 1)
            count += storage.checkedPages(from: first, count: pages).damaged.count
        }
        return count
    }
}

/// A `CountingSink` takes everything, checks it as a vault that is made of it would, and keeps nothing; what comes
/// after it may.
private final class CountingSink: ArchiveSink {
    private var done: UInt64
    private let goesOn: (UInt64) -> Bool
    private var check: ItemCheck
    private let next: (any ArchiveSink)?
    private var asked: UInt64 = 0
    private var steps = 0

    init(
        begin: UInt64, _ check: ItemCheck, to next: (any ArchiveSink)?, _ goesOn: @escaping (UInt64) -> Bool
    ) {
        done = begin
        self.check = check
        self.next = next
        self.goesOn = goesOn
    }

    func take(_ item: ArchiveItem) throws {
        try check.take(item)
        if case .end = item { try check.end() }
        try next?.take(item)
        try step(0)
    }

    func take(_ content: UnsafeRawBufferPointer) throws {
        try unsafe next?.take(content)
        try step(content.count)
    }

    /// Counts the bytes and asks now and then whether to go on, not for each of a hundred thousand items.
    private func step(_ byteCount: Int) throws {
        done += UInt64(byteCount)
        steps += 1
        guard done >= asked + 1 << 20 || steps % 1000 == 0 else { return }
        asked = done
        guard goesOn(done) else { throw VaultError(.cancelled) }
    }
}
