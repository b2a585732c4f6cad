// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc

/// A file without a name, gone with the value.
final class ScratchFile: @unchecked Sendable {
    let descriptor: Int32

    init(_ content: [UInt8] = []) throws {
        var path = Array((FileManager.default.temporaryDirectory.path + "/sealed-XXXXXX").utf8CString)
        descriptor = unsafe mkstemp(&path)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        unsafe unlink(path)
        write(content, at: 0)
        // Old, so that a change is seen however coarse the clock is.
        let old = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
        unsafe futimens(descriptor, old)
    }

    /// One of a size that takes no room.
    convenience init(sparse byteCount: Int) throws {
        try self.init()
        guard ftruncate(descriptor, byteCount) == 0 else { throw POSIXError(.EFBIG) }
    }

    deinit { close(descriptor) }

    var byteCount: Int {
        var status = stat()
        unsafe fstat(descriptor, &status)
        return Int(status.st_size)
    }

    var bytes: [UInt8] {
        let count = byteCount
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { target, got in
            got = max(unsafe pread(descriptor, target.baseAddress, count, 0), 0)
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) { unsafe pwrite(descriptor, bytes, bytes.count, offset) }

    func cut(to byteCount: Int) { ftruncate(descriptor, byteCount) }

    /// Changes the file in place and puts it back as it was.
    func altered(_ change: (inout [UInt8]) -> Void, _ body: () throws -> Void) throws {
        let before = bytes
        var after = before
        change(&after)
        write(after, at: 0)
        cut(to: after.count)
        defer {
            write(before, at: 0)
            cut(to: before.count)
        }
        try body()
    }
}

/// Both ends of a pipe, each closed by hand or with the value.
final class ScratchPipe: @unchecked Sendable {
    private(set) var reading: Int32
    private(set) var writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        (reading, writing) = (ends[0], ends[1])
        // A pipe without readers must give an error, not end the tests.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        closeReading()
        closeWriting()
    }

    func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Writes all of it from another thread, in pieces, and closes the end.
    func send(_ bytes: [UInt8], piece: Int = 10_000) -> Thread {
        let thread = Thread { [self] in
            var at = 0
            while at < bytes.count {
                let count = unsafe bytes.withUnsafeBytes {
                    unsafe Glibc.write(writing, $0.baseAddress! + at, min(piece, bytes.count - at))
                }
                if count <= 0 { break }
                at += count
            }
            closeWriting()
        }
        thread.start()
        return thread
    }

    /// Reads to the end.
    func receive() -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let got = unsafe read(reading, &buffer, buffer.count)
            if got <= 0 { return all }
            all += buffer[0..<got]
        }
    }
}
