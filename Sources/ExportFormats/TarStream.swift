// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// An export as a tar archive, written as one stream: ustar, with pax records where that has no room.
///
/// Every file has the mode 0600, every folder 0700; nobody's name or number is in it.
public final class TarStream: ExportTarget {
    private static let recordByteCount: UInt64 = 10_240

    private let output: ByteOutput
    private var recordsCount = 0

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

    /// Two empty blocks, and more until the length is what tape drives once took.
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
