// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A vault's random identity, 16 bytes, never all zero.
public struct VaultID: Hashable, Sendable {
    public static let byteCount = 16
    public let bytes: [UInt8]

    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }
    public var hex: String { hexadecimal(bytes) }
}

/// A note's random identity: 10 bytes, shown as 16 characters of base32.
public struct NoteID: Hashable, Sendable {
    public static let byteCount = 10
    public static let textCharacterCount = 16
    public let bytes: [UInt8]

    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }
    public var text: String { Base32.encode(bytes) }
}

/// A revision's random identity, 16 bytes.
public struct RevisionID: Hashable, Sendable {
    public static let byteCount = 16
    public let bytes: [UInt8]

    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }
    public var text: String { Base32.encode(bytes) }
}

/// A draft's random identity, 16 bytes.
public struct DraftID: Hashable, Sendable {
    public static let byteCount = 16
    public let bytes: [UInt8]

    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }
    public var text: String { Base32.encode(bytes) }
    public var hex: String { hexadecimal(bytes) }
}

private func identifier(_ bytes: [UInt8], byteCount: Int) throws(FormatError) -> [UInt8] {
    guard bytes.count == byteCount else { throw FormatError(.truncated) }
    guard bytes.contains(where: { $0 != 0 }) else { throw FormatError(.allZero) }
    return bytes
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
