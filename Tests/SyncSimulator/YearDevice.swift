// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) import SyncEngine
import SyncSimulation

/// `YearDevice` is a device as the agent's `SyncHost` runs it, with the order of the requests of a round: it lists,
/// asks each chain, takes over, joins, sends, brings files, and looks after headers once a session.
final class YearDevice {
    let world: YearWorld
    private(set) var engine: SyncEngine
    private(set) var isAwake = false
    var timing = YearTiming(now: 0)
    private(set) var known: Set<RevisionID> = []
    private(set) var graphs: [NoteID: RevisionGraph] = [:]
    private(set) var notes: [NoteID] = []
    private(set) var alarms: [Alarm] = []
    private(set) var joinCount = 0
    private var disk: SyncState
    private var log: [Entry] = []
    private var outbox: [Place: YearObject] = [:]
    private var touched: Set<NoteID> = []
    private var missing: [Int] = []
    private var hasSpoken = false
    // Of a session.
    private var now = 0.0
    private var hasBegun = false
    private var told = 0
    private var listed = 0.0
    private var cards: Set<DeviceID> = []
    private var hasSentHeader = false
    private var hasSwept = false
    private var words: YearWords?
    private var queue: [(effect: Effect, trips: Int)] = []
    private var trips = 0
    private static let nobody = Identifier(high: 0, low: 0)

    init(_ world: YearWorld) {
        self.world = world
        disk = SyncState(device: world.identifier(), epoch: 1, isFirst: true)
        engine = SyncEngine(state: disk)
    }

    var state: SyncState { engine.state }

    // MARK: Sessions

    func wake(_ now: Double) {
        (isAwake, self.now, timing) = (true, now, YearTiming(now: now))
        engine = SyncEngine(state: disk)
        (hasBegun, told, listed, cards, hasSentHeader, hasSwept, words) = (false, 0, 0, [], false, false, nil)
    }

    func sleep() { (isAwake, timing) = (false, YearTiming(now: .infinity)) }

    /// A whole round: as `SyncHost.begin` and what follows from it until nothing more comes of it.
    ///
    /// - Returns: requests that followed from each other, one after the other.
    @discardableResult func round(_ kind: YearTiming.Round, _ now: Double) -> Int {
        (self.now, trips) = (now, 0)
        let isFirst = !hasBegun
        hasBegun = true
        if isFirst { handle(hasSpoken ? .started : .born) }
        let isLooking = kind != .send || isFirst
        world.began(isFirst: isFirst, isLooking: isLooking)
        if isLooking {
            if isFirst || kind == .all || now - listed > 300 { list() }
            handle(.poll(live: graphs.count), trips)
        }
        goOn(isLooking: isLooking)
        timing.ended(now)
        return trips
    }

    private func list() {
        let there = world.store.cards
        world.store.list(there.count)
        for device in there where cards.insert(device).inserted { world.store.read(YearSizes.card) }
        listed = now
        handle(.listed(1, there.sorted()), trips + 1)
    }

    private func goOn(isLooking: Bool) {
        var answeredAtFlush = -1
        var mustSpeak = false
        while true {
            drain()
            join()
            introduce()
            if log.count > told { tell(after: told) }
            drain()
            if isLooking, engine.isIdle, areWordsOld { mustSpeak = true }
            if !engine.isIdle || mustSpeak, world.store.counts.requests != answeredAtFlush {
                answeredAtFlush = world.store.counts.requests
                handle(.flush(heartbeat: mustSpeak), trips)
                if queue.contains(where: { if case .seal = $0.effect { true } else { false } }) { mustSpeak = false }
                if !queue.isEmpty { continue }
            }
            bring()
            guard queue.isEmpty, touched.isEmpty else { continue }
            break
        }
        guard engine.isIdle, hasSentHeader, !hasSwept, !state.chains.isEmpty else { return }
        // Once a session: the own header is read back, and others are looked for.
        hasSwept = true
        world.store.read(YearSizes.header)
        world.store.list(1)
    }

    private var areWordsOld: Bool {
        if words == nil, state.own.number > 0 {
            let last = Place(kind: .segment, epoch: 1, device: state.device, number: state.own.number)
            if case .segment(let opened, _)? = outbox[last]?.content { words = YearWords(opened.segment, made: now) }
        }
        return words?.areOld(state, now: now) == true
    }

    /// Says who speaks, once.
    private func introduce() {
        guard !hasSpoken else { return }
        hasSpoken = true
        write(Entry(id: world.identifier(), note: Self.nobody, parents: [], body: world.body(160)))
    }

    /// Brings files that entries have named: one part after the other.
    private func bring() {
        for size in missing { world.store.readPart(size) }
        trips += missing.count
        missing = []
    }

    // MARK: The engine

    private func handle(_ event: Event, _ trips: Int = 0) {
        let effects = engine.step(event, now: Int64(now), fresh: world.identifier())
        queue += effects.map { ($0, trips) }
    }

    private func drain() {
        var at = 0
        while at < queue.count {
            let (effect, trips) = queue[at]
            at += 1
            perform(effect, trips)
            self.trips = max(self.trips, trips)
        }
        queue = []
    }

