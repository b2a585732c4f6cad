// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) import SyncEngine

/// One device: what is durable survives a kill, the engine and what it was about to do does not.
struct SimulatedVault {
    struct Disk {
        var state: SyncState
        /// Own entries by local sequence number, from 1.
        var log: [Entry] = []
        var entries: [RevisionID: Entry] = [:]
        var order: [RevisionID] = []
        var origins: [RevisionID: [DeviceID: UInt64]] = [:]
        var graphs: [NoteID: RevisionGraph] = [:]
        var thinned: Set<RevisionID> = []
        var kept: [Place: StoredObject] = [:]
        /// By epoch: the header whose keys are known.
        var headers: [UInt32: Digest] = [:]
    }

    let index: Int
    let rules: Rules
    var disk: Disk
    var engine: SyncEngine
    var effects: [Effect] = []
    var inbox: [Event] = []
    var alarms: Set<Alarm> = []
    var isGone = false
    /// The identity that this copy must not go on with.
    var given: DeviceID?
    /// Notes that this pull has removed.
    var removals: Set<NoteID> = []
    var isAllowed = false
    /// Notes that are looked at for joins when the pull is at its end.
    var touched: Set<NoteID> = []
    /// The joins that were made here.
    var joins: Set<RevisionID> = []

    static let limits: SyncEngine.Limits = {
        var limits = SyncEngine.Limits()
        limits.spanWidth = 4
        limits.entriesMax = 3
        limits.removalsMin = 8
        return limits
    }()

    init(index: Int, state: SyncState, rules: Rules) {
        self.index = index
        self.rules = rules
        disk = Disk(state: state)
        if let header = state.header { disk.headers[state.epoch] = header }
        engine = SyncEngine(state: state, limits: Self.limits, rules: rules)
    }

    /// The process ends and another begins with what the disk has.
    mutating func restart(_ event: Event) {
        var event = event
        if case .restored = event { given = disk.state.device }
        // Pins and vault name two identities until another was written down.
        if given == disk.state.device { event = .restored }
        engine = SyncEngine(state: disk.state, limits: Self.limits, rules: rules)
        effects = []
        inbox = [event]
        removals = []
        isAllowed = false
        touched = Set(notes.filter { heads($0).count > 1 })
    }

    func address(_ place: Place) -> Address {
        Address(place: place, header: disk.headers[place.epoch] ?? .zero)
    }

    /// Whether answers are still to come.
    var isPulling: Bool { inbox.contains { if case .got = $0 { true } else { false } } }

    // MARK: Notes

    var notes: [NoteID] { disk.graphs.keys.sorted() }

    func heads(_ note: NoteID) -> [RevisionID] { disk.graphs[note]?.heads ?? [] }

    func content(_ revision: RevisionID) -> NoteContent? { disk.entries[revision].map { NoteContent($0.body) } }

    var live: Int { disk.graphs.values.count { !$0.heads.isEmpty } }

    /// - Returns: whether its parents are known.
    @discardableResult mutating func insert(_ entry: Entry, from origin: (DeviceID, UInt64)?) -> Bool {
        if let origin { disk.origins[entry.id, default: [:]][origin.0] = origin.1 }
        guard disk.entries[entry.id] == nil else { return true }
        disk.entries[entry.id] = entry
        disk.order.append(entry.id)
        disk.graphs[entry.note, default: RevisionGraph(rules: rules)].insert(entry)
        return entry.parents.allSatisfy { disk.entries[$0] != nil }
    }

    mutating func write(_ entry: Entry) {
        insert(entry, from: nil)
        disk.log.append(entry)
        inbox.append(.local([entry], through: UInt64(disk.log.count)))
    }

    /// - Returns: how many heads could not be joined because what they have in common was thinned out.
    mutating func join(_ notes: Set<NoteID>, _ random: inout SeededRandom) -> Int {
        var baseless = 0
        for note in notes.sorted() {
            guard let graph = disk.graphs[note], graph.heads.count > 1 else { continue }
            let salt = rules.contains(.joinsByContent) ? [] : RevisionID(high: random.next(), low: 0).bytes
            let joined = graph.join(
                note: note,
                record: { revision in
                    if disk.thinned.contains(revision) { baseless += 1 }
                    return disk.thinned.contains(revision) ? nil : disk.entries[revision]?.body
                },
                hash: { simulatedHash($0 + salt) }, merge: NoteContent.merge)
            guard let joined else { continue }
            joins.insert(joined.id)
            if disk.entries[joined.id] == nil { write(joined) }
        }
        return baseless
    }

    mutating func thin(_ note: NoteID) {
        guard let graph = disk.graphs[note], graph.heads.count == 1, let head = graph.heads.first else { return }
        let isPassed = graph.leaves.allSatisfy { leaf in
            disk.origins[leaf]?.contains { engine.mayThin(under: ($0.key, $0.value)) } ?? false
        }
        guard isPassed || !rules.contains(.thinningWaits) else { return }
        disk.thinned.formUnion(graph.ancestors(head).subtracting([head]))
    }

    mutating func retell(_ retelling: SyncState.Retelling) {
        let waiting = Set(disk.log.dropFirst(Int(disk.state.sentThrough)).map(\.id))
        for id in disk.order {
            guard let entry = disk.entries[id] else { continue }
            let origins = disk.origins[id] ?? [:]
            switch retelling {
            case .everything: break
            case .chain(let device):
                let isSaid = origins.keys.contains { !engine.state.forked.contains($0) }
                if waiting.contains(id) || isSaid || origins[device] == nil { continue }
            case .beyond(let cut):
                if origins.contains(where: { $0.value <= cut[$0.key] ?? 0 }) { continue }
            }
            disk.log.append(entry)
        }
    }
}
