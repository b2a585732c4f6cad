// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// What a descriptor that somebody passed is, and what a file was like when it was looked at.
///
/// Its file offset and its flags are neither used nor changed.
struct PassedFile: Equatable {
    let descriptor: Int32
    let isPipe: Bool
    /// Of a regular file, in bytes; as the file system says, which some of them say wrongly.
    let byteCount: Int
    private let times: [Int]

    /// O_PATH, which Glibc shows only to C.
    private static let pathOnly: Int32 = 0o10000000

    /// - Throws: `ObjectError.notAFileOrPipe` for anything else, `.io`.
    init(_ descriptor: Int32) throws(ObjectError) {
        let flags = fcntl(descriptor, F_GETFL)
        var status = stat()
        guard flags >= 0, unsafe fstat(descriptor, &status) == 0 else { throw ObjectError(errno: errno) }
        let kind = status.st_mode & S_IFMT
        guard flags & Self.pathOnly == 0, kind == S_IFREG || kind == S_IFIFO else { throw ObjectError(.notAFileOrPipe) }
        self.descriptor = descriptor
        isPipe = kind == S_IFIFO
        byteCount = Int(status.st_size)
        times = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }

    /// The file to be written at places of our own choice, or a pipe.
    ///
    /// - Throws: `ObjectError.notAFileOrPipe`; `.io` for a file that appends whatever place is named.
    init(target descriptor: Int32) throws(ObjectError) {
        try self.init(descriptor)
        if !isPipe, fcntl(descriptor, F_GETFL) & O_APPEND != 0 { throw ObjectError(.io, systemError: EINVAL) }
    }

    /// Looks again after all was read: the same size and times, and nothing behind the end.
    ///
    /// A clock's step is the finest change that times can show, some milliseconds: a change that keeps the size and
    /// falls into the step in which the reading began is not seen.
    ///
    /// - Throws: `ObjectError.changed`.
    func checkUnchanged() throws(ObjectError) {
        var byte: UInt8 = 0
        // Files that are made while they are read say 0 bytes: what they hold must not be stored as nothing.
        guard try PassedFile(descriptor) == self, unsafe pread(descriptor, &byte, 1, off_t(byteCount)) == 0 else {
            throw ObjectError(.changed)
        }
    }
}
