// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ParityHead` holds what a parity file begins and ends with: how long its table is, and the table's SHA-256.
///
/// ```
/// "VLP1" | UInt64 tableByteCount | SHA-256 of the table 32 bytes | SHA-256 of all that, its first 20 bytes
/// ```
/// Spec: docs/format.md §22.1.
public struct ParityHead: Sendable, Equatable {
    public static let magic = Array("VLP1".utf8)
    public static let byteCount = 64
    static let checkedByteCount = 44
    public static let alignment = 4096

    public let tableByteCount: Int
    public let tableDigest: [UInt8]

    public init(tableByteCount: Int, tableDigest: [UInt8]) {
        self.tableByteCount = tableByteCount
        self.tableDigest = tableDigest
    }

    /// Reads a head; nil unless all of its 64 bytes fit together.
    ///
    /// - Parameter sha256: of bytes; this module has none of its own.
    public init?(parsing bytes: [UInt8], sha256: ([UInt8]) -> [UInt8]?) {
        var reader = ByteReader(bytes)
        guard bytes.count == Self.byteCount, let magic = try? reader.bytes(4), magic == Self.magic,
            let count = try? reader.u64(), count <= UInt64(ParityTable.byteCountMax),
            let digest = try? reader.bytes(32),
            sha256(Array(bytes[..<Self.checkedByteCount]))?.prefix(20) == bytes[Self.checkedByteCount...]
        else { return nil }
        (tableByteCount, tableDigest) = (Int(count), digest)
    }

    /// The bytes without their own checksum.
    public var checked: [UInt8] {
        var writer = ByteWriter()
        writer.raw(Self.magic)
        writer.u64(UInt64(tableByteCount))
        writer.raw(tableDigest)
        return writer.bytes
    }

    /// Where the rows of parity begin.
    public var parityOffset: Int {
        (Self.byteCount + tableByteCount + Self.alignment - 1) / Self.alignment * Self.alignment
    }
}
