// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import ParserProtocol

/// `Pipe` reads frames from standard input and writes records to standard output.
struct Pipe {
    private static let chunkByteCount = 64 << 10

    /// Read and not yet taken: `buffer[taken...]`.
    private var buffer: [UInt8] = []
    private var taken = 0
    private var chunk = [UInt8](repeating: 0, count: chunkByteCount)

    /// Reads the content of the next frame; nil at the end of the input.
    ///
    /// Memory grows with the bytes that arrive, not with the length that a frame claims.
    ///
    /// - Throws: `RecordError`: `tooLarge`, or `truncated` if the input ends within a frame.
    mutating func nextFrame(max: Int = ForeignFile.byteCountMax) throws(RecordError) -> [UInt8]? {
        guard fill(RecordFrame.headerByteCount) else {
            guard available == 0 else { throw RecordError(.truncated) }
            return nil
        }
        let header = take(RecordFrame.headerByteCount)
        let count = try RecordFrame.contentByteCount(header: header, max: max)
        guard fill(count) else { throw RecordError(.truncated) }
        return take(count)
    }

    private var available: Int { buffer.count - taken }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { taken += count }
        return Array(buffer[taken..<taken + count])
    }

    /// Reads until `count` bytes are there; returns false if the input ends before.
    private mutating func fill(_ count: Int) -> Bool {
        if available < count {
            buffer.removeFirst(taken)
            taken = 0
        }
        while available < count {
            let got = unsafe read(STDIN_FILENO, &chunk, chunk.count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return false }
            buffer += chunk[..<got]
        }
        return true
    }

    /// Reads all of standard input, up to its end.
    ///
    /// - Returns: nil if there is more than `max` bytes. What is left is not read: a writer then sees its pipe closed.
    static func wholeInput(max: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: chunkByteCount)
        while true {
            let got = unsafe read(STDIN_FILENO, &chunk, chunk.count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { fail("standard input cannot be read") }
            guard got > 0 else { return bytes }
            guard bytes.count + got <= max else { return nil }
            bytes += chunk[..<got]
        }
    }

    /// Writes all of the bytes. If nobody reads them any more, SIGPIPE ends the process, as it should.
    static func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { fail("standard output cannot be written") }
            rest = rest.dropFirst(written)
        }
    }

    /// Writes a message to standard error, and ends the process.
    ///
    /// - Parameter message: one line without anything of the input.
    static func fail(_ message: String, exitCode: Int32 = 13) -> Never {
        let line = Array("vault-parse: error: \(message)\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(exitCode)
    }
}

extension Pipe {
    /// Reads the content of the only frame of the input, which must end behind it. It is read into the array that is
    /// returned and nowhere else, so that a caller who wipes that has wiped all of it.
    ///
    /// - Parameter max: the cap on the content, in bytes; it is reserved before the content has arrived.
    /// - Throws: `RecordError`: `tooLarge`, `truncated`, `trailingBytes`.
    static func onlyFrame(max: Int) throws(RecordError) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: RecordFrame.headerByteCount)
        guard fill(&header) == header.count else { throw RecordError(.truncated) }
        var content = [UInt8](repeating: 0, count: try RecordFrame.contentByteCount(header: header, max: max))
        guard fill(&content) == content.count else { throw RecordError(.truncated) }
        var more: [UInt8] = [0]
        guard fill(&more) == 0 else { throw RecordError(.trailingBytes, offset: content.count) }
        return content
    }

    /// Reads until the array is full or the input ends, and returns how many bytes arrived.
    private static func fill(_ bytes: inout [UInt8]) -> Int {
        unsafe bytes.withUnsafeMutableBytes { target in
            var count = 0
            while count < target.count {
                let got = unsafe read(STDIN_FILENO, target.baseAddress?.advanced(by: count), target.count - count)
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else { fail("standard input cannot be read") }
                guard got > 0 else { break }
                count += got
            }
            return count
        }
    }
}
