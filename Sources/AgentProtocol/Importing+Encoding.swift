// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

extension Importing {
    private enum Operation: UInt8 { case begin = 1, attachment, notes, totals, end }

    func encode(to writer: inout ByteWriter) {
        switch self {
        case .begin(let order):
            writer.u8(Operation.begin.rawValue)
            writer.text(order.format)
            writer.text(order.source)
            writer.flag(order.dryRun)
            writer.flag(order.hasPassword)
            writer.flag(order.tellsLosses)
        case .attachment(let key, let file):
            writer.u8(Operation.attachment.rawValue)
            writer.text(key)
            file.encode(to: &writer)
        case .notes(let records):
            writer.u8(Operation.notes.rawValue)
            writer.u32(UInt32(records.count))
            for record in records { writer.lengthPrefixed(record) }
        case .totals: writer.u8(Operation.totals.rawValue)
        case .end(let end):
            writer.u8(Operation.end.rawValue)
            end.encode(to: &writer)
        }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        guard let operation = Operation(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        switch operation {
        case .begin:
            var order = ImportOrder(format: try reader.text(max: 32), source: try reader.text(max: 4096))
            order.dryRun = try reader.flag()
            order.hasPassword = try reader.flag()
            order.tellsLosses = try reader.flag()
            self = .begin(order)
        case .attachment: self = .attachment(key: try reader.text(max: 1024), try AddedFile(from: &reader))
        case .notes: self = .notes(try reader.records())
        case .totals: self = .totals
        case .end: self = .end(try ImportEnd(from: &reader))
        }
    }
}

extension ImportEnd {
    func encode(to writer: inout ByteWriter) {
        writer.u32(UInt32(leftOut.count))
        for file in leftOut {
            writer.text(file.path)
            writer.text(file.code)
        }
        writer.u64(leftOutCount)
        writer.text(timeZone)
        writer.u64(zonelessDateCount)
        writer.flag(!found.isEmpty)
        if !found.isEmpty { for count in found + delivered { writer.u64(count) } }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        let count = try reader.u32()
        // Each is at least eight bytes: no more are believed than can be there.
        guard Int(count) <= reader.remaining / 8 else { throw FormatError(.tooLarge, offset: reader.offset) }
        for _ in 0..<count { leftOut.append(LeftOutFile(path: try reader.text(max: 16384), code: try reader.text(max: 64))) }
        leftOutCount = try reader.u64()
        timeZone = try reader.text(max: 4096)
        zonelessDateCount = try reader.u64()
        guard try reader.flag() else { return }
        for _ in Self.countNames { found.append(try reader.u64()) }
        for _ in Self.countNames { delivered.append(try reader.u64()) }
    }
}
