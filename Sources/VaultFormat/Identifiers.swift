// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `VaultID` is a vault's random identity, 16 bytes, never all zero.
public struct VaultID: Hashable, Sendable {
    public static let byteCount = 16
    public let bytes: [UInt8]

    /// Takes the 16 bytes of a vault's ID.
    ///
    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }
    public var hex: String { hexadecimal(bytes) }
}

/// `CopyID` is a copy's random identity, 16 bytes, never all zero: it has the vault's ID, since its content is bound to
/// that, and this one besides.
public struct CopyID: Hashable, Sendable {
    public static let byteCount = 16
    public let bytes: [UInt8]

    /// Takes the 16 bytes of a copy's ID.
    ///
    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }
    public var hex: String { hexadecimal(bytes) }
}

/// `VaultIdentity` tells a vault from every other one, and from its copies: pins, sockets and backups go by it.
public struct VaultIdentity: Hashable, Sendable {
    public let vaultID: VaultID
    public let copyID: CopyID?

    public init(vaultID: VaultID, copyID: CopyID? = nil) {
        self.vaultID = vaultID
        self.copyID = copyID
    }

    /// 16 bytes that nothing else is named by.
    public var name: [UInt8] { copyID?.bytes ?? vaultID.bytes }
    public var hex: String { hexadecimal(name) }

    /// Reads the identity as the file of a path holds it: the vault's ID, and that of a copy behind it. Spec:
    /// docs/format.md §8.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        vaultID = try VaultID(reader.bytes(VaultID.byteCount))
        copyID = bytes.count > VaultID.byteCount ? try CopyID(reader.bytes(CopyID.byteCount)) : nil
        try reader.end()
    }

    public var encoded: [UInt8] { vaultID.bytes + (copyID?.bytes ?? []) }
}

/// `NoteID` is a note's random identity: 10 bytes, shown as 16 characters of base32.
public struct NoteID: Hashable, Sendable {
    public static let byteCount = 10
    public static let textCharacterCount = 16
    /// Lists show at least so much of one.
    public static let shownCharacterCountMin = 4
    public let bytes: [UInt8]

    /// Takes the 10 bytes of a note's ID.
    ///
    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }

    private init(zeros: Void) { bytes = [UInt8](repeating: 0, count: Self.byteCount) }

    /// Stands in an entry that is of no note: 10 zeros, which no note has.
    public static let none = NoteID(zeros: ())
    public var text: String { Base32.encode(bytes) }
}

/// `RevisionID` is a revision's identity, 16 bytes: random, or of a join made of what was joined.
public struct RevisionID: Hashable, Comparable, Sendable {
    public static let byteCount = 16
    public let bytes: [UInt8]

    /// Takes the 16 bytes of a revision's ID.
    ///
    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }
    public var text: String { Base32.encode(bytes) }

    /// Orders by bytes, as everywhere in the format.
    public static func < (left: RevisionID, right: RevisionID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// `DeviceID` is a device's random identity for one vault, 16 bytes: one life of it, since a restored copy is another
/// device.
public struct DeviceID: Hashable, Comparable, Sendable {
    public static let byteCount = 16
    public let bytes: [UInt8]

    /// Takes the 16 bytes of a device's ID.
    ///
    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }
    public var text: String { Base32.encode(bytes) }
    public var hex: String { hexadecimal(bytes) }

    /// Orders by bytes, as everywhere in the format.
    public static func < (left: DeviceID, right: DeviceID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// `DraftID` is a draft's random identity, 16 bytes.
public struct DraftID: Hashable, Sendable {
    public static let byteCount = 16
    public let bytes: [UInt8]

    /// Takes the 16 bytes of a draft's ID.
    ///
    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }
    public var text: String { Base32.encode(bytes) }
    public var hex: String { hexadecimal(bytes) }
}

/// `AttachmentID` names an attachment, in 16 random bytes: the same for as long as it exists, whatever file holds it.
public struct AttachmentID: Hashable, Sendable {
    public static let byteCount = 16
    public let bytes: [UInt8]

    /// Takes the 16 bytes of an attachment's ID.
    ///
    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }
    public var text: String { Base32.encode(bytes) }
}

/// `ObjectName` names the file of one sealed attachment, in 32 random bytes: a file that is written anew has a new
/// name.
public struct ObjectName: Hashable, Sendable {
    public static let byteCount = 32
    public let bytes: [UInt8]

    /// Takes the 32 bytes of an object's name.
    ///
    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }

    /// Reads the name of a file in `objects/`; nil for anything but 64 lower-case hexadecimal digits (ThreatModel H05).
    public init?(hex text: String) {
        guard let bytes = hexadecimalBytes(text), let name = try? ObjectName(bytes) else { return nil }
        self = name
    }
    public var hex: String { hexadecimal(bytes) }
    /// The folder in `objects/` that contains it: the first two digits.
    public var folder: String { String(hex.prefix(2)) }
}

func identifier(_ bytes: [UInt8], byteCount: Int) throws(FormatError) -> [UInt8] {
    guard bytes.count == byteCount else { throw FormatError(.truncated) }
    guard bytes.contains(where: { $0 != 0 }) else { throw FormatError(.allZero) }
    return bytes
}

/// Returns two lower-case digits for each byte, as names of files and objects have them.
public func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// Returns the bytes of lower-case digits; nil for anything else.
func hexadecimalBytes(_ text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8.map { digit -> UInt8? in
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
}
