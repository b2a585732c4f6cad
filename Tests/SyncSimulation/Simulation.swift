// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) import SyncEngine

/// Several vaults, a store and a clock in one process. A run follows from its seed, its scenario and the rules.
public struct Simulation {
    /// What was counted.
    public struct Counts: Sendable {
        /// Steps of engines.
        public var steps = 0
        /// Runs.
        public var runs = 0
        /// Different joins.
        public var joins = 0
        /// Alarms of forks and of devices that were set back.
        public var forks = 0
        /// All alarms.
        public var alarms = 0
        /// Alarms under a store that did nothing wrong.
        public var falseAlarms = 0
        /// Times that a program was killed.
        public var kills = 0
        /// Heads that stay two, for a person to decide.
        public var conflicts = 0

        mutating func add(_ other: Counts) {
            steps += other.steps
            runs += other.runs
            joins += other.joins
            forks += other.forks
            alarms += other.alarms
            falseAlarms += other.falseAlarms
            kills += other.kills
            conflicts += other.conflicts
        }
    }

    let scenario: Scenario
    let rules: Rules
    let seed: UInt64
    var random: SeededRandom
    var store: SimulatedStore
    var vaults: [SimulatedVault] = []
    var backups: [Int: SimulatedVault.Disk] = [:]
    var now: Int64 = 1000
    var nextEdit: UInt32 = 0
    var sealings: UInt64 = 0
    var counts = Counts()
    var failures: [String] = []
    var wasSetBack = false
    var published: [RevisionID: Entry] = [:]
    var headers: Set<Digest> = []
    /// Chains whose keys a thief has.
    var stolen: [DeviceID: Address] = [:]
    var thiefEntries: Set<RevisionID> = []
    /// Identities that were forgotten with a backup: no device knows that they are over.
    var ghosts: [DeviceID] = []
    var isSettling = false
    /// Is told what happens.
    var trace: ((String) -> Void)?

    init(seed: UInt64, scenario: Scenario, rules: Rules) {
        self.seed = seed
        self.scenario = scenario
        self.rules = rules
        random = SeededRandom(seed: seed)
        store = SimulatedStore(scenario: scenario)
    }

    mutating func fail(_ what: String) { if failures.count < 4 { failures.append(what) } }

    mutating func identifier() -> Identifier { Identifier(high: random.next(), low: random.next()) }

    /// One run.
    ///
    /// - Parameter kept: the actions that are played; nil for all.
    static func run(
        seed: UInt64, scenario: Scenario, rules: Rules = .all, actions: Int = 250, kept: [Int]? = nil,
        trace: ((String) -> Void)? = nil
    ) -> Simulation {
        var simulation = Simulation(seed: seed, scenario: scenario, rules: rules)
        simulation.trace = trace
        simulation.begin()
        for action in kept ?? Array(0..<actions) {
            // Each action has its own random numbers, so that one can be left out and the others stay what they are.
            simulation.random = SeededRandom(seed: mixed(seed) &+ UInt64(action) &* 0x1_0001)
            simulation.act()
            if !simulation.failures.isEmpty { break }
        }
        simulation.random = SeededRandom(seed: mixed(seed) &+ 0xFFFF_FFFF)
        if simulation.failures.isEmpty { simulation.settle() }
        simulation.count()
        return simulation
    }

    private mutating func begin() {
        // Whoever nobody has heard of yet may hold what others thin out.
        if scenario.thinnings > 0 { store.scenario = scenario.faultless }
        defer { store.scenario = scenario }
        let devices = 2 + Int(random.next() % 3)
        for index in 0..<devices {
            let state = SyncState(device: identifier(), isFirst: index == 0)
            vaults.append(SimulatedVault(index: index, state: state, rules: rules))
            vaults[index].restart(.started)
        }
        create(0)
        vaults[0].inbox.append(.flush(heartbeat: false))
        for index in vaults.indices { work(index, until: 60) }
        for index in vaults.indices {
            vaults[index].restart(.started)
            vaults[index].inbox.append(.poll(live: 0))
            work(index, until: 60)
        }
    }

