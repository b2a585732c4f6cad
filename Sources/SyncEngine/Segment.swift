// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A segment of a chain: its number and the hash of it as it lies.
public struct Mark: Hashable, Sendable {
    /// From 1; 0 is before the first.
    public var number: UInt64
    /// Of the sealed bytes.
    public var digest: Digest

    /// A mark.
    public init(number: UInt64, digest: Digest) {
        self.number = number
        self.digest = digest
    }

    /// Before the first segment.
    public static let none = Mark(number: 0, digest: .zero)
}

/// What the name of an object in a remote is made of, by HMAC outside of the engine.
public struct Place: Hashable, Sendable {
    /// What lies there.
    public enum Kind: Hashable, Sendable {
        /// Says that a device is there: found by a listing.
        case card
        /// Entries, under their number.
        case segment
        /// Many segments in one, under the number of the span.
        case span
    }

    /// Kind of object.
    public let kind: Kind
    /// The epoch under whose keys it is named and sealed.
    public let epoch: UInt32
    /// The writer.
    public let device: DeviceID
    /// The number in its chain; 0 for a card.
    public let number: UInt64

    /// A place.
    public init(kind: Kind, epoch: UInt32, device: DeviceID, number: UInt64 = 0) {
        (self.kind, self.epoch, self.device, self.number) = (kind, epoch, device, number)
    }
}

/// What one device says at once. Sealed outside of the engine, once, and sent as it is.
public struct Segment: Hashable, Sendable {
    /// Where it belongs: it opens nowhere else.
    public var place: Place
    /// The hash of the segment before it in the chain.
    public var previous: Digest
    /// What its writer had read, of the chains of its epoch.
    public var vector: [DeviceID: Mark]
    /// The identity that its writer had before, and how far that one had come.
    public var continues: DeviceID?
    /// The last number of that identity which its writer knows.
    public var continuesFrom: UInt64
    /// Chains that are known to say two things.
    public var forked: Set<DeviceID>
    /// Devices that hold nothing up any more.
    public var retired: Set<DeviceID>
    /// Whether more of what its writer had to say when it read that vector follows.
    public var isPart: Bool
    /// Whether with it all was said that was true when the epoch began.
    public var isWholeState: Bool
    /// Whether the epoch ends with it: the cut is its vector and itself.
    public var isEnding: Bool
    /// What happened; none when only the vector is told.
    public var entries: [Entry]

    /// A segment.
    public init(
        place: Place, previous: Digest, vector: [DeviceID: Mark] = [:], continues: DeviceID? = nil,
        continuesFrom: UInt64 = 0, forked: Set<DeviceID> = [], retired: Set<DeviceID> = [], isPart: Bool = false,
        isWholeState: Bool = false, isEnding: Bool = false, entries: [Entry]
    ) {
        (self.place, self.previous, self.vector, self.entries) = (place, previous, vector, entries)
        (self.continues, self.continuesFrom, self.forked, self.retired) = (continues, continuesFrom, forked, retired)
        (self.isPart, self.isWholeState, self.isEnding) = (isPart, isWholeState, isEnding)
    }

    /// The numbers up to which the chains of an epoch count that ends with this segment.
    public var cut: [DeviceID: UInt64] {
        vector.mapValues(\.number).merging([place.device: place.number]) { $1 }
    }
}

/// A segment that was opened, with the hash of its sealed bytes.
public struct OpenedSegment: Hashable, Sendable {
    /// What it says.
    public let segment: Segment
    /// Of the sealed bytes.
    public let digest: Digest

    /// An opened segment.
    public init(segment: Segment, digest: Digest) {
        self.segment = segment
        self.digest = digest
    }
}
