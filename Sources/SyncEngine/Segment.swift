// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Mark` names a segment of a chain: its number and the hash of its sealed bytes.
public struct Mark: Hashable, Sendable {
    /// From 1; 0 is before the first.
    public var number: UInt64
    /// Of the sealed bytes.
    public var digest: Digest

    /// Makes a mark.
    public init(number: UInt64, digest: Digest) {
        self.number = number
        self.digest = digest
    }

    /// Before the first segment.
    public static let none = Mark(number: 0, digest: .zero)
}

/// `Place` is what the name of an object in a remote is made of, by HMAC outside of the engine.
public struct Place: Hashable, Sendable {
    /// `Kind` is the kind of object at a place.
    public enum Kind: Hashable, Sendable {
        /// Says that a device is there: found by a listing.
        case card
        /// Entries, under their number.
        case segment
        /// Many segments in one, under the number of the span: `spanWidth` to the power of the level, from 1.
        case span(level: Int)
    }

    /// Kind of object.
    public let kind: Kind
    /// The epoch under whose keys it is named and sealed.
    public let epoch: UInt32
    /// The writer.
    public let device: DeviceID
    /// The number in its chain; 0 for a card.
    public let number: UInt64

    /// Makes a place.
    public init(kind: Kind, epoch: UInt32, device: DeviceID, number: UInt64 = 0) {
        (self.kind, self.epoch, self.device, self.number) = (kind, epoch, device, number)
    }
}

/// `Segment` is what one device says at once. Sealed outside of the engine, once, and sent as it is.
public struct Segment: Hashable, Sendable {
    /// Where it belongs: it opens nowhere else.
    public var place: Place
    /// The hash of the segment before it in the chain.
    public var previous: Digest
    /// How far its writer had read the chains of its epoch.
    public var vector: [DeviceID: Mark]
    /// Chains that are known to say two things.
    public var forked: Set<DeviceID>
    /// Devices that nobody waits for any longer: their owner said so, or they continue under another name.
    public var retired: Set<DeviceID>
    /// Whether more of what its writer had to say when it read that vector follows.
    public var isPart: Bool
    /// Whether with it all was said that was true when the epoch began.
    public var isWholeState: Bool
    /// The digest of the next epoch's header, when the epoch ends with it: the cut is its vector and itself.
    public var nextHeader: Digest?
    /// What happened; none when only the vector is told.
    public var entries: [Entry]

    /// Makes a segment.
    public init(
        place: Place, previous: Digest, vector: [DeviceID: Mark] = [:], forked: Set<DeviceID> = [],
        retired: Set<DeviceID> = [], isPart: Bool = false, isWholeState: Bool = false, nextHeader: Digest? = nil,
        entries: [Entry]
    ) {
        (self.place, self.previous, self.vector, self.entries) = (place, previous, vector, entries)
        (self.forked, self.retired, self.nextHeader) = (forked, retired, nextHeader)
        (self.isPart, self.isWholeState) = (isPart, isWholeState)
    }

    /// The end of an epoch by this segment; nil when it ends none.
    public var ending: Ending? {
        nextHeader.map { header in
            let cut = vector.mapValues(\.number).merging([place.device: place.number]) { $1 }
            return Ending(epoch: place.epoch, cut: cut, header: header)
        }
    }
}

/// `Ending` is the end of an epoch.
public struct Ending: Hashable, Sendable {
    /// The epoch that ends.
    public let epoch: UInt32
    /// The numbers up to which its chains count.
    public let cut: [DeviceID: UInt64]
    /// The digest of the header of the next one. Of two endings the one with the smaller counts.
    public let header: Digest
}

/// `OpenedSegment` is a segment that was opened, with the hash of its sealed bytes.
public struct OpenedSegment: Hashable, Sendable {
    /// What it says.
    public let segment: Segment
    /// Of the sealed bytes.
    public let digest: Digest

    /// Makes an opened segment.
    public init(segment: Segment, digest: Digest) {
        self.segment = segment
        self.digest = digest
    }
}