    private mutating func act() {
        now += Int64(random.next() % 40)
        store.arrive(now)
        let index = Int(random.next() % UInt64(vaults.count))
        guard !vaults[index].isGone else { return }
        if rare(scenario.restores) { return restore(index) }
        if rare(scenario.copies), vaults.count < 6 { return copy(index) }
        if rare(scenario.clones), vaults.count < 6 { return clone(index) }
        if rare(scenario.rotations) { return rotate(index) }
        if rare(scenario.retirements) { return retire(index) }
        if rare(scenario.setbacks) { return setBack(index) }
        if scenario.isSnapshotted, random.chance(20) { backups[index] = vaults[index].disk }
        if rare(scenario.rewinds) { return store.rewind() }
        if rare(scenario.thieves) { return steal() }
        if rare(scenario.massPurges) { return purgeMany(index) }
        if rare(scenario.hidings) {
            let other = Int(random.next() % UInt64(vaults.count))
            return other == index ? () : store.hide(vaults[other].disk.state.device, from: index)
        }
        if random.chance(scenario.thinnings), let note = vaults[index].notes.randomElement(using: &random) {
            vaults[index].thin(note)
        }
        switch random.next() % 100 {
        case ..<8: create(index)
        case ..<34: edit(index)
        case ..<38: flag(index, true)
        case ..<40: flag(index, false)
        case ..<43: purge(index)
        case ..<62: vaults[index].inbox.append(.flush(heartbeat: random.chance(20)))
        case ..<82: vaults[index].inbox.append(.poll(live: vaults[index].live))
        case ..<86: vaults[index].restart(.started)
        case ..<88: backups[index] = vaults[index].disk
        case ..<90: store.remember()
        default: break
        }
        work(index, until: Int(random.next() % 30))
    }

    /// Chances are of a thousand actions.
    private mutating func rare(_ chance: Int) -> Bool { chance > 0 && Int(random.next() % 400) < chance }

    // MARK: The work of one device

    /// Performs effects and tells events, some or until nothing is left.
    mutating func work(_ index: Int, until count: Int) {
        for _ in 0..<count {
            if vaults[index].effects.isEmpty {
                if !vaults[index].touched.isEmpty, !vaults[index].isPulling { join(index) }
                guard !vaults[index].inbox.isEmpty else { return }
                var at = Int(random.next() % UInt64(vaults[index].inbox.count))
                // What was committed is told before a flush.
                if case .flush = vaults[index].inbox[at] {
                    at = vaults[index].inbox.firstIndex { if case .local = $0 { true } else { false } } ?? at
                }
                tell(index, vaults[index].inbox.remove(at: at))
            } else {
                if scenario.kills > 0, !isSettling, random.next() % 1000 < UInt64(scenario.kills) {
                    counts.kills += 1
                    vaults[index].restart(.started)
                    continue
                }
                perform(index, vaults[index].effects.removeFirst())
            }
        }
    }

    private mutating func tell(_ index: Int, _ event: Event) {
        if case .poll = event { vaults[index].removals = [] }
        counts.steps += 1
        trace?("\(index) is told \(event)")
        vaults[index].effects = vaults[index].engine.step(event, now: now, fresh: identifier())
        let state = vaults[index].engine.state
        if case .keyGiven(let header) = event, state.header == header {
            vaults[index].disk.headers[state.epoch] = header
            // An answer that was asked for under other keys of the same epoch is not told.
            vaults[index].inbox.removeAll { if case .listed = $0 { true } else { false } }
        }
    }

