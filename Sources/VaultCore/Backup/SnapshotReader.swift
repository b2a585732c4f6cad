// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import GRDB
internal import Glibc
internal import VaultCrypto
public import VaultFormat

/// A snapshot that is unlocked: what it says that it holds, and the way to read it without restoring it.
public final class SnapshotReader: Sendable {
    let folder: BackupFolder
    let header: UnverifiedHeader
    let keys: VaultKeys
    public let list: SnapshotList

    /// Bytes of everything that it names.
    public var byteCount: UInt64 { list.objects.reduce(list.indexByteCount) { $0 &+ $1.byteCount } }

    /// With the keys of the open vault.
    ///
    /// - Throws: `VaultError.noSnapshot`, `.oldKey` for a snapshot from before a rotation, `.otherVault`, `.integrity`.
    public init(_ folder: BackupFolder, _ name: SnapshotName, of store: VaultStore) throws(VaultError) {
        let (file, header) = try folder.file(name)
        guard header.vaultID == store.header.vaultID else { throw VaultError(.otherVault) }
        guard header.epoch == store.header.epoch else { throw VaultError(header.epoch < store.header.epoch ? .oldKey : .integrity) }
        (self.folder, self.header, keys) = (folder, header, store.keys)
        list = try Self.list(file, header, keys, name)
    }

    /// A name counts for nothing that its list does not say.
    private static func list(
        _ file: SnapshotFile, _ header: UnverifiedHeader, _ keys: VaultKeys, _ name: SnapshotName
    ) throws(VaultError) -> SnapshotList {
        let list = try Snapshot.list(file, header, keys)
        guard SnapshotName(made: SnapshotStamp.text(list.made), id: file.id) == name else { throw VaultError(.integrity) }
        return list
    }

    /// With a credential of the time when it was made.
    ///
    /// - Throws: `VaultError.noSnapshot`, `.wrongPassword` while no slot has opened, `.integrity` after one has.
    public init(_ folder: BackupFolder, _ name: SnapshotName, _ credential: borrowing Credential) throws(VaultError) {
        let (file, header) = try folder.file(name)
        (self.folder, self.header) = (folder, header)
        for slot in header.keyslots {
            guard let root = try slot.open(credential, header) else { continue }
            guard let keys = try? VaultKeys(root), (try? Header.verify(header, keys: keys)) != nil else { throw VaultError(.integrity) }
            self.keys = keys
            list = try Self.list(file, header, keys, name)
            return
        }
        throw VaultError(.wrongPassword)
    }

    /// The index in memory, put together from its pieces, each of which has its digest.
    ///
    /// - Throws: `VaultError.integrity`, `.saveFailed` without memory.
    func index(goesOn: (UInt64) -> Bool) throws -> FrozenIndex {
        let memory = vs_memory_file()
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
            guard unsafe piece.withUnsafeBytes({ unsafe vs_write_whole(target, $0.baseAddress, $0.count) }) == 0 else { throw VaultDirectory.failure() }
            done += wanted
            guard goesOn(done) else { throw VaultError(.cancelled) }
        }
    }

    /// Restores it into memory, one thing after the other: opens everything, and compares with what the snapshot says that it holds.
    ///
    /// - Returns: what was read.
    /// - Throws: `VaultError.integrity` when anything is missing, altered, or not as many; `.cancelled`.
    public func verify(goesOn: @escaping (UInt64) -> Bool) throws -> ArchiveCounts {
        let index = try index(goesOn: goesOn)
        guard index.state.generation == list.generation else { throw VaultError(.integrity) }
        let sink = CountingSink(begin: list.indexByteCount, goesOn)
        let source = ArchiveSource(index, to: sink, drafts: draftFiles())
        try source.run(made: list.made)
        guard source.counts == list.counts, source.objects == list.objects else { throw VaultError(.integrity) }
        return source.counts
    }

    func draftFiles() -> (DraftID) throws -> [UInt8]? {
        let digests = Dictionary(list.drafts.map { ($0.id, $0.digest) }) { first, _ in first }
        return { [folder] id in try digests[id].map { try folder.piece($0, byteCountMax: ArchivedDraft.journalByteCountMax) } }
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
