// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import VaultCrypto
public import VaultFormat

/// A snapshot that is unlocked: what it says that it holds, and the way to read it without restoring it.
public final class SnapshotReader: Sendable {
    let folder: BackupFolder
    let header: Header
    let keys: VaultKeys
    public let list: SnapshotList

    /// Bytes of everything that it names.
    public var byteCount: UInt64 { list.objects.reduce(list.indexByteCount) { $0 &+ $1.byteCount } }

    /// What opens the snapshots of an open vault, on any thread.
    public struct Access: Sendable {
        fileprivate let header: Header
        fileprivate let keys: VaultKeys
    }

    public let name: SnapshotName

    /// With the keys of the open vault.
    ///
    /// - Throws: `VaultError.noSnapshot`, `.oldKey` for a snapshot from before a rotation, `.otherVault`, `.integrity`,
    ///   `.backupBusy`.
    public init(_ folder: BackupFolder, _ name: SnapshotName, _ access: Access) throws(VaultError) {
        try folder.lock(forWriting: false)
        let (file, found) = try folder.file(name)
        guard found.identity == access.header.identity else { throw VaultError(.otherVault) }
        guard found.epoch == access.header.epoch else {
            throw VaultError(found.epoch < access.header.epoch ? .oldKey : .integrity)
        }
        let verified = try Header.verify(found, keys: access.keys)
        (self.folder, header, self.name, keys) = (folder, verified, name, access.keys)
        list = try Self.list(file, verified, keys, name)
    }

    /// The newest that opens with the keys of the open vault. Other files, and snapshots under another key, are
    /// ignored.
    public convenience init(newestIn folder: BackupFolder, _ access: Access) throws(VaultError) {
        var failure = VaultError(.noSnapshot)
        for name in try folder.names().reversed() {
            do throws(VaultError) {
                try self.init(folder, name, access)
                return
            } catch { if failure.code == .noSnapshot { failure = error } }
        }
        throw failure
    }

    /// A name counts for nothing that its list does not say.
    private static func list(
        _ file: SnapshotFile, _ header: Header, _ keys: VaultKeys, _ name: SnapshotName
    ) throws(VaultError) -> SnapshotList {
        let list = try Snapshot.list(file, header, keys)
        guard SnapshotName(made: SnapshotStamp.text(list.made), id: file.id) == name else {
            throw VaultError(.integrity)
        }
        return list
    }

    /// With a credential of the time when it was made.
    ///
    /// - Throws: `VaultError.noSnapshot`, `.wrongPassword` while no slot has opened, `.integrity` after one has.
    public init(_ folder: BackupFolder, _ name: SnapshotName, _ credential: borrowing Credential) throws(VaultError) {
        try folder.lock(forWriting: false)
        let (file, found) = try folder.file(name)
        (self.folder, self.name) = (folder, name)
        for slot in found.keyslots {
            guard let root = try slot.open(credential, found) else { continue }
            guard let keys = try? VaultKeys(root), let verified = try? Header.verify(found, keys: keys) else {
                throw VaultError(.integrity)
            }
            (header, self.keys) = (verified, keys)
            list = try Self.list(file, verified, keys, name)
            return
        }
        throw VaultError(.wrongPassword)
    }

    /// The newest of the latest key that a credential opens. Whoever has an old key could have made a later one of that
    /// key: it is taken only by its name.
    ///
    /// - Throws: `VaultError.noSnapshot`; what the newest says when none opens.
    static func newest(_ folder: BackupFolder, _ credential: borrowing Credential) throws(VaultError) -> SnapshotReader
    {
        var known: [(name: SnapshotName, epoch: UInt32)] = []
        for name in try folder.names() {
            if let (_, header) = try? folder.file(name) { known.append((name, header.epoch)) }
        }
        var failure = VaultError(.noSnapshot)
        // Each try costs a derivation, and what a header says of its epoch counts only once it has opened.
        for (name, _) in known.sorted(by: { ($0.epoch, $0.name.text) > ($1.epoch, $1.name.text) }).prefix(tryCountMax) {
            do throws(VaultError) { return try SnapshotReader(folder, name, credential) } catch {
                if failure.code == .noSnapshot { failure = error }
            }
        }
        throw failure
    }
    private static let tryCountMax = 8

