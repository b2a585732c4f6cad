// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import VaultCrypto
public import VaultFormat

/// A `BackupFolder` is a folder with the copies of a vault's sealed files, each once. Every name is reached beneath its
/// descriptor, never through a link.
///
/// Spec: docs/format.md §22.
public final class BackupFolder: @unchecked Sendable {
    let directory: VaultDirectory
    /// Whether the lock is held for writing; a writer reads too, and gives nothing of its lock away by that.
    private var isLockedForWriting = false
    static let snapshots = "snapshots"
    static let pieces = "pieces"
    private static let names: Set<String> = [snapshots, pieces, ObjectFolder.name, ParityPlace.folder]

    /// Takes over a directory.
    ///
    /// - Parameter descriptor: an open directory; it is taken over.
    /// - Throws: `VaultError.notOurs` for one of another user, or that others may write in.
    public init(taking descriptor: Int32) throws(VaultError) { directory = try VaultDirectory(taking: descriptor) }

    deinit { directory.unlockFolder() }

    /// Keeps others from writing in it while somebody reads, and everybody while somebody writes. It ends with this
    /// value.
    ///
    /// - Throws: `VaultError.backupBusy`.
    func lock(forWriting: Bool) throws(VaultError) {
        guard !isLockedForWriting else { return }
        // Who made a snapshot a moment ago may not have let go of the folder yet: two commands in a row are not two
        // programs at once.
        for _ in 0..<40 {
            if directory.lockFolder(exclusive: forWriting) {
                isLockedForWriting = forWriting
                return
            }
            usleep(50_000)
        }
        throw VaultError(.backupBusy)
    }

    /// Checks that the folder is empty or has backups already: a new backup goes into no other.
    ///
    /// - Throws: `VaultError.exists` when something else is in it.
    func requireBackup() throws(VaultError) {
        guard try directory.names().allSatisfy({ Self.names.contains($0) }) else { throw VaultError(.exists) }
    }

    /// Returns the names of all snapshots, the oldest first.
    public func names() throws(VaultError) -> [SnapshotName] {
        (try directory.folderIfThere(Self.snapshots)?.names() ?? []).compactMap { SnapshotName($0) }.sorted()
    }

    /// Reads the file of a snapshot and parses its header.
    ///
    /// - Throws: `VaultError.noSnapshot`, `.integrity`, `.newerFormat`, `.costOutOfRange`.
    func file(_ name: SnapshotName) throws(VaultError) -> (file: SnapshotFile, header: UnverifiedHeader) {
        guard let folder = try directory.folderIfThere(Self.snapshots),
            let bytes = try folder.read(name.text, byteCountMax: SnapshotFile.byteCountMax)
        else { throw VaultError(.noSnapshot) }
        guard let file = try? SnapshotFile(parsing: bytes) else { throw VaultError(.integrity) }
        return (file, try HeaderFile.copy(file.header).header)
    }

    func write(_ file: SnapshotFile, as name: SnapshotName) throws(VaultError) {
        try directory.folder(Self.snapshots).replace(name.text, with: file.encoded)
    }

    // MARK: Pieces and objects

    static func hex(_ digest: [UInt8]) -> String { hexadecimal(digest) }

    /// Tells whether a piece is there with its size; only reading tells what is in it.
    func hasPiece(_ digest: [UInt8], byteCount: Int) -> Bool {
        let name = Self.hex(digest)
        return folder(of: name)?.byteCount(name) == UInt64(byteCount)
    }

    /// Puts a piece there; it is durable only after `directory.syncDisk`.
    func putPiece(_ digest: [UInt8], _ bytes: [UInt8]) throws(VaultError) {
        let name = Self.hex(digest)
        try directory.folder(Self.pieces).folder(String(name.prefix(2))).put(name, bytes)
    }

