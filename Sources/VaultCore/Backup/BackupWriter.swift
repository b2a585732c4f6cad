// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import GRDB
internal import Glibc
internal import SealedSQLite
internal import VaultCrypto
public import VaultFormat

/// A `BackupWriter` makes a snapshot in a backup's folder: it copies what is not there yet, and nothing but sealed
/// bytes. It may run on any thread.
///
/// Order: pieces, objects and drafts; then all of that on disk; then the snapshot's own file, which counts only whole.
/// Spec: docs/format.md §22.
public final class BackupWriter {
    /// `Written` says what was done.
    public struct Written: Sendable {
        public var name: String
        /// Milliseconds since 1970, UTC.
        public var made: Int64
        public var counts: ArchiveCounts
        public var addedByteCount: UInt64 = 0
        public var totalByteCount: UInt64 = 0
        /// Snapshots that open with a key which `rotate` has replaced.
        public var olderEpochCount = 0
        /// Whether nothing could be reused: this is the first snapshot, or the first after a rotation.
        public var isFull: Bool
        /// What did not open in the vault and is not in the snapshot.
        public var damage = SnapshotDamage()
        /// Newer snapshots of this key than the newest that opens.
        public var passedOver: [SnapshotName] = []
        /// What was done for parity; nil when none was wanted.
        public var parity: WrittenParity?
    }

    private let index: FrozenIndex
    private let folder: BackupFolder
    private let goesOn: (UInt64) -> Bool
    private var list: SnapshotList
    private var knownPieces: Set<[UInt8]> = []
    private var knownObjects: Set<ObjectName> = []
    private var added: UInt64 = 0
    private var done: UInt64 = 0
    private var takenOver = 0
    private var asked: UInt64 = 0
    private var passedOver: [SnapshotName] = []
    private var damagedPageCount = 0
    /// Made when something does not open.
    private var survey: IndexSurvey?
    private var lostFiles: [AttachmentRecord] = []
    private var lostDraft = false

    private init(_ index: FrozenIndex, _ folder: BackupFolder, made: Int64, _ goesOn: @escaping (UInt64) -> Bool) throws
    {
        self.index = index
        self.folder = folder
        self.goesOn = goesOn
        let manifest = Manifest(
            generation: index.state.generation, pageCount: index.database.storage.pageCount,
            logSalt: try SecureRandom.bytes(Manifest.logSaltByteCount), syncedByteCount: 0, isOpen: false)
        let sealed = try ManifestFile(index.directory, keys: index.layer.keys, header: index.header).sealed(
            manifest.naming(index.header))
        list = SnapshotList(
            made: made, generation: index.state.generation, counts: ArchiveCounts(), manifest: sealed,
            indexByteCount: index.byteCount)
    }

    /// Writes a snapshot of an index into a backup's folder.
    ///
    /// - Parameters:
    ///   - made: when, in milliseconds since 1970, UTC.
    ///   - parity: percent of what is copied; nil writes none.
    ///   - goesOn: told how many bytes were looked at; false ends the work, and nothing of it is a snapshot.
    /// - Throws: `VaultError.exists`, `.notOurs`, `.readOnly`, `.saveFailed`, `.integrity`, `.cancelled`.
    public static func write(
        _ index: FrozenIndex, to folder: BackupFolder, made: Int64, parity: Int? = nil,
        goesOn: @escaping (UInt64) -> Bool
    ) throws -> Written {
        try FrozenIndex.mapped {
            if parity != nil { try ReedSolomon.load() }
            try folder.lock(forWriting: true)
            try folder.requireBackup()
            let writer = try BackupWriter(index, folder, made: made, goesOn)
            var written = try writer.run()
            // The snapshot counts from now on, whatever becomes of its parity.
            written.parity = parity.map { WrittenParity(of: folder, percent: $0, goesOn) }
            return written
        }
    }

