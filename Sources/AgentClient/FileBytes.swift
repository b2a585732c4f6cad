// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `FileBytes` reads a whole stream, up to a limit, and writes bytes to one.
public enum FileBytes {
    public struct Failure: Error, Equatable {
        /// There is more than the limit.
        public static let tooLarge = Failure(number: 0)
        public let number: Int32
    }

    /// Reads a descriptor to its end; throws `.tooLarge` for more than `max` bytes.
    public static func read(_ descriptor: Int32, max: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let got = unsafe chunk.withUnsafeMutableBytes { raw in
                unsafe Glibc.read(descriptor, raw.baseAddress!, raw.count)
            }
            if got < 0 && errno == EINTR { continue }
            if got < 0 && errno == EAGAIN {
                wait(for: descriptor, POLLIN)
                continue
            }
            guard got >= 0 else { throw Failure(number: errno) }
            if got == 0 { return bytes }
            guard bytes.count + got <= max else { throw .tooLarge }
            bytes.append(contentsOf: chunk[0..<got])
        }
    }

    /// Writes all bytes, also to a descriptor that does not block.
    ///
    /// A pipe without a reader raises SIGPIPE; `PipeSignal.ignored` keeps it away.
    ///
    /// - Returns: false when the descriptor takes no more; `errno` says why.
    @discardableResult
    public static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let wrote = unsafe bytes.withUnsafeBytes { raw in
                unsafe Glibc.write(descriptor, raw.baseAddress! + done, raw.count - done)
            }
            if wrote > 0 {
                done += wrote
            } else if wrote < 0 && errno == EAGAIN {
                wait(for: descriptor, POLLOUT)
            } else if wrote == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    private static func wait(for descriptor: Int32, _ events: Int32) {
        var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        _ = unsafe poll(&waiting, 1, -1)
    }
}
