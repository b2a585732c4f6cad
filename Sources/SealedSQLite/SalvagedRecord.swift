// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SalvagedRecord` holds one row as SQLite encodes it, read without SQLite: a value is nil where the row has none of
/// that type there.
///
/// Spec: sqlite.org/fileformat2.html §2.1.
public struct SalvagedRecord: Sendable {
    /// The number of the row in its table; nil in tables without them and in indices.
    public let rowID: Int64?
    private let columns: [SalvagedColumn]
    private let body: [UInt8]

    /// Reads the columns of a row; nil when header and body do not fit each other.
    ///
    /// - Parameter payload: the whole of it.
    package init?(payload: [UInt8], rowID: Int64?) {
        guard let columns = SalvagedColumn.list(payload, payloadByteCount: payload.count) else { return nil }
        self.rowID = rowID
        self.columns = columns
        body = payload
    }

    /// Values that the row has.
    public var count: Int { columns.count }

    /// Returns whether the value is NULL. The column that represents the row's number always is.
    public func isNull(_ column: Int) -> Bool { self[column]?.type == 0 }

    /// Returns a BLOB.
    public func blob(_ column: Int) -> [UInt8]? {
        guard let found = self[column], found.isBlob else { return nil }
        return Array(body[found.range])
    }

    /// Returns a text; nil also for one that is not UTF-8.
    public func text(_ column: Int) -> String? {
        guard let found = self[column], found.isText else { return nil }
        return String(validating: body[found.range], as: UTF8.self)
    }

    /// Returns a whole number.
    public func integer(_ column: Int) -> Int64? {
        guard let found = self[column], found.isInteger else { return nil }
        if found.type >= 8 { return found.type - 8 }
        guard let first = body[found.range].first else { return nil }
        let begin: Int64 = first & 0x80 == 0 ? 0 : -1
        return body[found.range].reduce(begin) { $0 << 8 | Int64($1) }
    }

    private subscript(_ column: Int) -> SalvagedColumn? { columns.indices.contains(column) ? columns[column] : nil }
}

/// `SalvagedColumn` holds what a row's header says of one value.
public struct SalvagedColumn: Sendable, Equatable {
    let type: Int64
    /// Where it lies in the payload.
    let range: Range<Int>

    public var isNull: Bool { type == 0 }
    public var isInteger: Bool { (1...6).contains(type) || type == 8 || type == 9 }
    public var isBlob: Bool { type >= 12 && type % 2 == 0 }
    public var isText: Bool { type >= 13 && type % 2 == 1 }
    public var byteCount: Int { range.count }
    /// Returns whether it is a BLOB of this size.
    public func isBlob(of byteCount: Int) -> Bool { isBlob && range.count == byteCount }

    /// Most columns of a row: no table of ours has so many.
    private static let countMax = 32

    /// Reads a row's header.
    ///
    /// - Parameters:
    ///   - bytes: the payload, or the part of it that is in the b-tree's page.
    ///   - payloadByteCount: of the whole, which the values must fill exactly.
    static func list(_ bytes: [UInt8], payloadByteCount: Int) -> [SalvagedColumn]? {
        guard let size = Varint(bytes, 0, bytes.count), size.value >= Int64(size.end), size.value <= Int64(bytes.count)
        else { return nil }
        let end = Int(size.value)
        var (at, body) = (size.end, end)
        var columns: [SalvagedColumn] = []
        while at < end {
            guard columns.count < countMax, let type = Varint(bytes, at, end), let count = byteCount(type.value),
                count <= payloadByteCount - body
            else { return nil }
            columns.append(SalvagedColumn(type: type.value, range: body..<body + count))
            body += count
            at = type.end
        }
        return body == payloadByteCount && !columns.isEmpty ? columns : nil
    }

    private static func byteCount(_ type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: return 0
        case 1...4: return Int(type)
        case 5: return 6
        case 6, 7: return 8
        case 12...: return Int((type - 12) / 2)
        default: return nil
        }
    }
}