    private func run() throws -> Written {
        let olderEpochCount = try lookAtSnapshots()
        try copyIndex()
        try copyObjects()
        try copyDrafts()
        if let loss = index.database.storage.lossOfMoment { throw VaultError.translated(loss) }
        try countItems()
        guard folder.directory.syncDisk() else { throw VaultDirectory.failure() }
        // The index may have been let go while the disk was waited for; what was read before is whole.
        guard goesOn(done) else { throw VaultError(.cancelled) }
        let name = try writeSnapshot()
        return Written(
            name: name.text, made: list.made, counts: list.counts, addedByteCount: added, totalByteCount: done,
            olderEpochCount: olderEpochCount, isFull: takenOver == 0, damage: list.damage, passedOver: passedOver)
    }

    /// Counts what the snapshot holds, and what it lacks.
    private func countItems() throws {
        if damagedPageCount == 0, survey == nil, lostFiles.isEmpty, !lostDraft {
            do {
                let lacks = try index.lacksAttachment {
                    guard goesOn(done) else { throw VaultError(.cancelled) }
                }
                if !lacks { return list.counts = try index.counts() }
            } catch let error as VaultError where error.code == .integrity {}
        }
        let survey = try surveyed()
        for record in lostFiles { survey.lose(record) }
        (list.counts, list.damage) = (survey.counts, survey.damage(pageCount: damagedPageCount))
        guard list.damage.isEmpty else { return }
        // Lists may name a head that is none: by the entries nothing is missing.
        guard damagedPageCount == 0, lostFiles.isEmpty, !lostDraft else { throw VaultError(.integrity) }
        list.counts = try index.counts()
    }

    private func surveyed() throws -> IndexSurvey {
        let known =
            try survey
            ?? IndexSurvey(
                index,
                // It is kept by what it asks, which must not be kept by it: the folder's lock ends with the writer.
                goesOn: { [unowned self] in
                    guard goesOn(done) else { throw VaultError(.cancelled) }
                })
        survey = known
        return known
    }

    /// Finds out what need not be copied: what the newest snapshot of this key names is whole, because that one waited
    /// for the disk. What lies there besides may be half of something.
    ///
    /// - Returns: how many are of an earlier key.
    /// - Throws: `VaultError.otherVault`, `.cancelled`.
    private func lookAtSnapshots() throws -> Int {
        var older = 0
        var hasNewest = false
        let names = try folder.names()
        // Two of one second would have no order; a name alone is believed for no more than ten.
        if let last = names.last.map(SnapshotStamp.milliseconds) {
            let next = last + 1000
            if list.made < next, next - list.made <= 10_000 { list.made = next }
        }
        for name in names.reversed() {
            guard goesOn(0) else { throw VaultError(.cancelled) }
            guard let (file, header) = try? folder.file(name) else {
                if !hasNewest { passedOver.append(name) }
                continue
            }
            guard header.identity == index.header.identity else { throw VaultError(.otherVault) }
            if header.epoch < index.header.epoch { older += 1 }
            guard !hasNewest, header.epoch == index.header.epoch else { continue }
            guard
                let known = try? Snapshot.list(file, Header.verify(header, keys: index.layer.keys), index.layer.keys)
            else {
                passedOver.append(name)
                continue
            }
            hasNewest = true
            // Each has a later time than the one before, whatever the clock says; what does not open has no say in it.
            list.made = max(list.made, known.made + 1000)
            knownPieces = Set(known.pieces + known.drafts.map(\.digest))
            knownObjects = Set(known.objects.map(\.name))
        }
        return older
    }

    private func copyIndex() throws {
        var offset: UInt64 = 0
        while offset < list.indexByteCount {
            let count = Int(min(UInt64(SnapshotList.pieceByteCount), list.indexByteCount - offset))
            // Opened here, where they are in memory anyway; one that does not open is copied as it lies there.
            let piece = index.database.storage.checkedPages(from: UInt32(offset / 4096) + 1, count: count / 4096)
            damagedPageCount += piece.damaged.count
            list.pieces.append(try put(piece.bytes))
            offset += UInt64(count)
            try step(count)
        }
    }

