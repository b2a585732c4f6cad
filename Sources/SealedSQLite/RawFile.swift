// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `RawFile` is a regular file of ours, opened beneath a directory's descriptor without following links: whole reads
/// and writes at offsets.
final class RawFile {
    let descriptor: Int32
    let isWritable: Bool
    /// errno of a read that failed, until somebody sets it to 0: bytes that nobody has seen are no damage.
    var readFailure: Int32 = 0
    /// The file is somebody else's now: nothing is written into it, also not when the database is closed.
    var isLeftAlone = false
    /// The end of the last write, and where it went: sealed, so no two are alike.
    private(set) var lastEnd: [UInt8] = []
    private(set) var lastEndOffset = 0
    private static let endByteCount = 64

    /// Opens a file for reading and writing, or for reading only where the file system allows no more.
    ///
    /// - Throws: `SealedSQLiteError.notAFile` for a missing file, a link, a device, another user's file or one with
    ///   several names.
    init(directory: Int32, name: String, creating: Bool) throws(SealedSQLiteError) {
        var opened = unsafe vs_open_at(directory, name, O_RDWR | O_NONBLOCK | (creating ? O_CREAT : 0), 0o600)
        // A read-only disk still lets us read: writes fail later, each with its own error.
        let writable = opened >= 0
        if opened < 0 && (errno == EROFS || errno == EACCES) {
            opened = unsafe vs_open_at(directory, name, O_RDONLY | O_NONBLOCK, 0)
        }
        guard opened >= 0 else {
            if errno == ENOENT || errno == ELOOP { throw SealedSQLiteError(.notAFile) }
            throw SealedSQLiteError(.inputOutput, systemError: errno, isOfReading: true)
        }
        descriptor = opened
        isWritable = writable
        var status = stat()
        guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == getuid(),
            status.st_nlink == 1
        else { throw SealedSQLiteError(.notAFile) }  // deinit closes
    }

    /// Takes a file that is open already, for reading. It is closed with the value.
    init(reading opened: Int32) throws(SealedSQLiteError) {
        guard opened >= 0 else { throw SealedSQLiteError(.inputOutput, systemError: errno, isOfReading: true) }
        descriptor = opened
        isWritable = false
    }

    deinit { close(descriptor) }

    var byteCount: Int { knownByteCount ?? 0 }

    /// Nil where the system does not tell.
    var knownByteCount: Int? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Milliseconds since 1970, UTC; 0 where the system does not tell.
    var lastWritten: Int64 {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return 0 }
        let (milliseconds, isOver) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1000)
        return isOver ? 0 : milliseconds &+ Int64(status.st_mtim.tv_nsec / 1_000_000)
    }

    /// Returns how many bytes were read, fewer only at the end of the file; nil on an error.
    func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int? {
        var done = 0
        while done < target.count {
            let got = unsafe pread(descriptor, target.baseAddress! + done, target.count - done, offset + done)
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else {
                readFailure = errno
                SystemReason.note(errno)
                return nil
            }
            if got == 0 { break }
            done += got
        }
        return done
    }

    func write(_ source: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard !isLeftAlone else { return refused(EROFS) }
        var done = 0
        while done < source.count {
            let put = unsafe pwrite(descriptor, source.baseAddress! + done, source.count - done, offset + done)
            if put < 0 && errno == EINTR { continue }
            guard put > 0 else { return refused() }
            done += put
        }
        let count = min(done, Self.endByteCount)
        lastEnd = unsafe Array(source[(done - count)...])
        lastEndOffset = offset + done - count
        return true
    }

    /// `Room` is the answer to a wish for room on the disk.
    enum Room: Equatable {
        case laid
        /// The file system does not promise room.
        case never
        case refused(Int32)
    }

    /// Has the file system keep room between two offsets, also behind the file's end, which stays where it is. What it
    /// kept before it refused stays until the file is truncated.
    func layRoom(from start: Int, to end: Int) -> Room {
        guard !isLeftAlone else { return .refused(EROFS) }
        guard vs_lay_room(descriptor, start, end - start) != 0 else { return .laid }
        return errno == ENOSPC || errno == EDQUOT ? .refused(errno) : .never
    }

    func truncate(to byteCount: Int) -> Bool {
        guard !isLeftAlone else { return refused(EROFS) }
        // What is cut off is nowhere any more.
        if byteCount < lastEndOffset + lastEnd.count { lastEnd = [] }
        return ftruncate(descriptor, byteCount) == 0 || refused()
    }

    func sync() -> Bool {
        guard fdatasync(descriptor) == 0 else { return refused() }
        // What was refused before that is over and done with.
        SystemReason.note(0)
        return true
    }

    /// Free for this account on the file's disk, in bytes; as good as endless where the file system does not count.
    var freeByteCount: Int {
        var status = statvfs()
        guard unsafe fstatvfs(descriptor, &status) == 0, status.f_blocks > 0 else { return .max }
        let (count, isOver) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: status.f_frsize))
        return isOver ? .max : count
    }

    /// Fails as a call would that the system has refused.
    func refuse(_ number: Int32) -> Bool {
        errno = number
        return refused(number)
    }

    private func refused(_ number: Int32 = errno) -> Bool {
        SystemReason.note(number)
        return false
    }
}