    private mutating func perform(_ index: Int, _ effect: Effect) {
        if case .record = effect {} else { trace?("\(index) does \(effect)") }
        switch effect {
        case .record(let state): vaults[index].disk.state = state
        case .commit(let device, let number, let entries, let state):
            if let state { vaults[index].disk.state = state }
            apply(index, device, number, entries)
        case .seal(let segment):
            sealings += 1
            let digest = Digest(mixed(sealings), mixed(seed), sealings, 1)
            vaults[index].disk.kept[segment.place] = .segment(OpenedSegment(segment: segment, digest: digest))
            for entry in segment.entries {
                vaults[index].disk.origins[entry.id, default: [:]][segment.place.device] = segment.place.number
            }
            vaults[index].inbox.append(.sealed(segment, digest))
        case .bundle(let place, let numbers):
            var segments: [OpenedSegment] = []
            for number in numbers where mixed(number) % 16 != 0 {
                let part = Place(kind: .segment, epoch: place.epoch, device: place.device, number: number)
                if case .segment(let opened)? = vaults[index].disk.kept[part] { segments.append(opened) }
            }
            vaults[index].disk.kept[place] = .span(segments)
        case .put(let place): put(index, place)
        case .get(let place):
            vaults[index].inbox.append(
                .got(place, store.get(vaults[index].address(place), reader: index, now: now, &random)))
        case .list(let epoch):
            let header = vaults[index].disk.headers[epoch] ?? .zero
            let found = store.list(epoch: epoch, header: header, reader: index, now: now, &random)
            vaults[index].inbox.append(.listed(epoch, found))
        case .delete(let place):
            checkRemoval(index, place)
            store.delete(vaults[index].address(place))
        case .tell(let after):
            let log = vaults[index].disk.log
            vaults[index].inbox.append(.local(Array(log.dropFirst(Int(after))), through: UInt64(log.count)))
        case .retell(let retelling):
            let before = UInt64(vaults[index].disk.log.count)
            vaults[index].retell(retelling)
            let log = vaults[index].disk.log
            let after = vaults[index].engine.state.outgoing?.through ?? vaults[index].engine.state.sentThrough
            vaults[index].inbox.append(.local(Array(log.dropFirst(Int(after))), through: UInt64(log.count)))
            vaults[index].inbox.append(.retold(retelling, through: before))
        case .needKey(let header):
            guard headers.contains(header), isSettling || random.chance(50) else { break }
            vaults[index].inbox.append(.keyGiven(header))
        case .alarm(let alarm): raise(index, alarm)
        }
    }

    private mutating func put(_ index: Int, _ place: Place) {
        let object = place.kind == .card ? StoredObject.card : vaults[index].disk.kept[place]
        guard let object else { return fail("nothing is kept for a put of \(place.kind) \(place.number)") }
        let isStored = store.put(vaults[index].address(place), object, now: now, &random)
        if isStored, case .segment(let opened) = object {
            for entry in opened.segment.entries { published[entry.id] = entry }
        }
        vaults[index].inbox.append(.stored(place, isStored))
    }

    private mutating func apply(_ index: Int, _ device: DeviceID, _ number: UInt64, _ entries: [Entry]) {
        vaults[index].removals.formUnion(entries.filter(\.removes).map(\.note))
        let most = max(SimulatedVault.limits.removalsMin, vaults[index].engine.live / 10)
        if vaults[index].removals.count > most, !isSettling, !vaults[index].isAllowed {
            fail("a pull removed \(vaults[index].removals.count) notes unasked")
        }
        var isClosed = true
        for entry in entries {
            if thiefEntries.contains(entry.id), vaults[index].disk.state.epoch > stolen[device]?.place.epoch ?? .max {
                fail("an entry made with a stolen key was taken after the cut")
            }
            isClosed = vaults[index].insert(entry, from: (device, number)) && isClosed
        }
        if !isClosed, scenario.setbacks == 0 { fail("an entry came before what it was made from") }
        vaults[index].touched.formUnion(entries.map(\.note))
    }

    /// Not before the pull is at its end: what was joined of a part of the others' joins would be joined again.
    private mutating func join(_ index: Int) {
        let baseless = vaults[index].join(vaults[index].touched, &random)
        vaults[index].touched = []
        if baseless > 0 { fail("heads had a thinned revision in common") }
    }
}
