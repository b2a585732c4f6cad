// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `PassedFile` holds what a descriptor that somebody passed is, and what a file was like when it was looked at.
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

    /// Looks at a descriptor, which must be one of a regular file or a pipe.
    ///
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

    /// Takes the file to be written at places of our own choice, or a pipe.
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

/// `FileBytes` reads and writes a regular file at given places, whole pieces only.
enum FileBytes {
    /// Fills `target` from `offset` on.
    ///
    /// - Returns: how many bytes there were: fewer only at the file's end.
    static func read(_ descriptor: Int32, _ target: UnsafeMutableRawBufferPointer, at offset: Int) throws(ObjectError)
        -> Int
    {
        var done = 0
        while done < target.count {
            let got = unsafe pread(descriptor, target.baseAddress! + done, target.count - done, off_t(offset + done))
            if got == 0 { break }
            if got < 0 {
                if errno == EINTR { continue }
                throw ObjectError(errno: errno)
            }
            done += got
        }
        return done
    }

    /// Writes all bytes at an offset.
    ///
    /// - Throws: `ObjectError.noRoom`, `.io`.
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(ObjectError) {
        var done = 0
        while done < bytes.count {
            let put = unsafe pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
            if put < 0 {
                if errno == EINTR { continue }
                throw ObjectError(errno: errno)
            }
            guard put > 0 else { throw ObjectError(.io, systemError: EIO) }
            done += put
        }
    }
}

/// `PipeBytes` reads or writes a pipe whose other end is not trusted to do its part: waits in poll(2), never in the
/// call itself.
struct PipeBytes {
    let descriptor: Int32
    /// How long nothing may move.
    let patience: Duration
    /// Asked while it waits.
    let gate: ProgressGate
    /// Asked while it waits for more: what came counts as all.
    var isOver: () -> Bool = { false }

    /// Milliseconds between two questions whether to go on.
    private static let sliceMilliseconds: Int32 = 100

    /// Reads what there is, up to the size of `target`.
    ///
    /// - Returns: 0 when all writers have closed it.
    /// - Throws: `ObjectError.stalled`, `.cancelled`, `.io`.
    func read(_ target: UnsafeMutableRawBufferPointer) throws(ObjectError) -> Int {
        while true {
            guard try wait(for: Int16(POLLIN)) else { return 0 }
            let got = unsafe vs_read_now(descriptor, target.baseAddress!, target.count)
            if got >= 0 { return got }
            guard errno == EINTR || errno == EAGAIN else { throw ObjectError(errno: errno) }
        }
    }

    /// Writes all of it. The process must ignore SIGPIPE.
    ///
    /// - Throws: `ObjectError.closed`, `.stalled`, `.cancelled`, `.io`.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        var done = 0
        while done < bytes.count {
            _ = try wait(for: Int16(POLLOUT))
            let put = unsafe vs_write_now(descriptor, bytes.baseAddress! + done, bytes.count - done)
            if put >= 0 {
                done += put
            } else if errno != EINTR && errno != EAGAIN {
                throw ObjectError(errno: errno)
            }
        }
    }

    /// Waits; false when it is over.
    private func wait(for event: Int16) throws(ObjectError) -> Bool {
        let clock = SuspendingClock()
        let deadline = clock.now + patience
        while true {
            try gate.pass()
            var entry = pollfd(fd: descriptor, events: event, revents: 0)
            let ready = unsafe poll(&entry, 1, Self.sliceMilliseconds)
            if ready > 0 {
                if entry.revents & Int16(POLLNVAL) != 0 { throw ObjectError(.io, systemError: EBADF) }
                // A reader is told of the end by the read that follows; a writer only here.
                if event == Int16(POLLOUT), entry.revents & Int16(POLLERR | POLLHUP) != 0 {
                    throw ObjectError(.closed, systemError: EPIPE)
                }
                return true
            }
            if event == Int16(POLLIN), isOver() { return false }
            if ready < 0, errno != EINTR { throw ObjectError(errno: errno) }
            if clock.now >= deadline { throw ObjectError(.stalled) }
        }
    }
}

/// `ContentSource` gives content in its order, from a regular file or a pipe.
struct ContentSource {
    let file: PassedFile
    let byteCountMax: UInt64
    let pipe: PipeBytes

    init(
        _ file: PassedFile, byteCountMax: UInt64, _ patience: Duration, _ gate: ProgressGate,
        isOver: @escaping () -> Bool = { false }
    ) {
        self.file = file
        self.byteCountMax = byteCountMax
        pipe = PipeBytes(descriptor: file.descriptor, patience: patience, gate: gate, isOver: isOver)
    }

    /// Reads into the begin of some memory.
    ///
    /// - Parameter offset: how many bytes came before.
    /// - Returns: 0 at the end.
    /// - Throws: `ObjectError.tooLarge`, `.changed`, `.stalled`, `.cancelled`, `.io`.
    func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int) throws(ObjectError) -> Int {
        guard file.isPipe else {
            let wanted = min(target.count, file.byteCount - offset)
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: target[0..<wanted])
            guard try unsafe FileBytes.read(file.descriptor, part, at: offset) == wanted else {
                throw ObjectError(.changed)
            }
            return wanted
        }
        let got = try unsafe pipe.read(target)
        guard UInt64(offset + got) <= byteCountMax else { throw ObjectError(.tooLarge) }
        return got
    }
}
