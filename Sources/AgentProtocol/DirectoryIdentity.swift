// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// Which directory a client means: two copies of one vault have the same vault ID, and so the same socket, but not the
/// same place.
///
/// Device and inode, 16 bytes; empty when it does not matter or cannot be told.
public enum DirectoryIdentity {
    public static let byteCountMax = 16

    /// Of a directory by its absolute path.
    public static func of(path: [UInt8]) -> [UInt8] {
        var status = stat()
        let text = path.map { CChar(bitPattern: $0) } + [0]
        return unsafe stat(text, &status) == 0 ? encoded(status) : []
    }

    /// Of an open directory.
    public static func of(descriptor: Int32) -> [UInt8] {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? encoded(status) : []
    }

    private static func encoded(_ status: stat) -> [UInt8] {
        [UInt64(status.st_dev), UInt64(status.st_ino)].flatMap { number in
            stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }
}
