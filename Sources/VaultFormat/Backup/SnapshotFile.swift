// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SnapshotFile` is the file of a snapshot: it holds what is readable without a key, and the sealed list.
///
/// ```
/// "VLB1" | snapshot ID 16 bytes | UInt16 byteCount, header | sealed list
/// ```
/// Spec: docs/format.md §22.
public struct SnapshotFile: Sendable, Equatable {
    public static let magic = Array("VLB1".utf8)
    public static let idByteCount = 16
    /// Largest file, in bytes: Padmé and chunks add less than an eighth to a list.
    public static let byteCountMax = SnapshotList.byteCountMax / 8 * 9 + 4096
    /// Largest size of what precedes the list, in bytes.
    public static let headByteCountMax = 4 + idByteCount + 2 + UnverifiedHeader.byteCountMax

    public var id: [UInt8]
    /// The vault's when it was made, as its file had it.
    public var header: [UInt8]
    public var sealedList: [UInt8]

    public init(id: [UInt8], header: [UInt8], sealedList: [UInt8]) {
        self.id = id
        self.header = header
        self.sealedList = sealedList
    }

    /// Reads a snapshot's file; header and list are taken as they are.
    ///
    /// - Throws: `FormatError.badMagic`, `.tooLarge`, `.truncated`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.bytes(4) == Self.magic else { throw FormatError(.badMagic, offset: 0) }
        id = try reader.bytes(Self.idByteCount)
        let count = Int(try reader.u16())
        guard count <= UnverifiedHeader.byteCountMax else { throw FormatError(.tooLarge, offset: 20) }
        header = try reader.bytes(count)
        sealedList = try reader.bytes(reader.remaining)
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 32 + header.count + sealedList.count)
        writer.raw(Self.magic)
        writer.raw(id)
        writer.u16(UInt16(header.count))
        writer.raw(header)
        writer.raw(sealedList)
        return writer.bytes
    }
}

/// `SnapshotName` says what a snapshot's file is called: when it was made, in UTC, and the begin of its identifier.
public struct SnapshotName: Sendable, Equatable, Comparable {
    public let text: String

    /// Takes a name that somebody gave or a folder has; nil for anything else than one of ours.
    ///
    /// `YYYYMMDD`T`HHMMSS`Z-8 hexadecimal digits, so no path can be made of it (ThreatModel H05).
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 25, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z"),
            bytes[16] == UInt8(ascii: "-")
        else { return nil }
        let digits = [0..<8, 9..<15].flatMap { bytes[$0] }
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        guard bytes[17...].allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else { return nil }
        self.text = text
    }

    /// Makes the name of a snapshot; nil for a time of another form.
    ///
    /// - Parameter made: as `YYYYMMDD`T`HHMMSS`Z.
    public init?(made: String, id: [UInt8]) {
        self.init(made + "-" + hexadecimal(id.prefix(4)))
    }

    public static func < (one: SnapshotName, other: SnapshotName) -> Bool { one.text < other.text }
}
