// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ParityTable` says what a parity file covers, how, and the checksum of each block of data and of parity.
///
/// ```
/// UInt16 version | UInt8 percent | UInt32 blockByteCount | UInt8 dataRows | UInt8 parityRows | UInt32 columns
/// | UInt32 count, count x (UInt8 kind | name | UInt64 byteCount) | blocks x 16 bytes | parityRows x columns x 16 bytes
/// ```
/// Spec: docs/format.md §22.1.
public struct ParityTable: Sendable, Equatable {
    public static let version: UInt16 = 1
    /// Most blocks of data in one parity file: with the smallest blocks, 128 MiB.
    public static let blockCountMax = 32_768
    public static let blockByteCounts = 4096...(16 << 20)
    /// Rows of data and of parity together.
    public static let rowCountMax = 255
    public static let checkByteCount = 16
    /// Largest table, in bytes.
    public static let byteCountMax = 4 << 20
    public static let percents = 1...100

    /// `File` is one file that is covered.
    public struct File: Sendable, Equatable {
        public var name: CoveredName
        public var byteCount: UInt64

        public init(name: CoveredName, byteCount: UInt64) {
            self.name = name
            self.byteCount = byteCount
        }
    }

    /// As it was asked for.
    public let percent: Int
    public let shape: ParityShape
    /// In the order of their names.
    public let files: [File]
    /// One after the other, for each block of the files.
    public var dataChecks: [UInt8]
    /// The same for the rows of parity.
    public var parityChecks: [UInt8]

    /// Makes a table whose checksums are not there yet.
    ///
    /// - Returns: nil for no file, one without bytes, names that are not in order, or more than one table has room for.
    public init?(percent: Int, blockByteCount: Int, files: [File]) {
        guard Self.percents.contains(percent), Self.areInOrder(files), Self.isBlockByteCount(blockByteCount),
            let blocks = Self.blockCount(files, blockByteCount)
        else { return nil }
        self.percent = percent
        self.files = files
        shape = ParityShape(blockCount: blocks, percent: percent, blockByteCount: blockByteCount)
        dataChecks = [UInt8](repeating: 0, count: blocks * Self.checkByteCount)
        parityChecks = [UInt8](repeating: 0, count: shape.parityBlockCount * Self.checkByteCount)
    }

    /// Reads a table, and checks that its shape is the one that its files ask for.
    ///
    /// - Throws: `FormatError` for anything that `encoded` does not make.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        percent = Int(try reader.u8())
        let blockByteCount = Int(try reader.u32())
        let rows = (data: Int(try reader.u8()), parity: Int(try reader.u8()))
        let columns = Int(try reader.u32())
        let at = reader.offset
        var files: [File] = []
        // No loop runs further than the bytes that are there.
        for _ in 0..<(try reader.u32()) {
            files.append(File(name: try CoveredName(from: &reader), byteCount: try reader.u64()))
        }
        guard Self.percents.contains(percent), Self.areInOrder(files), Self.isBlockByteCount(blockByteCount),
            let blocks = Self.blockCount(files, blockByteCount)
        else { throw FormatError(.notCanonical, offset: at) }
        let shape = ParityShape(blockCount: blocks, percent: percent, blockByteCount: blockByteCount)
        guard shape.dataRows == rows.data, shape.parityRows == rows.parity, shape.columns == columns else {
            throw FormatError(.notCanonical, offset: 7)
        }
        self.files = files
        self.shape = shape
        dataChecks = try reader.bytes(blocks * Self.checkByteCount)
        parityChecks = try reader.bytes(shape.parityBlockCount * Self.checkByteCount)
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 64 + 48 * files.count + dataChecks.count + parityChecks.count)
        writer.u16(Self.version)
        writer.u8(UInt8(percent))
        writer.u32(UInt32(shape.blockByteCount))
        writer.u8(UInt8(shape.dataRows))
        writer.u8(UInt8(shape.parityRows))
        writer.u32(UInt32(shape.columns))
        writer.u32(UInt32(files.count))
        for file in files {
            file.name.encode(to: &writer)
            writer.u64(file.byteCount)
        }
        writer.raw(dataChecks)
        writer.raw(parityChecks)
        return writer.bytes
    }

    private static func isBlockByteCount(_ number: Int) -> Bool {
        blockByteCounts.contains(number) && number & (number - 1) == 0
    }

    private static func areInOrder(_ files: [File]) -> Bool {
        !files.isEmpty && zip(files, files.dropFirst()).allSatisfy { $0.name < $1.name }
    }

    /// Returns how many blocks the files make; nil for a file without bytes, and for more than there may be.
    private static func blockCount(_ files: [File], _ blockByteCount: Int) -> Int? {
        var blocks = 0
        for file in files {
            guard file.byteCount > 0, file.byteCount <= UInt64(blockByteCount) * UInt64(blockCountMax) else {
                return nil
            }
            blocks += (Int(file.byteCount) + blockByteCount - 1) / blockByteCount
            guard blocks <= blockCountMax else { return nil }
        }
        return blocks
    }
}

/// `ParityShape` says how blocks are set in rows and columns.
public struct ParityShape: Sendable, Equatable {
    public let blockByteCount: Int
    public let blockCount: Int
    public let dataRows: Int
    public let parityRows: Int
    /// Blocks in a row. Each column is a code word of its own.
    public let columns: Int

    init(blockCount: Int, percent: Int, blockByteCount: Int) {
        let most = (1..<ParityTable.rowCountMax).last { $0 + Self.parity($0, percent) <= ParityTable.rowCountMax } ?? 1
        self.blockCount = blockCount
        self.blockByteCount = blockByteCount
        columns = (blockCount + most - 1) / most
        dataRows = (blockCount + columns - 1) / columns
        parityRows = Self.parity(dataRows, percent)
    }

    /// Returns how many rows of parity there are: never fewer than two, because a hole of one block's size lies in two.
    private static func parity(_ rows: Int, _ percent: Int) -> Int { max(2, (rows * percent + 99) / 100) }

    public var parityBlockCount: Int { parityRows * columns }
    public var rowByteCount: Int { columns * blockByteCount }
}
