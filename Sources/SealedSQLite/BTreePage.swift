// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `BTreePage` holds the cells of one page of a SQLite b-tree, read without SQLite.
///
/// The bytes are authentic but may be stale, or of a page that never was one of a b-tree: nothing in them is believed,
/// and what does not fit is left out. Spec: sqlite.org/fileformat2.html §1.6.
package struct BTreePage {
    /// `Kind` is the kind of a page that holds rows.
    package enum Kind: UInt8, Sendable {
        /// Tables without a rowid keep rows in these too.
        case indexInterior = 0x02
        case indexLeaf = 0x0A
        case tableLeaf = 0x0D
    }

    /// `Cell` tells where one cell's payload lies.
    package struct Cell: Equatable, Sendable {
        /// Of a table with rowids.
        package let rowID: Int64?
        package let payloadByteCount: Int
        /// The part that lies in the page.
        package let local: Range<Int>
        /// The first page of the rest.
        package let overflow: UInt32?
    }

    package let kind: Kind
    package let cellCount: Int
    private let bytes: [UInt8]
    private let pointers: Int
    static let usable = PageFile.usableByteCount

    /// Reads the head of a page; nil for a page without rows.
    ///
    /// - Parameter number: of the page, from 1; the first begins with the database's own header.
    package init?(_ bytes: [UInt8], number: UInt32) {
        let begin = number == 1 ? 100 : 0
        guard bytes.count >= Self.usable, let kind = Kind(rawValue: bytes[begin]) else { return nil }
        let count = Int(bytes[begin + 3]) << 8 | Int(bytes[begin + 4])
        let pointers = begin + (kind == .indexInterior ? 12 : 8)
        guard count > 0, pointers + 2 * count <= Self.usable else { return nil }
        self.kind = kind
        self.bytes = bytes
        self.pointers = pointers
        cellCount = count
    }

    /// Finds a cell.
    ///
    /// - Returns: nil where there is none, or none that fits into the page.
    package func cell(_ index: Int) -> Cell? {
        guard index >= 0, index < cellCount else { return nil }
        let pointer = pointers + 2 * index
        var at = Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1])
        guard at >= pointers + 2 * cellCount, at < Self.usable else { return nil }
        if kind == .indexInterior { at += 4 }
        guard let total = Varint(bytes, at, Self.usable), total.value > 0 else { return nil }
        at = total.end
        var rowID: Int64?
        if kind == .tableLeaf {
            guard let number = Varint(bytes, at, Self.usable) else { return nil }
            (rowID, at) = (number.value, number.end)
        }
        // No row of ours is larger, and what says so is no row.
        guard total.value <= Int64(PageSalvage.payloadByteCountMax) else { return nil }
        let count = Int(total.value)
        let local = Self.localByteCount(count, isTable: kind == .tableLeaf)
        guard at + local + (local < count ? 4 : 0) <= Self.usable else { return nil }
        let end = at + local
        let overflow = local < count ? PageSalvage.number(bytes, end) : nil
        guard overflow != 0 else { return nil }
        return Cell(rowID: rowID, payloadByteCount: count, local: at..<end, overflow: overflow)
    }

    /// Returns the bytes of a cell's payload that lie in the page.
    package func localPart(_ cell: Cell) -> ArraySlice<UInt8> { bytes[cell.local] }

    /// Returns how much of a payload lies in the page itself.
    static func localByteCount(_ count: Int, isTable: Bool) -> Int {
        let largest = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard count > largest else { return count }
        let least = (usable - 12) * 32 / 255 - 23
        let wanted = least + (count - least) % (usable - 4)
        return wanted <= largest ? wanted : least
    }
}

/// `Varint` reads SQLite's numbers of one to nine bytes.
struct Varint {
    let value: Int64
    let end: Int

    /// Reads a number; nil when it does not end before `limit`.
    init?(_ bytes: [UInt8], _ begin: Int, _ limit: Int) {
        var value: UInt64 = 0
        for index in 0..<9 {
            let at = begin + index
            guard at < min(limit, bytes.count) else { return nil }
            if index == 8 {
                self.value = Int64(bitPattern: value << 8 | UInt64(bytes[at]))
                end = at + 1
                return
            }
            value = value << 7 | UInt64(bytes[at] & 0x7F)
            if bytes[at] & 0x80 == 0 {
                self.value = Int64(bitPattern: value)
                end = at + 1
                return
            }
        }
        return nil
    }
}
