// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What a device must not forget: written down by its host, and given back at the next start.
public struct SyncState: Hashable, Sendable {
    /// How far another device's chain was read.
    public struct Chain: Hashable, Sendable {
        /// The last segment that was applied.
        public var seen = Mark.none
        /// What its writer had read, by its own words.
        public var passed: [DeviceID: UInt64] = [:]
        /// The number from which another chain goes on. One that still speaks beyond it was copied, and lives.
        public var continuedFrom: UInt64?
        /// The epoch in which it speaks.
        public let epoch: UInt32

        var isContinued: Bool { continuedFrom.map { seen.number <= $0 } ?? false }
    }
    /// A segment that was sealed and of which no store has said that it has it.
    public struct Outgoing: Hashable, Sendable {
        /// Where it goes.
        public let place: Place
        /// The hash of its sealed bytes.
        public let digest: Digest
        /// The last own entry in it, by its local sequence number.
        public let through: UInt64
        let isWholeState: Bool
        let cut: [DeviceID: UInt64]?
    }
    /// Entries that must be said once more by this device.
    public enum Retelling: Hashable, Sendable {
        /// All that the vault holds.
        case everything
        /// What came by one chain.
        case chain(DeviceID)
        /// All that came by none of these chains up to these numbers, and is no longer waiting to be sent.
        case beyond([DeviceID: UInt64])
    }
    /// Something that is an alarm if it lasts.
    public enum Suspicion: Hashable, Sendable {
        /// Others quote a segment that is not there.
        case hidden(DeviceID)
        /// An own segment that was there is not there.
        case lost(UInt64)
        /// What lies at a place does not open.
        case unreadable(Place)
    }

    /// Who speaks.
    public internal(set) var device: DeviceID
    /// The identity that this one continues.
    public internal(set) var continues: DeviceID?
    var continuesFrom: UInt64 = 0
    /// Under which keys.
    public internal(set) var epoch: UInt32
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
    /// Devices of the epoch before that have not spoken in this one.
    public internal(set) var awaited: Set<DeviceID> = []
    /// What is still to be said again.
    public internal(set) var retellings: [Retelling] = []
    /// What is suspected, and since when.
    public internal(set) var suspicions: [Suspicion: Int64] = [:]
    /// The highest own segment that was read back.
    public internal(set) var verified: UInt64 = 0
    var isCardSent = false
    var spansSent: UInt64 = 0
    var spansVerified: UInt64 = 0
    var deletedThrough: UInt64 = 0
    /// Whether all that was true when the epoch began is here.
    public internal(set) var isWhole: Bool
    var owesWholeState = false
    /// The cut of an epoch that another device has ended, until the next one's key is given.
    public internal(set) var cut: [DeviceID: UInt64]?
    var endedBy: DeviceID?
    var endsEpoch = false

    /// A device that has said and heard nothing: of a new vault, or of a clone from a remote.
    ///
    /// - Parameter isFirst: whether the vault was made here.
    public init(device: DeviceID, epoch: UInt32 = 0, isFirst: Bool = false) {
        self.device = device
        self.epoch = epoch
        isWhole = isFirst || epoch == 0
    }
}
