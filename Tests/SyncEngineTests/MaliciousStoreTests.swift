// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncEngine
import Testing

/// What one engine believes, asks for and tells when its store holds back, forgets, reorders or invents.
struct MaliciousStoreTests {
    private let own = DeviceID(high: 1, low: 0)
    private let one = DeviceID(high: 2, low: 0)
    private let two = DeviceID(high: 3, low: 0)
    private let note = NoteID(high: 9, low: 9)
    /// Longer than a store may be slow.
    private let later: Int64 = 1000

    private func digest(_ number: UInt64) -> Digest { Digest(number, 0, 0, 0) }

    private func started() -> SyncEngine {
        var engine = SyncEngine(state: SyncState(device: own, isFirst: true))
        _ = step(&engine, .started)
        _ = step(&engine, .listed(0, [one, two]))
        return engine
    }

    private func step(_ engine: inout SyncEngine, _ event: Event, now: Int64 = 0) -> [Effect] {
        engine.step(event, now: now, fresh: DeviceID(high: engine.state.device.high + 10, low: 0))
    }

    private func place(_ device: DeviceID, _ number: UInt64, _ kind: Place.Kind = .segment) -> Place {
        Place(kind: kind, epoch: 0, device: device, number: number)
    }

    private func segment(
        _ device: DeviceID, _ number: UInt64, previous: Digest = .zero, vector: [DeviceID: Mark] = [:], digest: UInt64
    ) -> Event {
        let entry = Entry(id: RevisionID(high: digest, low: 0), note: note, parents: [], body: [1])
        let segment = Segment(
            place: place(device, number), previous: previous, vector: vector, nextHeader: nil, entries: [entry])
        return .got(segment.place, .segment(OpenedSegment(segment: segment, digest: self.digest(digest))))
    }

    /// Says that neither the first segment of a chain nor a span over it is there.
    private func hide(_ device: DeviceID, from engine: inout SyncEngine, now: Int64 = 0) -> [Effect] {
        var effects = step(&engine, .got(place(device, 1), .absent), now: now)
        for level in 1...3 {
            effects += step(&engine, .got(place(device, 1, .span(level: level)), .absent), now: now)
        }
        return effects
    }

    private func gets(_ effects: [Effect]) -> [Place] {
        effects.compactMap { if case .get(let place) = $0 { place } else { nil } }
    }

    private func puts(_ effects: [Effect]) -> [Place] {
        effects.compactMap { if case .put(let place) = $0 { place } else { nil } }
    }

    private func commits(_ effects: [Effect]) -> [UInt64] {
        effects.compactMap { if case .commit(_, let number, _, _) = $0 { number } else { nil } }
    }

    private func alarms(_ effects: [Effect]) -> [Alarm] {
        effects.compactMap { if case .alarm(let alarm) = $0 { alarm } else { nil } }
    }

    /// Makes an engine that has sent its first segment, which a store says it has.
    private func sent() throws -> (engine: SyncEngine, segment: OpenedSegment) {
        var engine = started()
        _ = hide(own, from: &engine)
        _ = step(&engine, .stored(place(own, 0, .card), true))
        let entry = Entry(id: RevisionID(high: 5, low: 0), note: note, parents: [], body: [1])
        _ = step(&engine, .local([entry], through: 1))
        let sealing: [Segment] = step(&engine, .flush(heartbeat: false)).compactMap { effect in
            if case .seal(let segment) = effect { segment } else { nil }
        }
        let segment = try #require(sealing.first)
        _ = step(&engine, .sealed(segment, digest(7)))
        _ = step(&engine, .stored(segment.place, true))
        try #require(engine.state.own == Mark(number: 1, digest: digest(7)))
        return (engine, OpenedSegment(segment: segment, digest: digest(7)))
    }

    /// Makes the engine of the next session.
    private func restarted(_ engine: SyncEngine, now: Int64 = 0) -> SyncEngine {
        var next = SyncEngine(state: engine.state)
        _ = step(&next, .started, now: now)
        return next
    }

    // MARK: What is held back, or comes late

