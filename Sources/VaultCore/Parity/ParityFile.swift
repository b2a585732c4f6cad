// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// A `ParityFile` is a parity file that was opened: its table, from whichever of its two copies is whole, and its rows
/// of parity.
struct ParityFile {
    let name: String
    let table: ParityTable
    /// Both heads and both copies of the table are whole, and the file has its size.
    let isTableWhole: Bool
    private let file: OpenFile
    private let parityOffset: Int

    /// Opens a parity file.
    ///
    /// - Returns: nil when neither copy of the table is whole, or there is no such file.
    init?(_ name: String, in place: ParityPlace) {
        guard let file = place.openParity(name), file.byteCount < UInt64(Int64.max) else { return nil }
        let end = Int(file.byteCount)
        let front = Self.head(file, at: 0)
        let back = Self.head(file, at: end - ParityHead.byteCount)
        for head in [front, back].compactMap({ $0 }) {
            let first = Self.table(head, file, at: ParityHead.byteCount)
            let second = Self.table(head, file, at: end - ParityHead.byteCount - head.tableByteCount)
            guard let table = first ?? second else { continue }
            (self.name, self.table, self.file, parityOffset) = (name, table, file, head.parityOffset)
            isTableWhole =
                first != nil && second != nil && front == back
                && end == Self.byteCount(head, table.shape)
            return
        }
        return nil
    }

    static func byteCount(_ head: ParityHead, _ shape: ParityShape) -> Int {
        head.parityOffset + shape.parityRows * shape.rowByteCount + head.tableByteCount + ParityHead.byteCount
    }

    private static func sha256(_ bytes: [UInt8]) -> [UInt8]? { try? Digest.sha256(bytes) }

    private static func head(_ file: OpenFile, at offset: Int) -> ParityHead? {
        guard offset >= 0 else { return nil }
        return ParityHead(parsing: file.read(ParityHead.byteCount, at: offset), sha256: sha256)
    }

    /// Reads a copy of the table; no more is read than a table may have, and no more than is there.
    private static func table(_ head: ParityHead, _ file: OpenFile, at offset: Int) -> ParityTable? {
        guard offset >= 0, offset + head.tableByteCount <= Int(file.byteCount) else { return nil }
        let bytes = file.read(head.tableByteCount, at: offset)
        guard bytes.count == head.tableByteCount, sha256(bytes) == head.tableDigest else { return nil }
        return try? ParityTable(parsing: bytes)
    }

    /// Returns the encoded head and checksum.
    static func head(of table: [UInt8]) throws(VaultError) -> (head: ParityHead, bytes: [UInt8]) {
        try VaultError.mapping { () throws(CryptoError) in
            let head = ParityHead(tableByteCount: table.count, tableDigest: try Digest.sha256(table))
            return (head, head.checked + (try Digest.sha256(head.checked)).prefix(20))
        }
    }

    /// Returns the bytes of a row of parity; zeroes stand for what cannot be read.
    func parity(row: Int, at column: Int, _ count: Int) -> [UInt8] {
        let got = file.read(count, at: parityOffset + row * table.shape.rowByteCount + column)
        return got + repeatElement(0, count: count - got.count)
    }

    /// Returns a block of parity; nil when it is not all there.
    func parityBlock(_ block: Int) -> [UInt8]? {
        let count = table.shape.blockByteCount
        let bytes = file.read(count, at: parityOffset + block * count)
        return bytes.count == count ? bytes : nil
    }
}
