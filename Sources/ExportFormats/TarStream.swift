// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `TarStream` writes an export as a tar archive in one stream: ustar, with pax records where that has no room.
///
/// Every file has the mode 0600, every folder 0700; nobody's name or number is in it.
public final class TarStream: ExportTarget {
    private static let recordByteCount: UInt64 = 10_240

    private let output: ByteOutput
    private var recordsCount = 0

    /// Begins an archive.
    ///
    /// - Parameter sink: takes the archive, in pieces of about 64 KiB.
    public init(_ sink: @escaping ByteSink) { output = ByteOutput(sink) }

    public func addFolder(_ path: [String], modified: Int64) throws {
        try ExportPath.check(path)
        try writeHeader(.folder, Array(path.joined(separator: "/").utf8) + [UInt8(ascii: "/")], byteCount: 0, modified)
    }

    public func addFile(_ path: [String], byteCount: UInt64, modified: Int64, content: (ByteSink) throws -> Void) throws
    {
        try ExportPath.check(path)
        try writeHeader(.file, Array(path.joined(separator: "/").utf8), byteCount: byteCount, modified)
        var counter = ContentCounter(byteCount: byteCount)
        try content { piece in
            try counter.take(piece.count)
            try output.write(piece)
        }
        try counter.end()
        try pad(to: UInt64(TarHeader.blockByteCount))
    }

    /// Writes two empty blocks, and more until the length is what tape drives once took.
    public func finish() throws {
        try output.write([UInt8](repeating: 0, count: 2 * TarHeader.blockByteCount))
        try pad(to: Self.recordByteCount)
        try output.flush()
    }

    private func writeHeader(_ kind: TarHeader.Kind, _ path: [UInt8], byteCount: UInt64, _ modified: Int64) throws {
        // Whole seconds, downwards.
        let seconds = modified >= 0 ? modified / 1000 : -((-(modified + 1)) / 1000) - 1
        var records = PaxRecords()
        var fields = TarHeader.fields(of: path)
        if fields == nil {
            records.add("path", path)
            // For programs that know no records. It cannot leave a folder: it has none.
            fields = ([], (path.suffix(90).map { $0 < 0x80 && $0 != UInt8(ascii: "/") ? $0 : UInt8(ascii: "_") })[...])
        }
        if byteCount > TarHeader.numberMax { records.add("size", byteCount) }
        let time = seconds < 0 ? 0 : UInt64(seconds)
        if seconds < 0 || time > TarHeader.numberMax { records.add("mtime", seconds) }
        if !records.bytes.isEmpty { try write(records) }
        let (prefix, name) = fields ?? ([], [])
        try output.write(
            TarHeader.block(
                kind, prefix: prefix, name: name, byteCount: min(byteCount, TarHeader.numberMax),
                modified: min(time, TarHeader.numberMax)))
    }

    private func write(_ records: PaxRecords) throws {
        recordsCount += 1
        let name = Array("PaxHeaders/\(recordsCount)".utf8)
        let byteCount = UInt64(records.bytes.count)
        try output.write(TarHeader.block(.records, prefix: [], name: name[...], byteCount: byteCount, modified: 0))
        try output.write(records.bytes)
        try pad(to: UInt64(TarHeader.blockByteCount))
    }

    private func pad(to multiple: UInt64) throws {
        let over = Int(output.byteCount % multiple)
        if over > 0 { try output.write([UInt8](repeating: 0, count: Int(multiple) - over)) }
    }
}

/// `TarHeader` makes a header block of a tar archive.
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

    /// Returns the path of an entry as the two fields hold it; nil if they cannot, and pax records must.
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

    /// Returns the header block of an entry.
    ///
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

/// `PaxRecords` holds what a tar header has no room for: long or non-ASCII paths, large sizes, times before 1970.
///
/// A record is its own length in decimal digits, a blank, key, "=", value and LF. Source: POSIX.1-2017, pax, "pax
/// Header Block".
struct PaxRecords {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ key: String, _ value: some Collection<UInt8>) {
        let rest = key.utf8.count + value.count + 3
        var total = rest + 1
        // The length counts its own digits, which may make it longer.
        while total < rest + String(total).utf8.count { total += 1 }
        bytes += String(total).utf8
        bytes.append(UInt8(ascii: " "))
        bytes += key.utf8
        bytes.append(UInt8(ascii: "="))
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func add(_ key: String, _ number: some BinaryInteger) { add(key, Array(String(number).utf8)) }
}
