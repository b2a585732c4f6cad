// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// Reading and writing descriptors that others opened. Regular files at our own offsets, so that theirs never moves; pipes by poll, because
/// O_NONBLOCK would change them for their owner too.
enum Descriptors {
    enum Kind {
        case file(byteCount: UInt64)
        case pipe
    }

    /// Milliseconds that the other end of a pipe may do nothing.
    static let stallMilliseconds: Int32 = 120_000
    private static let pollMilliseconds: Int32 = 100
    /// What a pipe that is ready for writing takes without waiting.
    private static let pipeBufferByteCount = 4096

    static func kind(_ descriptor: Int32) throws(ObjectError) -> Kind {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure() }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file(byteCount: UInt64(clamping: status.st_size))
        case S_IFIFO: return .pipe
        default: throw ObjectError(.notAFileOrPipe)
        }
    }

    /// Size and times of a file, to see whether it changed.
    static func stamp(_ descriptor: Int32) throws(ObjectError) -> [Int64] {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure() }
        return [
            Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec), Int64(status.st_ctim.tv_sec),
            Int64(status.st_ctim.tv_nsec),
        ]
    }

    /// Fills a buffer from an offset on.
    ///
    /// - Returns: bytes read; fewer than asked for at the file's end.
    static func read(_ descriptor: Int32, at offset: UInt64, into target: UnsafeMutableRawBufferPointer) throws(ObjectError) -> Int {
        var done = 0
        while done < target.count {
            let got = unsafe pread(descriptor, target.baseAddress! + done, target.count - done, off_t(offset) + off_t(done))
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw failure() }
            if got == 0 { break }
            done += got
        }
        return done
    }

    static func write(_ descriptor: Int32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        var done = 0
        while done < bytes.count {
            let put = unsafe pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
            if put < 0 && errno == EINTR { continue }
            guard put > 0 else { throw failure() }
            done += put
        }
    }

    /// Fills a buffer from a pipe.
    ///
    /// - Returns: bytes read; fewer than asked for at the end.
    /// - Throws: `.stalled`, `.cancelled`.
    static func readPipe(
        _ descriptor: Int32, into target: UnsafeMutableRawBufferPointer, goesOn: () -> Bool
    ) throws(ObjectError) -> Int {
        var done = 0
        while done < target.count {
            try wait(descriptor, POLLIN, goesOn: goesOn)
            let got = unsafe Glibc.read(descriptor, target.baseAddress! + done, target.count - done)
            if got < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard got >= 0 else { throw failure() }
            if got == 0 { break }
            done += got
        }
        return done
    }

    /// - Throws: `.closed`, `.stalled`, `.cancelled`.
    static func writePipe(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, goesOn: () -> Bool) throws(ObjectError) {
        var done = 0
        while done < bytes.count {
            try wait(descriptor, POLLOUT, goesOn: goesOn)
            // No more than is sure to fit: a write that waits could not be cancelled.
            let put = unsafe Glibc.write(descriptor, bytes.baseAddress! + done, min(bytes.count - done, pipeBufferByteCount))
            if put < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard put > 0 else { throw failure() }
            done += put
        }
    }

    private static func wait(_ descriptor: Int32, _ event: Int32, goesOn: () -> Bool) throws(ObjectError) {
        var waited: Int32 = 0
        while true {
            var one = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let ready = unsafe poll(&one, 1, pollMilliseconds)
            if ready < 0 && errno != EINTR { throw failure() }
            if ready > 0 {
                // Nobody reads any more; of one that nobody writes any more, what is left in it is read first.
                if event == POLLOUT && Int32(one.revents) & POLLERR != 0 { throw ObjectError(.closed) }
                return
            }
            waited += pollMilliseconds
            guard goesOn() else { throw ObjectError(.cancelled) }
            guard waited < stallMilliseconds else { throw ObjectError(.stalled) }
        }
    }

    static func failure() -> ObjectError {
        switch errno {
        case ENOSPC, EDQUOT, EFBIG: ObjectError(.noRoom, systemError: errno)
        case EPIPE: ObjectError(.closed)
        default: ObjectError(.io, systemError: errno)
        }
    }
}
