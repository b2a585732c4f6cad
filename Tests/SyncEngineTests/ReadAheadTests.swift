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

    /// - Parameter asksAheadMax: by itself one segment of a chain at a time, so that each answer is the last.
    private func polled(_ limits: SyncEngine.Limits = .init(), rules: Rules = .all, asksAheadMax: UInt64 = 0)
        -> SyncEngine
    {
        var limits = limits
        limits.asksAheadMax = asksAheadMax
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
        #expect(late == [place(stolen, 1), place(rotator, 2)])
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
        let effects = step(&engine, segment(stolen, 1))
        #expect(commits(effects) + commits(end(stolen, 4, of: &engine)) == [place(stolen, 1), place(rotator, 1)])
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

    /// What there is no room for is looked at for an ending, let go, and read again when nothing else is being read.
    @Test func whatIsReadAheadIsBoundedAndNothingOfItIsLost() {
        var limits = SyncEngine.Limits()
        limits.aheadMax = 2000
        var engine = polled(limits)
        for number in 1...6 as ClosedRange<UInt64> {
            let effects = step(&engine, segment(stolen, number, bytes: 900))
            #expect(gets(effects) == [place(stolen, number + 1)] && commits(effects).isEmpty)
        }
        _ = end(stolen, 7, of: &engine)
        var effects = end(rotator, 1, of: &engine)
        var taken = commits(effects)
        #expect(taken == [place(stolen, 1), place(stolen, 2)])
        while let next = gets(effects).first(where: { $0.device == stolen && $0.kind == .segment }), next.number < 7 {
            effects = step(&engine, segment(stolen, next.number, bytes: 900))
            taken += commits(effects)
        }
        #expect(taken == (1...6).map { place(stolen, $0) })
    }

    @Test func M11anEndingBehindMoreThanThereIsRoomForCounts() {
        var limits = SyncEngine.Limits()
        limits.aheadMax = 2000
        var engine = polled(limits)
        for number in 1...4 as ClosedRange<UInt64> { _ = step(&engine, segment(stolen, number, bytes: 900)) }
        _ = end(stolen, 5, of: &engine)
        for number in 1...4 as ClosedRange<UInt64> { _ = step(&engine, segment(rotator, number, bytes: 900)) }
        #expect(engine.state.chains[stolen]?.seen.number == 0)
        _ = step(&engine, segment(rotator, 5, vector: [stolen: mark(stolen, 1)], nextHeader: digest(50)))
        #expect(engine.state.isEnded && commits(end(rotator, 6, of: &engine)).allSatisfy { $0 != place(stolen, 2) })
    }

    /// Vectors take memory too.
    @Test func segmentsWithoutEntriesAreBounded() {
        var limits = SyncEngine.Limits()
        limits.aheadMax = 20_000
        var engine = polled(limits)
        let quoted = (0..<50 as Range<UInt64>).map { DeviceID(high: 2, low: $0) }
        let vector = Dictionary(uniqueKeysWithValues: quoted.map { ($0, Mark(number: 9, digest: digest(1))) })
        for number in 1...100 as ClosedRange<UInt64> {
            _ = step(&engine, segment(stolen, number, vector: vector, bytes: 0))
        }
        #expect(engine.bytesAhead < 30_000)
    }

    // MARK: What a thief of the old key seals

    /// With an ending of its own, whose header is smaller, what it sealed would be within the cut.
    @Test func M11anEndingByTheThiefDoesNotWidenTheCut() {
        var engine = polled()
        _ = step(&engine, segment(stolen, 1))
        var taken = commits(step(&engine, segment(stolen, 2, nextHeader: digest(1))))
        taken += commits(step(&engine, segment(rotator, 1)))
        let ending = segment(rotator, 2, vector: [stolen: mark(stolen, 1)], nextHeader: digest(50))
        let effects = step(&engine, ending)
        taken += commits(effects)
        #expect(taken == [place(stolen, 1)], "what both endings count")
        let keys = effects.compactMap { if case .needKey(let header) = $0 { header } else { nil } }
        #expect(engine.state.isEnded && keys.contains(digest(50)))
    }

    /// A word about another chain does not take away what was read of it.
    @Test func M11aThiefWhoCallsTheOthersForkedIsNotTakenBeforeTheyWereReadAgain() {
        var engine = polled()
        _ = step(&engine, segment(rotator, 1))
        _ = step(&engine, segment(stolen, 1))
        let planted = Segment(
            place: place(stolen, 2), previous: mark(stolen, 1).digest, forked: [rotator],
            entries: [Entry(id: RevisionID(high: 77, low: 0), note: note, parents: [], body: [1])])
        var taken = commits(
            step(
                &engine, .got(planted.place, .segment(OpenedSegment(segment: planted, digest: mark(stolen, 2).digest))))
        )
        taken += commits(end(stolen, 3, of: &engine))
        taken += commits(step(&engine, segment(rotator, 1)))
        taken += commits(
            step(&engine, segment(rotator, 2, vector: [stolen: mark(stolen, 1)], nextHeader: digest(50))))
        #expect(!taken.contains(place(stolen, 2)) && engine.state.isEnded)
    }

    /// Nobody can wait for ever for an ending that waits for itself.
    @Test func M11anEndingThatNothingCanFulfilEndsTheEpochAndIsTold() {
        var engine = polled()
        _ = step(&engine, segment(stolen, 1, vector: [rotator: mark(rotator, 9)], nextHeader: digest(50)))
        let effects = step(&engine, segment(rotator, 1))
        let keys = effects.compactMap { if case .needKey(let header) = $0 { header } else { nil } }
        #expect(engine.state.isEnded && (keys.contains(digest(50)) || engine.state.endings[digest(50)] != nil))
        var selfish = polled()
        _ = step(&selfish, .got(place(rotator, 1), .absent))
        let own = segment(stolen, 1, vector: [stolen: mark(stolen, 5)])
        _ = step(&selfish, .got(place(rotator, 1, .span(level: 1)), .failed))
        #expect(commits(step(&selfish, own)) == [place(stolen, 1)], "a word about itself is not waited for")
    }

    @Test func aDeviceThatIsHeardOfInARoundIsAskedInIt() {
        var engine = polled()
        let other = DeviceID(high: 4, low: 0)
        let effects = step(&engine, segment(stolen, 1, vector: [other: mark(other, 1)]))
        #expect(gets(effects).contains(place(other, 1)))
    }

    // MARK: Removals, forks, alarms

    private func removals(_ device: DeviceID, _ number: UInt64, count: UInt64) -> Event {
        let entries = (0..<count).map { index in
            Entry(
                id: RevisionID(high: number, low: index), note: NoteID(high: number, low: index), kind: .purge,
                parents: [], removes: true, body: [1])
        }
        let segment = Segment(
            place: place(device, number), previous: number == 1 ? .zero : mark(device, number - 1).digest,
            entries: entries)
        return .got(segment.place, .segment(OpenedSegment(segment: segment, digest: mark(device, number).digest)))
    }

    @Test func M22aHeldPullIsHeldOverRoundsAndAnAllowanceWaitsForWhatIsRead() {
        var engine = polled()
        _ = end(rotator, 1, of: &engine)
        _ = step(&engine, removals(stolen, 1, count: 15))
        #expect(engine.state.chains[stolen]?.seen.number == 1)
        _ = step(&engine, removals(stolen, 2, count: 15))
        #expect(engine.state.chains[stolen]?.seen.number == 1)
        for _ in 0..<3 {
            _ = step(&engine, .poll(live: 0))
            _ = step(&engine, .got(place(stolen, 3), .absent))
            _ = step(&engine, .got(place(rotator, 1), .absent))
            #expect(engine.state.chains[stolen]?.seen.number == 1, "nobody has said yes")
        }
        _ = step(&engine, .poll(live: 0))
        _ = step(&engine, .allow(stolen))
        _ = step(&engine, .got(place(stolen, 3), .absent))
        _ = step(&engine, .got(place(rotator, 1), .absent))
        #expect(engine.state.chains[stolen]?.seen.number == 2)
    }

    @Test func M09aForkIsFoundByWhatAnotherQuotesInTheSameRound() {
        var engine = polled()
        _ = step(&engine, segment(stolen, 1))
        let other = Mark(number: 1, digest: digest(999))
        let effects = step(&engine, segment(rotator, 1, vector: [stolen: other]))
        #expect(effects.contains { if case .alarm(.forked(stolen)) = $0 { true } else { false } })
    }

    @Test func aSegmentThatWasNotThereIsAskedForOnceInARound() {
        var engine = polled()
        _ = step(&engine, segment(rotator, 1))
        _ = end(rotator, 2, of: &engine)
        _ = step(&engine, segment(stolen, 1))
        #expect(!gets(end(stolen, 2, of: &engine)).contains(place(rotator, 2)))
        #expect(gets(step(&engine, .poll(live: 0))).contains(place(rotator, 2)))
    }

    /// Answers all that is asked for of a chain of so many segments, a round of requests at a time.
    private func rounds(_ count: UInt64, asksAheadMax: UInt64) -> (rounds: Int, requests: Int, taken: [Place]) {
        var engine = polled(asksAheadMax: asksAheadMax)
        _ = end(rotator, 1, of: &engine)
        var (asked, rounds, requests, taken) = ([place(stolen, 1)], 0, 0, [Place]())
        while !asked.isEmpty {
            (rounds, requests) = (rounds + 1, requests + asked.count)
            var next: [Place] = []
            // The last first: answers come in any order.
            for place in asked.reversed() {
                let isThere = place.kind == .segment && place.number <= count
                let effects = step(
                    &engine, isThere ? segment(stolen, place.number) : .got(place, .absent))
                taken += commits(effects)
                next += gets(effects)
            }
            asked = next
        }
        return (rounds, requests, taken)
    }

    @Test func aLongChainIsReadSeveralSegmentsAtOnce() {
        let (one, several) = (rounds(60, asksAheadMax: 0), rounds(60, asksAheadMax: 8))
        let all = (1...60).map { place(stolen, $0) }
        #expect(one.taken == all && several.taken == all)
        #expect(several.rounds * 3 < one.rounds, "\(several.rounds) against \(one.rounds)")
        #expect(several.requests <= one.requests + 20)
    }

    @Test func ofOneNewSegmentNoMoreIsAskedThanBefore() {
        for count in 0...1 as ClosedRange<UInt64> {
            #expect(rounds(count, asksAheadMax: 8).requests == rounds(count, asksAheadMax: 0).requests)
        }
    }

    @Test func whatIsNotThereAheadIsNotAskedForAgainBeforeItsTurn() {
        var engine = polled(asksAheadMax: 8)
        _ = end(rotator, 1, of: &engine)
        for number in 1...10 as ClosedRange<UInt64> { _ = step(&engine, segment(stolen, number)) }
        // The next one is on its way; the store has answered already that those behind it are not there.
        var again: [Place] = []
        for number in 12...19 as ClosedRange<UInt64> {
            again += gets(step(&engine, .got(place(stolen, number), .absent)))
        }
        #expect(again.isEmpty, "\(again)")
        let next = gets(step(&engine, segment(stolen, 11)))
        #expect(next.contains(place(stolen, 12)), "its turn has come")
    }
}