    private func perform(_ effect: Effect, _ trips: Int) {
        switch effect {
        case .record(let state): disk = state
        case .commit(_, _, let entries, let state):
            for entry in entries { insert(entry) }
            if let state { disk = state }
        case .seal(let segment): seal(segment, trips)
        case .bundle(let place, let numbers): bundle(place, numbers)
        case .put(let place): put(place, trips)
        case .get(let place): handle(.got(place, world.store.get(place)), trips + 1)
        case .delete(let place):
            // As the agent does: what was removed is in the outbox no more.
            outbox[place] = nil
            if !world.isAppendOnly { world.store.delete(place) }
        case .tell(let position): tell(after: Int(position), trips)
        case .list: break
        case .alarm(let alarm): alarms.append(alarm)
        case .retell, .needKey: preconditionFailure("no key changes here, and nothing is forked")
        }
    }

    private func tell(after position: Int, _ trips: Int = 0) {
        told = log.count
        handle(.local(Array(log.dropFirst(position)), through: UInt64(log.count)), trips)
    }

    private func seal(_ whole: Segment, _ trips: Int) {
        var (segment, count, size) = (whole, 0, 0)
        for entry in whole.entries {
            size += 4 + entry.body.count
            guard count == 0 || size <= YearSizes.bodies else { break }
            count += 1
        }
        if count < whole.entries.count {
            segment.entries = Array(whole.entries.prefix(count))
            segment.isPart = true
        }
        let digest = world.sealed(segment)
        let content = YearSizes.content(of: segment)
        outbox[segment.place] = YearObject(
            content: .segment(OpenedSegment(segment: segment, digest: digest), size: content),
            byteCount: YearSizes.sealed(content))
        words = YearWords(segment, made: now)
        handle(.sealed(segment, digest), trips)
    }

    /// Puts own segments together as the agent does: those that the outbox has, without the largest.
    private func bundle(_ place: Place, _ numbers: ClosedRange<UInt64>) {
        guard case .span(let level) = place.kind, outbox[place] == nil else { return }
        var held: [UInt64: (opened: OpenedSegment, size: Int)] = [:]
        if world.packsSpans, level > 1 {
            for (below, object) in outbox where below.kind == .span(level: level - 1) {
                guard case .span(let segments) = object.content else { continue }
                for one in segments where numbers.contains(one.opened.segment.place.number) {
                    held[one.opened.segment.place.number] = one
                }
            }
        }
        for number in numbers {
            let segment = Place(kind: .segment, epoch: place.epoch, device: place.device, number: number)
            if case .segment(let opened, let size)? = outbox[segment]?.content { held[number] = (opened, size) }
        }
        var (rest, left) = (held.values.reduce(0) { $0 + $1.size }, Set<UInt64>())
        for (number, one) in held.sorted(by: { ($1.value.size, $0.key) < ($0.value.size, $1.key) })
        where rest > YearSizes.packed {
            rest -= one.size
            left.insert(number)
        }
        let segments = held.filter { !left.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
        let size = YearSizes.span(segments.map(\.size), of: UInt64(numbers.count))
        outbox[place] = YearObject(content: .span(segments), byteCount: YearSizes.sealed(size))
        world.madeSpan(level)
    }

    private func put(_ place: Place, _ trips: Int) {
        guard let object = place.kind == .card ? YearObject(content: .card, byteCount: YearSizes.card) : outbox[place]
        else {
            // As the agent does when the bytes were given up.
            world.putWithoutBytes()
            return handle(.stored(place, false), trips)
        }
        if !hasSentHeader { world.store.putHeader() }
        hasSentHeader = true
        if case .segment(let opened, _) = object.content, world.store.objects[place] == nil {
            for entry in opened.segment.entries {
                for size in world.files[entry.id].map(YearSizes.parts) ?? [] { world.store.putPart(size) }
            }
        }
        world.store.put(place, object)
        handle(.stored(place, true), trips + 1)
    }

    // MARK: Notes

    private func insert(_ entry: Entry) {
        guard known.insert(entry.id).inserted, entry.note != Self.nobody else { return }
        if graphs[entry.note] == nil { notes.append(entry.note) }
        graphs[entry.note, default: RevisionGraph()].insert(entry)
        touched.insert(entry.note)
        if let file = world.files[entry.id] { missing += YearSizes.parts(of: file) }
    }

    /// Records an entry of this device.
    func write(_ entry: Entry) {
        world.entries[entry.id] = entry
        log.append(entry)
        let files = missing
        insert(entry)
        missing = files
        touched.remove(entry.note)
    }

    private func join() {
        for note in touched.sorted() {
            guard let graph = graphs[note], graph.heads.count > 1 else { continue }
            let joined = graph.join(
                note: note, record: { [world] in world.entries[$0]?.body }, hash: Self.hash,
                merge: { _, ours, theirs in ours.count < theirs.count ? theirs : ours })
            guard let joined, !known.contains(joined.id) else { continue }
            joinCount += 1
            write(joined)
        }
        touched = []
    }

    private static func hash(_ bytes: [UInt8]) -> Digest {
        var (first, second): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15)
        for byte in bytes {
            first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            second = (second &+ UInt64(byte)) &* 0xBF58_476D_1CE4_E5B9
        }
        return Digest(first, second, 0, 0)
    }
}
