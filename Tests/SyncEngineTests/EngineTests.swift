// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncEngine
import Testing

/// What one engine does when it is told what a store could tell it.
struct EngineTests {
    private let own = DeviceID(high: 1, low: 0)
    private let one = DeviceID(high: 2, low: 0)
    private let two = DeviceID(high: 3, low: 0)
    private let note = NoteID(high: 9, low: 9)

    private func digest(_ number: UInt64) -> Digest { Digest(number, 0, 0, 0) }

    private func started() -> SyncEngine {
        var engine = SyncEngine(state: SyncState(device: own, isFirst: true))
        _ = step(&engine, .started)
        _ = step(&engine, .listed(0, [one, two]))
        return engine
    }

    private func step(_ engine: inout SyncEngine, _ event: Event) -> [Effect] {
        engine.step(event, now: 0, fresh: DeviceID(high: engine.state.device.high + 10, low: 0))
    }

    private func segment(
        _ device: DeviceID, _ number: UInt64, previous: Digest = .zero, digest: UInt64, nextHeader: Digest? = nil
    ) -> Event {
        let place = Place(kind: .segment, epoch: 0, device: device, number: number)
        let entry = Entry(id: RevisionID(high: digest, low: 0), note: note, parents: [], body: [1])
        let segment = Segment(place: place, previous: previous, nextHeader: nextHeader, entries: [entry])
        return .got(place, .segment(OpenedSegment(segment: segment, digest: self.digest(digest))))
    }

    private func gets(_ effects: [Effect]) -> [Place] {
        effects.compactMap { if case .get(let place) = $0 { place } else { nil } }
    }

    private func keys(_ effects: [Effect]) -> [Digest] {
        effects.compactMap { if case .needKey(let header) = $0 { header } else { nil } }
    }

    @Test func M22anAllowanceOfRemovalsEndsWithItsPull() {
        var engine = started()
        func removals(_ number: UInt64, previous: Digest, digest: UInt64) -> Event {
            let place = Place(kind: .segment, epoch: 0, device: one, number: number)
            let entries = (0..<25).map { index in
                Entry(
                    id: RevisionID(high: digest, low: UInt64(index)), note: NoteID(high: digest, low: UInt64(index)),
                    kind: .purge, parents: [], removes: true, body: [1])
            }
            let segment = Segment(place: place, previous: previous, nextHeader: nil, entries: entries)
            return .got(place, .segment(OpenedSegment(segment: segment, digest: self.digest(digest))))
        }
        func pollOf(_ engine: inout SyncEngine) {
            _ = step(&engine, .poll(live: 100))
            _ = step(&engine, .got(Place(kind: .segment, epoch: 0, device: two, number: 1), .failed))
        }
        func isHeld(_ effects: [Effect]) -> Bool {
            effects.contains { if case .alarm(.massChange) = $0 { true } else { false } }
        }
        pollOf(&engine)
        #expect(isHeld(step(&engine, removals(1, previous: .zero, digest: 7))))
        _ = step(&engine, .allow(one))
        #expect(engine.state.chains[one]?.seen.number == 1)
        _ = step(&engine, .got(Place(kind: .segment, epoch: 0, device: one, number: 2), .absent))
        pollOf(&engine)
        #expect(isHeld(step(&engine, removals(2, previous: digest(7), digest: 8))))
        #expect(engine.state.chains[one]?.seen.number == 1)
    }

    @Test func aRetiredDeviceIsNamedInASegmentOfItsOwn() throws {
        var engine = started()
        #expect(engine.ownPlaces.isEmpty)
        let card = Place(kind: .card, epoch: 0, device: own)
        let first = Place(kind: .segment, epoch: 0, device: own, number: 1)
        _ = step(&engine, .stored(card, true))
        _ = step(&engine, .got(first, .absent))
        for level in 1...3 {
            _ = step(&engine, .got(Place(kind: .span(level: level), epoch: 0, device: own, number: 1), .absent))
        }
        _ = step(&engine, .local([], through: 0))
        func sealed(_ effects: [Effect]) -> Segment? {
            effects.lazy.compactMap { if case .seal(let segment) = $0 { segment } else { nil } }.first
        }
        #expect(sealed(step(&engine, .flush(heartbeat: false))) == nil, "nothing is to be said")
        _ = step(&engine, .retire(one))
        let segment = try #require(sealed(step(&engine, .flush(heartbeat: false))))
        #expect(segment.retired == [one] && segment.entries.isEmpty)
        // What a store has acknowledged should be there from then on.
        _ = step(&engine, .sealed(segment, digest(1)))
        #expect(engine.ownPlaces == [card])
        _ = step(&engine, .stored(first, true))
        #expect(engine.ownPlaces == [card, first])
    }