    /// Reads a piece and compares it with its digest.
    ///
    /// - Throws: `VaultError.integrity` for one that is missing or does not have its digest.
    func piece(_ digest: [UInt8], byteCountMax: Int) throws(VaultError) -> [UInt8] {
        let name = Self.hex(digest)
        let folder = try directory.folderIfThere(Self.pieces)?.folderIfThere(String(name.prefix(2)))
        guard let bytes = try folder?.read(name, byteCountMax: byteCountMax), (try? Digest.sha256(bytes)) == digest
        else {
            throw VaultError(.integrity)
        }
        return bytes
    }

    /// Reads what lies under a piece's name, whatever it is; nothing when it is missing or cannot be read.
    func pieceAsItIs(_ digest: [UInt8], byteCountMax: Int) -> [UInt8] {
        let name = Self.hex(digest)
        return (try? folder(of: name)?.read(name, byteCountMax: byteCountMax)).flatMap { $0 } ?? []
    }

    private func folder(of name: String) -> VaultDirectory? {
        directory.existingFolder(Self.pieces)?.existingFolder(String(name.prefix(2)))
    }

    func hasObject(_ object: SnapshotList.Object) -> Bool {
        directory.existingFolder(ObjectFolder.name)?.existingFolder(object.name.folder)?.byteCount(object.name.hex)
            == object.byteCount
    }
}

extension VaultDirectory {
    /// Writes a whole file under its name, without waiting for the disk: it is nothing before somebody has, and is then
    /// named elsewhere.
    func put(_ name: String, _ bytes: [UInt8]) throws(VaultError) {
        let part = name + ".new"
        _ = unlink(part)
        let opened = open(part, O_WRONLY | O_CREAT | O_EXCL)
        guard opened >= 0 else { throw Self.failure() }
        let isWritten = unsafe bytes.withUnsafeBytes { raw in
            unsafe vs_write_whole(opened, raw.baseAddress, raw.count) == 0
        }
        let failed = isWritten ? nil : Self.failure()
        close(opened)
        if let failed {
            _ = unlink(part)
            throw failed
        }
        try rename(part, to: name)
    }

    /// Copies a whole file from another directory under the same name, without waiting for the disk. What had the name
    /// before stays when this throws.
    ///
    /// - Parameters:
    ///   - isWhole: asked for the copy before it gets its name.
    ///   - goesOn: asked each few megabytes.
    /// - Throws: `VaultError.integrity` when it has another size or is not whole; `.readOnly`, `.saveFailed`,
    ///   `.cancelled`.
    func copy(
        _ name: String, from source: Int32, byteCount: UInt64,
        isWhole: (Int32) throws(VaultError) -> Bool = { _ in true }, goesOn: (Int) throws(VaultError) -> Void
    ) throws(VaultError) {
        let part = name + ".new"
        _ = unlink(part)
        let opened = open(part, O_RDWR | O_CREAT | O_EXCL)
        guard opened >= 0 else { throw Self.failure() }
        var failed: VaultError?
        do throws(VaultError) {
            try Self.copy(source, to: opened, byteCount, goesOn)
            if try !isWhole(opened) { failed = VaultError(.integrity) }
        } catch { failed = error }
        close(opened)
        if let failed {
            _ = unlink(part)
            throw failed
        }
        try rename(part, to: name)
    }

    /// Copies exactly this many bytes, and then expects the end: a file that is larger than it should be is not copied
    /// whole before that is seen.
    private static func copy(
        _ source: Int32, to target: Int32, _ byteCount: UInt64, _ goesOn: (Int) throws(VaultError) -> Void
    ) throws(VaultError) {
        var status = stat()
        guard unsafe fstat(source, &status) == 0, UInt64(clamping: status.st_size) == byteCount else {
            throw VaultError(.integrity)
        }
        var left = byteCount
        while left > 0 {
            let copied = vs_copy_some(source, target, Int(min(left, 8 << 20)))
            guard copied >= 0 else { throw failure() }
            guard copied > 0 else { throw VaultError(.integrity) }
            left -= UInt64(copied)
            try goesOn(copied)
        }
    }

    private func rename(_ part: String, to name: String) throws(VaultError) {
        guard unsafe renameat(descriptor, part, descriptor, name) == 0 else { throw Self.failure() }
    }
}