    @Test func M05whatOneDeviceIsNotShownIsWaitedForAndTold() {
        var engine = started()
        _ = step(&engine, .poll(live: 0))
        // Another device has read what the store does not show here.
        _ = hide(one, from: &engine)
        let quoting = segment(two, 1, vector: [one: Mark(number: 1, digest: digest(7))], digest: 8)
        #expect(commits(step(&engine, quoting)).isEmpty)
        #expect(engine.state.chains[two]?.seen == Mark.none)
        #expect(alarms(hide(one, from: &engine)).isEmpty, "a store may be slow")
        #expect(alarms(hide(one, from: &engine, now: later)) == [.hidden(one)])
        _ = step(&engine, .got(place(two, 2), .failed))
        #expect(commits(step(&engine, segment(one, 1, digest: 7), now: later)).count == 1)
        #expect(commits(step(&engine, .got(place(one, 2), .failed), now: later)).count == 1)
        #expect(engine.state.chains[two]?.seen == Mark(number: 1, digest: digest(8)))
    }

    @Test func M10whatComesTooEarlyWaitsForItsTurn() {
        var engine = started()
        _ = step(&engine, .poll(live: 0))
        _ = hide(two, from: &engine)
        #expect(commits(step(&engine, segment(one, 3, previous: digest(8), digest: 9))).isEmpty)
        #expect(commits(step(&engine, segment(one, 2, previous: digest(7), digest: 8))).isEmpty)
        let effects = step(&engine, segment(one, 1, digest: 7))
        #expect(commits(effects) == [1, 2, 3] && alarms(effects).isEmpty)
        #expect(engine.state.chains[one]?.seen == Mark(number: 3, digest: digest(9)))
    }

    @Test func M12aListingThatNamesNobodyRemovesNobody() {
        var engine = started()
        _ = step(&engine, segment(one, 1, digest: 7))
        let before = engine.state
        #expect(alarms(step(&engine, .listed(0, []))).isEmpty && engine.state == before)
        #expect(gets(step(&engine, .poll(live: 0))).contains(place(one, 2)))
    }

    // MARK: What this device has sent

    @Test func M08anOwnSegmentThatIsGoneIsToldAndSentAgain() throws {
        let (sent, segment) = try sent()
        // It was read back once, so that it is no late arrival.
        var engine = restarted(sent)
        _ = step(&engine, .got(segment.segment.place, .segment(segment)))
        #expect(engine.state.verified == 1)
        engine = restarted(engine)
        let first = hide(own, from: &engine)
        #expect(alarms(first).isEmpty && puts(first).isEmpty, "a store may be slow")
        engine = restarted(engine, now: later)
        let second = hide(own, from: &engine, now: later)
        #expect(alarms(second) == [.lost(1)] && puts(second).contains(segment.segment.place))
    }

    @Test func M16aYesToAPutIsLookedAtInTheNextSession() throws {
        let (engine, segment) = try sent()
        for answer in [Answer.absent, .unreadable] {
            var next = restarted(engine)
            #expect(puts(step(&next, .got(segment.segment.place, answer))) == [segment.segment.place])
        }
    }

    // MARK: What does not open

    @Test func M14garbageUnderTheNextNumberIsAskedForAgainAndTold() {
        var engine = started()
        _ = step(&engine, .poll(live: 0))
        #expect(alarms(step(&engine, .got(place(one, 1), .unreadable))).isEmpty, "a put may be under way")
        #expect(engine.state.chains[one]?.seen == Mark.none)
        #expect(gets(step(&engine, .poll(live: 0), now: later)).contains(place(one, 1)))
        let told = alarms(step(&engine, .got(place(one, 1), .unreadable), now: later))
        #expect(told == [.unreadable(place(one, 1))])
        // Its writer has put its own bytes there again.
        _ = hide(two, from: &engine)
        #expect(commits(step(&engine, segment(one, 1, digest: 7), now: later)) == [1])
        #expect(engine.state.suspicions.isEmpty)
    }