    @Test func ofTwoEndingsTheOneWithTheSmallerHeaderCounts() {
        var engine = started()
        #expect(keys(step(&engine, segment(one, 1, digest: 7, nextHeader: digest(50)))) == [digest(50)])
        _ = step(&engine, .keyGiven(digest(50)))
        #expect(engine.state.epoch == 1 && engine.state.header == digest(50))
        let first = engine.state.device
        #expect(keys(step(&engine, segment(two, 1, digest: 8, nextHeader: digest(30)))) == [digest(30)])
        #expect(engine.state.device == first)
        _ = step(&engine, .keyGiven(digest(30)))
        #expect(engine.state.epoch == 1 && engine.state.header == digest(30) && engine.state.device != first)
        _ = step(&engine, .keyGiven(digest(50)))
        #expect(engine.state.header == digest(30))
        #expect(engine.state.retellings == [.beyond([two: 1])])
    }

    @Test func anEndingWithALargerHeaderAsksForNothing() {
        var engine = started()
        _ = step(&engine, segment(one, 1, digest: 7, nextHeader: digest(50)))
        _ = step(&engine, .keyGiven(digest(50)))
        #expect(keys(step(&engine, segment(two, 1, digest: 8, nextHeader: digest(60)))).isEmpty)
    }

    @Test func aKeyThatNoEndingNamesChangesNothing() {
        var engine = started()
        let before = engine.state
        #expect(step(&engine, .keyGiven(digest(1))).isEmpty && engine.state == before)
    }

    @Test func M09aChainThatSaysTwoThingsIsNamedReadAgainAndSaidAgain() {
        var engine = started()
        _ = step(&engine, segment(one, 1, digest: 7))
        let effects = step(&engine, segment(one, 2, previous: digest(9), digest: 8))
        let isNamed = effects.contains { if case .alarm(.forked(one)) = $0 { true } else { false } }
        let isSaidAgain = effects.contains { if case .retell(.chain(one)) = $0 { true } else { false } }
        #expect(isNamed && isSaidAgain && engine.state.forked == [one])
        #expect(gets(effects).contains(Place(kind: .segment, epoch: 0, device: one, number: 1)))
        // Each of its segments is now a word of its own.
        _ = step(&engine, segment(one, 1, digest: 6))
        _ = step(&engine, segment(one, 2, previous: digest(9), digest: 8))
        #expect(engine.state.chains[one]?.seen == Mark(number: 2, digest: digest(8)))
    }

    @Test func spansOfHigherLevelsAreAskedForInTurn() {
        var engine = started()
        var place = Place(kind: .segment, epoch: 0, device: one, number: 1)
        _ = step(&engine, .poll(live: 0))
        for level in 1...3 {
            let next = Place(kind: .span(level: level), epoch: 0, device: one, number: 1)
            #expect(gets(step(&engine, .got(place, .absent))) == [next])
            place = next
        }
        #expect(step(&engine, .got(place, .absent)).isEmpty)
        let again = Place(kind: .segment, epoch: 0, device: one, number: 1)
        #expect(step(&engine, .got(again, .absent)).isEmpty)
    }

    @Test func aSpanThatLeavesOutWhatIsAskedForEndsNothing() {
        var engine = started()
        let second = Segment(
            place: Place(kind: .segment, epoch: 0, device: one, number: 2), previous: digest(7), entries: [])
        let span = Place(kind: .span(level: 1), epoch: 0, device: one, number: 1)
        _ = step(&engine, .got(Place(kind: .segment, epoch: 0, device: one, number: 1), .absent))
        let effects = step(&engine, .got(span, .span([OpenedSegment(segment: second, digest: digest(8))])))
        #expect(gets(effects) == [Place(kind: .span(level: 2), epoch: 0, device: one, number: 1)])
        #expect(engine.state.chains[one]?.seen == Mark.none)
    }

    /// A device that was set back is found by its own tail alone: only of an identity of this very session is it not
    /// asked for.
    @Test func onlyADeviceThatWasMadeJustNowLeavesItsTailAlone() {
        func asked(_ event: Event) -> [Place] {
            var engine = SyncEngine(state: SyncState(device: own, isFirst: true))
            return gets(step(&engine, event)).filter { $0.device == own }
        }
        #expect(asked(.born).isEmpty)
        #expect(asked(.started) == [Place(kind: .segment, epoch: 0, device: own, number: 1)])
    }
}
