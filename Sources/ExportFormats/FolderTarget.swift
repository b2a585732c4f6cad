// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `FolderTarget` writes an export as files in a new folder. Every name is reached beneath an open folder, none through
/// a link, and nothing is ever replaced (ThreatModel H01 to H03, H09).
///
/// The caller makes the folder under a temporary name, renames it after `finish()`, and removes it after an error.
public final class FolderTarget: ExportTarget {
    /// `Durability` says when files become durable. Either way all of them are when `finish()` has returned.
    public enum Durability: Sendable {
        /// Each file separately, before the next one is begun.
        case eachFile
        /// All at the end, with one call for the whole file system: many times faster for many small files, and enough
        /// where the folder gets its name only afterwards.
        case atEnd
    }

    private let root: Int32
    private let durability: Durability
    /// The folder that was written to last, open.
    private var recent: (path: [String], descriptor: Int32)?

    /// Begins an export in an open folder.
    ///
    /// - Parameter folder: a directory that is ours, empty and open; a copy of the descriptor is kept.
    /// - Throws: `ExportError.notOurs`.
    public init(folder: Int32, durability: Durability = .eachFile) throws(ExportError) {
        self.durability = durability
        root = unsafe vs_open_at(folder, ".", O_RDONLY | O_DIRECTORY, 0)
        guard root >= 0 else { throw ExportError(.notOurs, systemNumber: errno) }
        try Self.checkOwner(of: root)  // deinit closes
    }

    deinit {
        if let recent { close(recent.descriptor) }
        if root >= 0 { close(root) }
    }

    public func addFolder(_ path: [String], modified: Int64) throws {
        try ExportPath.check(path)
        let parent = try open(folder: Array(path.dropLast()))
        guard unsafe mkdirat(parent, path[path.count - 1], 0o700) == 0 else { throw Self.failure() }
    }

    public func addFile(_ path: [String], byteCount: UInt64, modified: Int64, content: (ByteSink) throws -> Void) throws
    {
        try ExportPath.check(path)
        let parent = try open(folder: Array(path.dropLast()))
        let file = unsafe vs_open_at(parent, path[path.count - 1], O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { throw Self.failure() }
        defer { close(file) }
        // Whatever the mask of the process takes away or leaves: 0600.
        guard fchmod(file, 0o600) == 0 else { throw Self.failure() }
        var counter = ContentCounter(byteCount: byteCount)
        let output = ByteOutput { piece in try Self.write(piece, to: file) }
        try content { piece in
            try counter.take(piece.count)
            try output.write(piece)
        }
        try counter.end()
        try output.flush()
        try Self.setTime(of: file, modified)
        guard durability == .atEnd || fsync(file) == 0 else { throw Self.failure() }
    }

    public func finish() throws {
        try leaveRecent()
        guard fsync(root) == 0, durability == .eachFile || vs_sync_whole_disk(root) == 0 else { throw Self.failure() }
    }

    /// Opens a folder part by part; the last one stays open, because most files lie beside one another.
    private func open(folder path: [String]) throws(ExportError) -> Int32 {
        if path.isEmpty { return root }
        if let recent, recent.path == path { return recent.descriptor }
        try leaveRecent()
        var current = root
        for part in path {
            let opened = unsafe vs_open_at(current, part, O_RDONLY | O_DIRECTORY, 0)
            let number = errno
            if current != root { close(current) }
            guard opened >= 0 else {
                throw ExportError(
                    [ELOOP, ENOTDIR, ENOENT].contains(number) ? .notOurs : .writeFailed, systemNumber: number)
            }
            current = opened
            do throws(ExportError) { try Self.checkOwner(of: current) } catch {
                close(current)
                throw error
            }
        }
        recent = (path, current)
        return current
    }

    /// Makes the names in it durable.
    private func leaveRecent() throws(ExportError) {
        guard let (_, descriptor) = recent else { return }
        recent = nil
        let isSynced = durability == .atEnd || fsync(descriptor) == 0
        let number = errno
        close(descriptor)
        guard isSynced else { throw ExportError(.writeFailed, systemNumber: number) }
    }

    /// Refuses a folder that is not this user's alone: others could put something else in place of what was written.
    private static func checkOwner(of folder: Int32) throws(ExportError) {
        var status = stat()
        guard unsafe fstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0
        else { throw ExportError(.notOurs) }
    }

    private static func write(_ piece: Span<UInt8>, to file: Int32) throws(ExportError) {
        var done = 0
        while done < piece.count {
            let count = unsafe piece.withUnsafeBufferPointer { bytes in
                unsafe Glibc.write(file, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            done += count
        }
    }

    /// Sets the file's last change to the note's. A time that the file system does not know stays that of the writing.
    private static func setTime(of file: Int32, _ modified: Int64) throws(ExportError) {
        let millisecond = (modified % 1000 + 1000) % 1000
        let second = modified / 1000 - (modified % 1000 < 0 ? 1 : 0)
        let time = timespec(tv_sec: Int(second), tv_nsec: Int(millisecond * 1_000_000))
        let isSet = unsafe [time, time].withUnsafeBufferPointer { times in unsafe futimens(file, times.baseAddress) == 0
        }
        guard isSet || [EINVAL, EOVERFLOW, EPERM, ENOSYS].contains(errno) else { throw failure() }
    }

    private static func failure() -> ExportError {
        let number = errno
        switch number {
        case EEXIST, ELOOP: return ExportError(.exists, systemNumber: number)
        case ENOSPC, EDQUOT, EROFS: return ExportError(.noRoom, systemNumber: number)
        default: return ExportError(.writeFailed, systemNumber: number)
        }
    }
}