    private func put(_ bytes: [UInt8]) throws -> [UInt8] {
        let digest = try Digest.sha256(bytes)
        if knownPieces.contains(digest), folder.hasPiece(digest, byteCount: bytes.count) {
            takenOver += 1
        } else {
            // An older snapshot may name what is there: a whole one does not give its place to one not yet on disk.
            if (try? folder.piece(digest, byteCountMax: bytes.count)) == nil {
                try folder.putPiece(digest, bytes)
                added += UInt64(bytes.count)
            }
            knownPieces.insert(digest)
        }
        return digest
    }

    private func copyObjects() throws {
        let sealer = AttachmentSealer(layer: index.layer)
        for record in try attachments(sealer) {
            let object = SnapshotList.Object(name: record.object, byteCount: record.fileByteCount)
            if knownObjects.contains(object.name), folder.hasObject(object) {
                // Read to its end when it was copied: here it may have rotted since, and the copy has not.
                takenOver += 1
                try step(Int(clamping: object.byteCount))
            } else {
                switch try ObjectCopy(record, index, to: folder).run(sealer, step) {
                case .takenOver:
                    takenOver += 1
                    try step(Int(clamping: object.byteCount))
                case .copied: added += object.byteCount
                case .lost:
                    lostFiles.append(record)
                    continue
                }
            }
            list.objects.append(object)
        }
    }

    /// Returns the records of all attachments, in the order of their rows.
    private func attachments(_ sealer: AttachmentSealer) throws -> [AttachmentRecord] {
        guard damagedPageCount == 0, survey == nil else { return try surveyed().attachments }
        var records: [AttachmentRecord] = []
        do {
            try index.forEach("SELECT id, note, object, sealed FROM attachment ORDER BY rowid") {
                records.append(try ArchiveRows.attachment($0, sealer))
            }
            return records
        } catch let error as VaultError where error.code == .integrity { return try surveyed().attachments }
    }

    private func copyDrafts() throws {
        let drafts = try index.directory.folderIfThere("drafts")
        var ids: [DraftID] = []
        do {
            let archived = ArchivedDrafts(index)
            try index.forEach("SELECT * FROM draft ORDER BY id") { row in
                ids.append(try DraftID(try row.bytes("id")))
                if (try? archived.draft(row)) == nil { self.lostDraft = true }
            }
        } catch let error as VaultError where error.code == .integrity { ids = try surveyed().drafts }
        for id in ids {
            guard let bytes = try drafts?.read(id.hex, byteCountMax: ArchivedDraft.journalByteCountMax) else {
                continue
            }
            list.drafts.append(SnapshotList.Draft(id: id, digest: try put(bytes)))
            try step(bytes.count)
        }
    }

    private func writeSnapshot() throws -> SnapshotName {
        let id = try SecureRandom.bytes(SnapshotFile.idByteCount)
        guard let name = SnapshotName(made: SnapshotStamp.text(list.made), id: id) else {
            preconditionFailure("a stamp of ours is a snapshot's name")
        }
        guard list.encoded.count <= SnapshotList.byteCountMax else { throw VaultError(.tooLarge) }
        let sealed = try Snapshot.seal(list, id, index.header, index.layer.keys)
        try folder.write(SnapshotFile(id: id, header: index.header.encoded, sealedList: sealed), as: name)
        return name
    }

    /// Adds to the bytes that were looked at, and asks now and then whether to go on.
    ///
    /// - Parameter byteCount: 0 asks in any case.
    private func step(_ byteCount: Int) throws(VaultError) {
        done += UInt64(byteCount)
        guard byteCount > 0 && done < asked + 1 << 20 || goesOn(done) else { throw VaultError(.cancelled) }
        if done >= asked + 1 << 20 { asked = done }
    }
}