    /// The index put together from its pieces, each of which has its digest: in memory, or where that is too small in a
    /// file without a name in the backup's folder. It is sealed as in the vault.
    ///
    /// - Throws: `VaultError.integrity`, `.saveFailed` without memory.
    func index(goesOn: (UInt64) -> Bool) throws -> FrozenIndex {
        let fits = list.indexByteCount < Machine.memoryByteCount / 4
        let memory = fits ? vs_memory_file() : vs_open_unnamed(folder.directory.descriptor)
        guard memory >= 0 else { throw VaultError(.saveFailed) }
        do { try writeIndex(to: memory, goesOn: goesOn) } catch {
            close(memory)
            throw error
        }
        return try FrozenIndex(reading: memory, folder.directory, header, keys)
    }

    func writeIndex(to target: Int32, goesOn: (UInt64) -> Bool) throws {
        var done: UInt64 = 0
        for digest in list.pieces {
            let wanted = min(UInt64(SnapshotList.pieceByteCount), list.indexByteCount - done)
            let piece = try folder.piece(digest, byteCountMax: SnapshotList.pieceByteCount)
            guard UInt64(piece.count) == wanted else { throw VaultError(.integrity) }
            guard unsafe piece.withUnsafeBytes({ unsafe vs_write_whole(target, $0.baseAddress, $0.count) }) == 0 else {
                throw VaultDirectory.failure()
            }
            done += wanted
            guard goesOn(done) else { throw VaultError(.cancelled) }
        }
    }

    /// Restores it into memory, one thing after the other: opens everything, and compares with what the snapshot says
    /// that it holds.
    ///
    /// - Returns: what was read.
    /// - Throws: `VaultError.integrity` when anything is missing, altered, or not as many; `.cancelled`.
    public func verify(goesOn: @escaping (UInt64) -> Bool) throws -> ArchiveCounts {
        try FrozenIndex.mapped {
            try give(index(goesOn: goesOn), to: CountingSink(begin: list.indexByteCount, goesOn))
            return list.counts
        }
    }

    /// Opens everything, and compares it with what the list says.
    func give(_ index: FrozenIndex, to sink: any ArchiveSink) throws {
        let file = ManifestFile(folder.directory, keys: keys, header: header)
        guard index.state.generation == list.generation, let manifest = file.opened(list.manifest), !manifest.isOpen,
            manifest.generation == list.generation, UInt64(manifest.pageCount) * 4096 == list.indexByteCount
        else { throw VaultError(.integrity) }
        let source = ArchiveSource(index, to: sink, drafts: draftFiles())
        try source.run(made: list.made)
        guard source.counts == list.counts, source.objects == list.objects else { throw VaultError(.integrity) }
    }

    func draftFiles() -> (DraftID) throws -> [UInt8]? {
        let digests = Dictionary(list.drafts.map { ($0.id, $0.digest) }) { first, _ in first }
        return { [folder] id in
            try digests[id].map { try folder.piece($0, byteCountMax: ArchivedDraft.journalByteCountMax) }
        }
    }
}

/// Takes everything and keeps nothing.
private final class CountingSink: ArchiveSink {
    private var done: UInt64
    private let goesOn: (UInt64) -> Bool
    private var asked: UInt64 = 0
    private var steps = 0

    init(begin: UInt64, _ goesOn: @escaping (UInt64) -> Bool) {
        done = begin
        self.goesOn = goesOn
    }

    func take(_ item: ArchiveItem) throws { try step(0) }
    func take(_ content: UnsafeRawBufferPointer) throws { try step(content.count) }

    /// Asked now and then, not for each of a hundred thousand items.
    private func step(_ byteCount: Int) throws {
        done += UInt64(byteCount)
        steps += 1
        guard done >= asked + 1 << 20 || steps % 1000 == 0 else { return }
        asked = done
        guard goesOn(done) else { throw VaultError(.cancelled) }
    }
}

/// Backups are made of an index that is held still (`OpenVault.freeze`), and opened with the keys of the vault.
public struct Backups {
    let vault: OpenVault

    /// What opens this vault's snapshots.
    public var access: SnapshotReader.Access { SnapshotReader.Access(header: vault.header, keys: vault.keys) }
}