    @Test func M20aStoreIsAskedTheSameWhetherSomethingIsAbsentOrDoesNotOpen() {
        let asked = [Answer.absent, .unreadable].map { (answer: Answer) -> [Place] in
            var engine = started()
            _ = step(&engine, .poll(live: 0))
            let above = gets(step(&engine, .got(place(one, 1), answer)))
            return above + gets(step(&engine, .poll(live: 0)))
        }
        #expect(!asked[0].isEmpty && asked[0] == asked[1])
    }

    /// A thief of the key ends the epoch. The owner's ending is said all the same, and nothing else under that key.
    @Test func M11anEpochThatAThiefHasEndedIsEndedByItsOwnerToo() throws {
        var engine = started()
        for place in [place(own, 1), place(own, 0, .card)] {
            _ = step(&engine, place.kind == .card ? .stored(place, true) : .got(place, .absent))
        }
        for level in 1...3 { _ = step(&engine, .got(place(own, 1, .span(level: level)), .absent)) }
        let foreign = Segment(place: place(one, 1), previous: .zero, nextHeader: digest(5), entries: [])
        _ = step(&engine, .got(foreign.place, .segment(OpenedSegment(segment: foreign, digest: digest(77)))))
        #expect(engine.state.isEnded)
        // What another device had said before it heard of that is beyond the cut: the owner's ending must not claim it.
        let (other, unread) = (
            DeviceID(high: 3, low: 9), Entry(id: RevisionID(high: 60, low: 0), note: note, parents: [], body: [2])
        )
        _ = step(&engine, .listed(0, [other]))
        let said = Segment(place: place(other, 1), previous: .zero, entries: [unread])
        let effects = step(&engine, .got(said.place, .segment(OpenedSegment(segment: said, digest: digest(78)))))
        #expect(!effects.contains { if case .commit = $0 { true } else { false } })
        #expect(engine.state.chains[other]?.seen.number == 1)
        engine = SyncEngine(state: try SyncState(parsing: engine.state.encoded))
        _ = step(&engine, .started)
        for place in [place(own, 1)] { _ = step(&engine, .got(place, .absent)) }
        for level in 1...3 { _ = step(&engine, .got(place(own, 1, .span(level: level)), .absent)) }
        let entry = Entry(id: RevisionID(high: 50, low: 0), note: note, parents: [], body: [1])
        _ = step(&engine, .local([entry], through: 1))
        #expect(seals(step(&engine, .flush(heartbeat: false))).isEmpty)
        _ = step(&engine, .rotate(digest(9)))
        let sealed = seals(step(&engine, .flush(heartbeat: false)))
        #expect(sealed.map(\.nextHeader) == [digest(9)] && sealed.first?.entries.isEmpty == true)
        #expect(sealed.first?.vector[other] == nil && sealed.first?.vector[one]?.number == 1)
    }

    private func seals(_ effects: [Effect]) -> [Segment] {
        effects.compactMap { if case .seal(let segment) = $0 { segment } else { nil } }
    }

    /// Who was given up is told for that alone, also after the device was locked in between.
    @Test func whoWasGivenUpIsToldOverALock() throws {
        var engine = started()
        for place in [place(own, 1), place(own, 0, .card)] {
            _ = step(&engine, place.kind == .card ? .stored(place, true) : .got(place, .absent))
        }
        for level in 1...3 { _ = step(&engine, .got(place(own, 1, .span(level: level)), .absent)) }
        _ = step(&engine, .local([], through: 0))
        #expect(seals(step(&engine, .flush(heartbeat: false))).isEmpty && engine.isIdle)
        _ = step(&engine, .retire(one))
        #expect(!engine.isIdle)
        var again = SyncEngine(state: try SyncState(parsing: engine.state.encoded))
        _ = step(&again, .started)
        _ = step(&again, .got(place(own, 1), .absent))
        for level in 1...3 { _ = step(&again, .got(place(own, 1, .span(level: level)), .absent)) }
        _ = step(&again, .local([], through: 0))
        let sealed = try #require(seals(step(&again, .flush(heartbeat: false))).first)
        #expect(sealed.retired == [one])
        _ = step(&again, .sealed(sealed, digest(3)))
        _ = step(&again, .stored(sealed.place, true))
        #expect(again.isIdle && seals(step(&again, .flush(heartbeat: false))).isEmpty)
    }
}
