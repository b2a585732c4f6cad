// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// A `ParityLayout` sees covered files as one string of blocks, set in rows: each file begins with a block of its own,
/// and what is behind its end in the last block, and behind the last block in the last row, is zeroes.
final class ParityLayout {
    let table: ParityTable
    private let place: ParityPlace
    /// The first block of each file, and behind them the end.
    private let starts: [Int]
    private var opened: (index: Int, file: OpenFile?)?

    /// Bytes of a row that are worked on at once: 255 rows of them are 16 MiB.
    private static let windowByteCount = 65_536

    init(_ table: ParityTable, _ place: ParityPlace) {
        (self.table, self.place) = (table, place)
        var starts = [0]
        for file in table.files { starts.append(starts[starts.count - 1] + Self.blockCount(file, table.shape)) }
        self.starts = starts
    }

    private static func blockCount(_ file: ParityTable.File, _ shape: ParityShape) -> Int {
        (Int(file.byteCount) + shape.blockByteCount - 1) / shape.blockByteCount
    }

    var shape: ParityShape { table.shape }

    func blocks(of index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }

    /// Returns the file that a block is of.
    func file(of block: Int) -> Int {
        var (low, high) = (0, table.files.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= block { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns where in a row each step of the work begins.
    func windows() -> StrideTo<Int> { stride(from: 0, to: shape.rowByteCount, by: Self.windowByteCount) }
    func windowByteCount(at column: Int) -> Int { min(Self.windowByteCount, shape.rowByteCount - column) }

    /// Returns the bytes of a row of data; zeroes stand for what is missing or cannot be read.
    func data(row: Int, at column: Int, _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var at = row * shape.rowByteCount + column
        let end = at + count
        while at < end {
            let block = at / shape.blockByteCount
            guard block < shape.blockCount else { break }
            let index = file(of: block)
            let offset = at - starts[index] * shape.blockByteCount
            let wanted = min(end, starts[index + 1] * shape.blockByteCount) - at
            let present = min(wanted, max(0, Int(table.files[index].byteCount) - offset))
            let got = file(index)?.read(present, at: offset) ?? []
            bytes += got
            bytes += repeatElement(0, count: wanted - got.count)
            at += wanted
        }
        bytes += repeatElement(0, count: count - bytes.count)
        return bytes
    }

    private func file(_ index: Int) -> OpenFile? {
        if let opened, opened.index == index { return opened.file }
        let file = place.open(table.files[index].name)
        opened = (index, file)
        return file
    }

    /// Closes the file that is open, because files were replaced and it is another one now.
    func forget() { opened = nil }

    // MARK: Checksums

    /// Returns one block of a file, filled with zeroes; nil when it is not all there.
    func block(_ block: Int, of index: Int, in file: OpenFile) -> [UInt8]? {
        let offset = (block - starts[index]) * shape.blockByteCount
        let count = min(shape.blockByteCount, Int(table.files[index].byteCount) - offset)
        let bytes = file.read(count, at: offset)
        guard bytes.count == count else { return nil }
        return count == shape.blockByteCount ? bytes : bytes + repeatElement(0, count: shape.blockByteCount - count)
    }

    static func check(_ bytes: [UInt8]) throws(VaultError) -> ArraySlice<UInt8> {
        try VaultError.mapping { () throws(CryptoError) in try Digest.sha256(bytes) }.prefix(ParityTable.checkByteCount)
    }

    func isWhole(_ bytes: [UInt8], dataBlock block: Int) throws(VaultError) -> Bool {
        try Self.check(bytes) == table.dataChecks[Self.range(block)]
    }

    func isWhole(_ bytes: [UInt8], parityBlock block: Int) throws(VaultError) -> Bool {
        try Self.check(bytes) == table.parityChecks[Self.range(block)]
    }

    static func range(_ block: Int) -> Range<Int> {
        block * ParityTable.checkByteCount..<(block + 1) * ParityTable.checkByteCount
    }

    /// Returns the blocks of a file that are not as they were.
    ///
    /// - Parameter step: told how many bytes were read.
    func damagedBlocks(
        of index: Int, in file: OpenFile?, _ step: (Int) throws(VaultError) -> Void
    ) throws(VaultError) -> [Int] {
        guard let file else { return Array(blocks(of: index)) }
        var damaged: [Int] = []
        for number in blocks(of: index) {
            try step(shape.blockByteCount)
            guard let bytes = block(number, of: index, in: file), try isWhole(bytes, dataBlock: number) else {
                damaged.append(number)
                continue
            }
        }
        return damaged
    }
}
