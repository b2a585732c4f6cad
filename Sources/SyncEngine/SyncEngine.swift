// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SyncEngine` is one device of a vault over one remote, as a state machine: it is told events and gives effects. It
/// reads no clock, makes no random number, and touches no file and no key; a step is repeated after a crash and never
/// skipped.
///
/// Spec: docs/decisions/0045-sync-engine.md
public struct SyncEngine: Sendable {
    /// `Limits` holds sizes and times.
    public struct Limits: Hashable, Sendable {
        /// How many segments one span of the first level covers; of the second their square, of the third their cube.
        public var spanWidth: UInt64 = 64
        /// The most entries of a segment.
        public var entriesMax = 16_384
        /// How long a store may be slow before an alarm, in seconds.
        public var patience: Int64 = 600
        /// The fewest removals in one pull that are held.
        public var removalsMin = 20
        /// How many own segments that not all have passed are looked for in a session.
        public var looksMax: UInt64 = 8
        /// How many bytes of what is read ahead are kept, of all chains together.
        public var aheadMax = 16 << 20
        /// How many segments behind the next one of a chain are asked for at once.
        public var asksAheadMax: UInt64 = 8

        /// Makes the product's limits.
        public init() {}
    }

    /// The state to make durable: see `Effect.record`.
    public internal(set) var state: SyncState
    let limits: Limits
    let rules: Rules

    // Of this session alone.
    var now: Int64 = 0
    var fresh = DeviceID(high: 0, low: 0)
    var unsent: [Entry] = []
    var unsentThrough: UInt64 = 0
    var unreadTail: Set<Place> = []
    /// Own segments that are not there; a span may hold them.
    var missed: Set<UInt64> = []
    /// Own segments that were read back in this session.
    var readBack: Set<UInt64> = []
    var isStarted = false
    var isSealing = false
    /// Whether own entries may be waiting of which the engine was not told.
    var isUntold = true
    var isEnding: Digest?
    var asked: Set<Place> = []
    var ahead: [DeviceID: ReadAhead] = [:]
    /// What was asked for in this poll and not had.
    var notThere: Set<Place> = []
    /// What was applied in this poll.
    var applied: [DeviceID: [UInt64: Digest]] = [:]
    /// Which segment of a chain is thought to be hidden, since this session.
    var suspected: [DeviceID: UInt64] = [:]
    var known: [DeviceID: UInt64] = [:]
    var spansAsked: Set<DeviceID> = []
    /// What was asked for ahead in this poll and not had: it is not asked for again before its turn has come.
    var notThereAhead: Set<Place> = []
    /// How many segments of a chain this poll has brought: after the first ones several are asked for at once.
    var brought: [DeviceID: UInt64] = [:]
    var lateAsked: Set<DeviceID> = []
    /// Chains of which this poll has brought a span: what lies behind it is likely to lie in one too.
    var cameBySpan: Set<DeviceID> = []
    /// Spans that were asked for before any segment that they hold.
    var spansFirst: Set<Place> = []
    /// Spans that this poll has read again for what was let go of.
    var readAgain: Set<Place> = []
    /// Spans that leave out the first segment that they stand for.
    var leavesOut: Set<Place> = []
    /// How many notes there were at the last poll.
    public internal(set) var live = 0
    /// Notes that this pull has removed.
    var removed: Set<NoteID> = []
    var allowed: Set<DeviceID> = []
    var held: Set<DeviceID> = []
    var told: Set<Alarm> = []
    var effects: [Effect] = []

    /// Makes the engine of a device.
    public init(state: SyncState, limits: Limits = Limits()) { self.init(state: state, limits: limits, rules: .all) }

    @_spi(Simulation) public init(state: SyncState, limits: Limits, rules: Rules) {
        self.state = state
        self.limits = limits
        self.rules = rules
    }

    /// Takes an event in.
    ///
    /// - Parameter now: seconds of a clock that does not go back; only differences count.
    /// - Parameter fresh: sixteen random bytes, for the case that a new identity is needed.
    /// - Returns: what is to be done, in this order.
    public mutating func step(_ event: Event, now: Int64, fresh: DeviceID) -> [Effect] {
        (self.now, self.fresh) = (now, fresh)
        effects.removeAll(keepingCapacity: true)
        switch event {
        case .started: start()
        case .born: start(isNew: true)
        case .restored:
            if rules.contains(.newIdentityAtRestore) { takeNewIdentity() }
            start()
        case .poll(let live): poll(live: live)
        case .flush(let heartbeat): flush(heartbeat: heartbeat)
        case .local(let entries, let through): addLocal(entries, through: through)
        case .retold(let retelling, let through): finish(retelling, through: through)
        case .sealed(let segment, let digest): send(segment, digest)
        case .stored(let place, let isStored): acknowledge(place, isStored)
        case .got(let place, let answer): take(place, answer)
        case .listed(let epoch, let devices): listed(epoch, devices)
        case .retire(let device): retire(device)
        case .allow(let device): allow(device)
        case .rotate(let header): isEnding = header
        case .keyGiven(let header): enterNextEpoch(header)
        case .speakFirst: speakFirst()
        case .repair: repair()
        }
        return effects
    }

    /// Whether all that is known here was sent, as far as a store says.
    public var isIdle: Bool {
        unsent.isEmpty && state.outgoing == nil && state.retellings.isEmpty && !state.owesWholeState
            && !state.owesRetired
            && isEnding == nil
    }

    func place(_ kind: Place.Kind, _ number: UInt64 = 0) -> Place {
        Place(kind: kind, epoch: state.epoch, device: state.device, number: number)
    }

    mutating func record() { effects.append(.record(state)) }

    mutating func get(_ place: Place) {
        if asked.insert(place).inserted { effects.append(.get(place)) }
    }

    mutating func alarm(_ alarm: Alarm) {
        if told.insert(alarm).inserted { effects.append(.alarm(alarm)) }
    }

    /// Remembers a suspicion, which becomes an alarm only when it has lasted longer than a store may be slow.
    ///
    /// - Returns: whether it has.
    @discardableResult mutating func suspect(_ suspicion: SyncState.Suspicion, _ alarm: Alarm) -> Bool {
        guard let since = state.suspicions[suspicion] else {
            state.suspicions[suspicion] = now
            record()
            if !rules.contains(.patience) { self.alarm(alarm) }
            return !rules.contains(.patience)
        }
        guard now - since > limits.patience else { return false }
        self.alarm(alarm)
        return true
    }

    mutating func trust(_ suspicion: SyncState.Suspicion) {
        if state.suspicions.removeValue(forKey: suspicion) != nil { record() }
    }
}
