// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A header block of a tar archive.
///
/// ```
/// offset  size  field
///      0   100  name      bytes, zero-filled
///    100     8  mode      octal digits, NUL; uid and gid alike at 108 and 116, both 0
///    124    12  size      11 octal digits, NUL
///    136    12  mtime     seconds since 1970, the same
///    148     8  checksum  sum of all bytes with this field as blanks: 6 octal digits, NUL, blank
///    156     1  type      "0" file, "5" folder, "x" pax records for the next entry
///    257     8  magic     "ustar", NUL, "00"
///    345   155  prefix    the path's beginning, without the "/" before the name
/// ```
/// Source: POSIX.1-2017, pax, "ustar Interchange Format".
struct TarHeader {
    static let blockByteCount = 512
    /// Largest number that a field of 11 octal digits holds.
    static let numberMax: UInt64 = 0o77_777_777_777

    enum Kind: UInt8 {
        case file = 0x30
        case folder = 0x35
        case records = 0x78
    }

    /// Path of an entry as the two fields hold it; nil if they cannot, and pax records must.
    static func fields(of path: [UInt8]) -> (prefix: ArraySlice<UInt8>, name: ArraySlice<UInt8>)? {
        guard path.allSatisfy({ $0 < 0x80 }) else { return nil }
        if path.count <= 100 { return ([], path[...]) }
        // A folder's path ends in "/", which is no place to divide it.
        let last = path.count - (path.last == UInt8(ascii: "/") ? 2 : 1)
        for at in stride(from: min(155, last), through: max(1, path.count - 101), by: -1)
        where path[at] == UInt8(ascii: "/") {
            return (path[..<at], path[(at + 1)...])
        }
        return nil
    }

    /// - Parameters:
    ///   - prefix: at most 155 bytes.
    ///   - name: at most 100 bytes.
    ///   - byteCount, modified: at most `numberMax`.
    static func block(
        _ kind: Kind, prefix: ArraySlice<UInt8>, name: ArraySlice<UInt8>, byteCount: UInt64, modified: UInt64
    ) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockByteCount)
        put(name, at: 0, &block)
        putOctal(kind == .folder ? 0o700 : 0o600, at: 100, digitCount: 7, &block)
        putOctal(0, at: 108, digitCount: 7, &block)
        putOctal(0, at: 116, digitCount: 7, &block)
        putOctal(byteCount, at: 124, digitCount: 11, &block)
        putOctal(modified, at: 136, digitCount: 11, &block)
        for at in 148..<156 { block[at] = 0x20 }
        block[156] = kind.rawValue
        put([0x75, 0x73, 0x74, 0x61, 0x72, 0, 0x30, 0x30], at: 257, &block)
        put(prefix, at: 345, &block)
        var sum: UInt64 = 0
        for byte in block { sum += UInt64(byte) }
        putOctal(sum, at: 148, digitCount: 6, &block)
        block[154] = 0
        return block
    }

    private static func put(_ bytes: ArraySlice<UInt8>, at start: Int, _ block: inout [UInt8]) {
        var at = start
        for byte in bytes {
            block[at] = byte
            at += 1
        }
    }

    private static func putOctal(_ value: UInt64, at start: Int, digitCount: Int, _ block: inout [UInt8]) {
        var rest = value
        for at in stride(from: start + digitCount - 1, through: start, by: -1) {
            block[at] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest & 7)
            rest >>= 3
        }
    }
}
