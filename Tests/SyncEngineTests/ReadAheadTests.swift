// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) import SyncEngine
import Testing

/// What is read before anything is applied: an epoch may end where another chain goes on.
struct ReadAheadTests {
    private let own = DeviceID(high: 1, low: 0)
    private let rotator = DeviceID(high: 2, low: 0)
    private let stolen = DeviceID(high: 3, low: 0)
    private let note = NoteID(high: 9, low: 9)

    private func digest(_ number: UInt64) -> Digest { Digest(number, 0, 0, 0) }

    private func polled(_ limits: SyncEngine.Limits = .init(), rules: Rules = .all) -> SyncEngine {
        var engine = SyncEngine(state: SyncState(device: own, isFirst: true), limits: limits, rules: rules)
        _ = step(&engine, .started)
        _ = step(&engine, .listed(0, [rotator, stolen]))
        _ = step(&engine, .poll(live: 0))
        return engine
    }

    private func step(_ engine: inout SyncEngine, _ event: Event) -> [Effect] {
        engine.step(event, now: 0, fresh: DeviceID(high: engine.state.device.high + 10, low: 0))
    }

    private func place(_ device: DeviceID, _ number: UInt64, _ kind: Place.Kind = .segment) -> Place {
        Place(kind: kind, epoch: 0, device: device, number: number)
    }

    /// Answers with a segment: each is the one before it in its chain, by its digest.
    private func segment(
        _ device: DeviceID, _ number: UInt64, vector: [DeviceID: Mark] = [:], nextHeader: Digest? = nil, bytes: Int = 1
    ) -> Event {
        let entry = Entry(
            id: RevisionID(high: device.high, low: number), note: note, parents: [],
            body: Array(repeating: 1, count: bytes))
        let segment = Segment(
            place: place(device, number), previous: number == 1 ? .zero : mark(device, number - 1).digest,
            vector: vector, nextHeader: nextHeader, entries: [entry])
        return .got(
            segment.place, .segment(OpenedSegment(segment: segment, digest: mark(device, number).digest)))
    }

    private func mark(_ device: DeviceID, _ number: UInt64) -> Mark {
        Mark(number: number, digest: digest(device.high * 100 + number))
    }

    /// Says that a chain has ended before this number.
    private func end(_ device: DeviceID, _ number: UInt64, of engine: inout SyncEngine) -> [Effect] {
        var effects = step(&engine, .got(place(device, number), .absent))
        for level in 1...3 { effects += step(&engine, .got(place(device, 1, .span(level: level)), .absent)) }
        return effects
    }

    private func commits(_ effects: [Effect]) -> [Place] {
        effects.compactMap { if case .commit(let device, let number, _, _) = $0 { place(device, number) } else { nil } }
    }

    private func gets(_ effects: [Effect]) -> [Place] {
        effects.compactMap { if case .get(let place) = $0 { place } else { nil } }
    }

    /// The store answers for the stolen device first; the end of the epoch is read behind another segment.
    private func readsTheEndLast(_ rules: Rules) -> (early: [Place], late: [Place], state: SyncState) {
        var engine = polled(rules: rules)
        var early = commits(step(&engine, segment(stolen, 1))) + commits(step(&engine, segment(stolen, 2)))
        early += commits(end(stolen, 3, of: &engine))
        early += commits(step(&engine, segment(rotator, 1)))
        let ending = segment(rotator, 2, vector: [stolen: mark(stolen, 1)], nextHeader: digest(50))
        return (early, commits(step(&engine, ending)), engine.state)
    }

    @Test func M11whatIsReadInOneRoundWithTheEndOfItsEpochIsNotTakenBeyondTheCut() {
        let (early, late, state) = readsTheEndLast(.all)
        #expect(early == [place(rotator, 1)], "the other chain is not read to its end")
        #expect(Set(late) == [place(stolen, 1), place(rotator, 2)] && late.last == place(rotator, 2))
        #expect(state.isEnded && state.chains[stolen]?.seen == mark(stolen, 2), "read for another ending alone")
    }

    @Test func withoutTheCutItWouldBeTaken() {
        var rules = Rules.all
        rules.remove(.epochCut)
        let (early, late, _) = readsTheEndLast(rules)
        #expect((early + late).contains(place(stolen, 2)))
    }

    @Test func M11anEndingThatWaitsForASegmentHoldsBackWhatLiesBeyondItsCut() {
        var engine = polled()
        _ = step(&engine, segment(stolen, 2))
        _ = step(&engine, segment(rotator, 1, vector: [stolen: mark(stolen, 1)], nextHeader: digest(50)))
        _ = step(&engine, segment(stolen, 3))
        #expect(commits(step(&engine, segment(stolen, 1))) == [place(stolen, 1)])
        #expect(commits(end(stolen, 4, of: &engine)) == [place(rotator, 1)])
        #expect(engine.state.chains[stolen]?.seen == mark(stolen, 3))
    }

    @Test func twoChainsThatAreReadAreAppliedWhenBothHaveEnded() {
        var engine = polled()
        #expect(commits(step(&engine, segment(stolen, 1, vector: [rotator: mark(rotator, 1)]))).isEmpty)
        #expect(commits(step(&engine, segment(rotator, 1))).isEmpty)
        #expect(commits(end(stolen, 2, of: &engine)) == [place(rotator, 1)])
        #expect(commits(end(rotator, 2, of: &engine)) == [place(stolen, 1)])
    }

    @Test func aChainThatIsNotAnsweredHoldsUpNoOtherLongerThanItsRound() {
        var engine = polled()
        #expect(commits(step(&engine, segment(stolen, 1))).isEmpty)
        #expect(commits(step(&engine, .got(place(rotator, 1), .failed))) == [place(stolen, 1)])
    }

    /// What is not asked for is not there, but a first segment always is asked for: it may be as large as all together.
    @Test func whatIsReadAheadIsBounded() {
        var limits = SyncEngine.Limits()
        limits.aheadMax = 2000
        var engine = polled(limits)
        #expect(gets(step(&engine, segment(stolen, 1, bytes: 900))) == [place(stolen, 2)])
        #expect(gets(step(&engine, segment(stolen, 2, bytes: 900))).isEmpty, "half of it is full")
        // Behind a gap: its first one is on its way, and is asked for however much there is.
        #expect(gets(step(&engine, segment(rotator, 2, bytes: 5000))).isEmpty)
        #expect(commits(step(&engine, segment(rotator, 1))) == [place(rotator, 1), place(rotator, 2)])
        let effects = end(rotator, 3, of: &engine)
        #expect(commits(effects) == [place(stolen, 1), place(stolen, 2)] && gets(effects).contains(place(stolen, 3)))
    }

    @Test func aSegmentThatWasNotThereIsAskedForOnceInARound() {
        var engine = polled()
        _ = end(stolen, 1, of: &engine)
        _ = step(&engine, segment(rotator, 1))
        #expect(!gets(end(rotator, 2, of: &engine)).contains(place(stolen, 1)))
        #expect(gets(step(&engine, .poll(live: 0))).contains(place(stolen, 1)))
    }
}
