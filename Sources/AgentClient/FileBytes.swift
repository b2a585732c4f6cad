// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// Reads a whole stream, up to a limit.
public enum FileBytes {
    public struct Failure: Error, Equatable {
        /// There is more than the limit.
        public static let tooLarge = Failure(number: 0)
        public let number: Int32
    }

    /// - Parameter max: most that is taken, in bytes.
    public static func read(_ descriptor: Int32, max: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let got = unsafe chunk.withUnsafeMutableBytes { raw in unsafe Glibc.read(descriptor, raw.baseAddress!, raw.count) }
            if got < 0 && errno == EINTR { continue }
            if got < 0 && errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&waiting, 1, -1)
                continue
            }
            guard got >= 0 else { throw Failure(number: errno) }
            if got == 0 { return bytes }
            guard bytes.count + got <= max else { throw .tooLarge }
            bytes.append(contentsOf: chunk[0..<got])
        }
    }
}
