// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SyncState` is what a device must not forget: written down by its host, and given back at the next start.
public struct SyncState: Hashable, Sendable {
    /// `Chain` says how far another device's chain was read.
    public struct Chain: Hashable, Sendable {
        /// The last segment that was read.
        public var seen = Mark.none
        /// The last one whose entries were taken, where that is another: what lies beyond the end of an epoch is read
        /// for another ending alone.
        var taken: Mark?
        /// How far its writer had read, according to itself.
        public var passed: [DeviceID: UInt64] = [:]
        /// The epoch in which it speaks. A chain of the previous epoch is read only for an ending.
        public let epoch: UInt32
        var hasEnded = false
        /// Whether it was over before its epoch was, or was found after that: nobody waits for it.
        var isLate = false
    }
    /// `Outgoing` is a segment that was sealed and of which no store has said that it has it.
    public struct Outgoing: Hashable, Sendable {
        /// The place to send it to.
        public let place: Place
        /// The hash of its sealed bytes.
        public let digest: Digest
        /// The last own entry in it, by its local sequence number.
        public let through: UInt64
        let isWholeState: Bool
        let ending: Ending?
    }
    /// `Retelling` names entries that must be said once more by this device.
    public enum Retelling: Hashable, Sendable {
        /// All that the vault holds.
        case everything
        /// All that came by this chain and by no unforked one, and is not waiting to be sent.
        case chain(DeviceID)
        /// All that came by none of these chains up to these numbers.
        case beyond([DeviceID: UInt64])
    }
    /// `Suspicion` is something that is an alarm if it lasts.
    public enum Suspicion: Hashable, Sendable {
        /// Others quote a segment that is not there.
        case hidden(DeviceID)
        /// An own segment that was there is not there.
        case lost(UInt64)
        /// The object at a place does not open.
        case unreadable(Place)
    }

    /// This device.
    public internal(set) var device: DeviceID
    /// The epoch, which selects the keys.
    public internal(set) var epoch: UInt32
    /// The digest of the header with which this epoch began; nil in the first, and where it is not known.
    public internal(set) var header: Digest?
    /// The last own segment that a store has acknowledged.
    public internal(set) var own = Mark.none
    /// Own entries up to this local sequence number are in acknowledged segments: *Uploaded*.
    public internal(set) var sentThrough: UInt64 = 0
    /// Sealed, not acknowledged.
    public internal(set) var outgoing: Outgoing?
    /// The other devices' chains.
    public internal(set) var chains: [DeviceID: Chain] = [:]
    /// Chains that say two things.
    public internal(set) var forked: Set<DeviceID> = []
    /// Devices that hold nothing up.
    public internal(set) var retired: Set<DeviceID> = []
    /// Entries that are still to be said again.
    public internal(set) var retellings: [Retelling] = []
    /// The suspicions, each with the time of its first sign.
    public internal(set) var suspicions: [Suspicion: Int64] = [:]
    /// The highest own segment that was read back.
    public internal(set) var verified: UInt64 = 0
    var isCardSent = false
    /// By level, from 1: how many own spans a store has acknowledged.
    var spansSent: [UInt64] = [0, 0, 0]
    /// By level, from 1: how many own spans were read back, and what they hold removed.
    var spansSwept: [UInt64] = [0, 0, 0]
    /// Own segments up to this one were removed, but for those that their span leaves out.
    var deletedThrough: UInt64 = 0
    var leftOut: Set<UInt64> = []
    /// Whether all that was true when the epoch began is here.
    public internal(set) var isWhole: Bool
    var owesWholeState = false
    /// Its owner has given devices up, and nobody was told yet.
    var owesRetired = false
    /// Endings that are known and whose key was not given. One is not the owner's word until it was.
    public internal(set) var endings: [Digest: Ending] = [:]
    /// The ending by this device, whose key it has.
    var ownEnding: Digest?

    /// Devices of the epoch before that have not spoken in this one.
    public var awaited: Set<DeviceID> {
        Set(chains.filter { $0.value.epoch < epoch && !$0.value.isLate }.keys).subtracting(retired)
    }
    /// Whether this epoch has ended.
    public var isEnded: Bool { endings.values.contains { $0.epoch == epoch } }

    /// Gives devices up as `Event.retire` does, in a state that is only written down.
    public mutating func giveUp(_ devices: [DeviceID]) {
        let new = Set(devices).subtracting(retired).subtracting([device])
        guard !new.isEmpty else { return }
        retired.formUnion(new)
        owesRetired = true
    }

    /// Makes the state of a device that has said and heard nothing: of a new vault, or of a clone from a remote.
    ///
    /// - Parameters:
    ///   - header: the digest of the header with which the epoch began, where it is known.
    ///   - isFirst: whether the vault was made here.
    public init(device: DeviceID, epoch: UInt32 = 0, header: Digest? = nil, isFirst: Bool = false) {
        self.device = device
        self.epoch = epoch
        self.header = header
        isWhole = isFirst || epoch == 0
    }
}
