// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Identifier` holds sixteen bytes that name a device, a note or a revision.
public struct Identifier: Hashable, Comparable, Sendable {
    /// The first eight bytes, big-endian.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// Makes the identifier of two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Takes the first sixteen bytes of a hash.
    public init(_ digest: Digest) { self.init(high: digest.words.0, low: digest.words.1) }

    /// Orders by bytes, as everywhere in the format.
    public static func < (left: Identifier, right: Identifier) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    /// The sixteen bytes.
    public var bytes: [UInt8] { bigEndian(high) + bigEndian(low) }
}

/// `DeviceID` is one life of a device: a restored copy of it is another.
public typealias DeviceID = Identifier
/// A `NoteID` names a note.
public typealias NoteID = Identifier
/// A `RevisionID` names a revision of a note, or a purge.
public typealias RevisionID = Identifier

/// `Digest` is a SHA-256, made outside of the engine.
public struct Digest: Hashable, Comparable, Sendable {
    let first: UInt64
    let second: UInt64
    let third: UInt64
    let fourth: UInt64

    /// Makes the digest of four words, big-endian.
    public init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
    }

    /// The digest before the first segment of a chain.
    public static let zero = Digest(0, 0, 0, 0)

    /// The thirty-two bytes.
    public var bytes: [UInt8] { [first, second, third, fourth].flatMap(bigEndian) }

    /// Orders by bytes.
    public static func < (left: Digest, right: Digest) -> Bool {
        (left.first, left.second, left.third, left.fourth) < (right.first, right.second, right.third, right.fourth)
    }

    var words: (UInt64, UInt64) { (first, second) }
}

func bigEndian(_ word: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
