// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncProtocol
import Testing

@testable import SyncEngine
@testable import VaultAgent

/// When a remote is asked by itself, and for what.
@Suite struct SyncTimingTests {
    @Test func aSessionBeginsWithAllThatIsNew() {
        var timing = SyncTiming(now: 0)
        #expect(timing.secondsLeft(now: 0) == 1)
        #expect(timing.begin(1) == .all)
        #expect(timing.secondsLeft(now: 1) == .infinity, "nothing is due while a round is under way")
    }

    @Test func aChangeIsSentAtOnceAndOthersAreReadSoonAfter() {
        var timing = quiet(at: 100)
        timing.changed(100)
        #expect(timing.secondsLeft(now: 100) == 3)
        timing.changed(102)
        #expect(timing.secondsLeft(now: 102) == 1, "a burst of changes does not put it off")
        #expect(timing.begin(103) == .send)
        timing.ended(nil, 103.1)
        #expect(timing.secondsLeft(now: 103.1) <= 15)
        #expect(timing.begin(118) == .look)
    }

    @Test func aChangeDuringARoundIsSentAfterIt() {
        var timing = quiet(at: 100)
        let due = 100 + timing.secondsLeft(now: 100)
        #expect(timing.begin(due) == .look)
        timing.changed(due)
        timing.ended(nil, due + 1)
        #expect(timing.begin(due + 3) == .send)
    }

    @Test func newsOfARemoteLooksForDevicesToo() {
        var timing = quiet(at: 100)
        timing.heard(100)
        #expect(timing.secondsLeft(now: 100) < 1)
        #expect(timing.begin(101) == .all)
        timing.heard(101)
        timing.ended(nil, 102)
        #expect(timing.secondsLeft(now: 102) < 1, "what came while it was read is read again")
    }

    @Test func whatFailedIsTriedAgainLaterAlsoWhenItWasOnlySent() {
        var timing = quiet(at: 100)
        timing.changed(100)
        #expect(timing.begin(103) == .send)
        timing.ended(StoreFailure(.unreachable), 104)
        let left = timing.secondsLeft(now: 104)
        #expect(left >= 3 && left < 1000)
        #expect(timing.begin(104 + left) != .send, "a remote that was away may have news")
    }

    @Test func looksBecomeRarerWhereNothingIsNew() {
        var (timing, now, pauses) = (quiet(at: 0), 0.0, [Double]())
        for _ in 0..<12 {
            pauses.append(timing.secondsLeft(now: now))
            now += pauses.last ?? 0
            #expect(timing.begin(now) == .look)
            timing.ended(nil, now)
        }
        #expect(pauses == pauses.sorted() && pauses.last == 600)
    }

    /// One whose first round has ended.
    private func quiet(at now: Double) -> SyncTiming {
        var timing = SyncTiming(now: now - 1)
        #expect(timing.begin(now) == .all)
        timing.ended(nil, now)
        return timing
    }

    // MARK: Silence

    private static let (own, other) = (Identifier(high: 1, low: 1), Identifier(high: 2, low: 2))

    private func state(read number: UInt64) -> SyncState {
        var state = SyncState(device: Self.own, epoch: 1, isFirst: true)
        state.chains[Self.other] = SyncState.Chain(seen: Mark(number: number, digest: .zero), epoch: 1)
        return state
    }

    @Test func whoOnlyReadsSpeaksAfterASpanOfSegments() {
        let said = LastWords(made: 0, vector: state(read: 5).chains.mapValues(\.seen))
        #expect(!said.areOld(state(read: 5 + 63), now: 1000))
        #expect(said.areOld(state(read: 5 + 64), now: 1000))
    }

    /// A device that has the key may say that it has read any number of segments of devices that there are not.
    @Test func M13numbersThatNobodyCountedDoNotTrap() {
        var state = state(read: 5)
        for byte in UInt64(10)..<20 {
            state.chains[Identifier(high: byte, low: 0)] = SyncState.Chain(
                seen: Mark(number: 1 << 62, digest: .zero), epoch: 1)
        }
        #expect(LastWords(made: 0, vector: [:]).areOld(state, now: 0))
    }

    @Test func whoHasReadAnythingSpeaksAfterAWeekAndWhoHasNotNever() {
        let week: Int64 = 7 * 24 * 3_600_000
        let said = LastWords(made: 0, vector: state(read: 5).chains.mapValues(\.seen))
        #expect(!said.areOld(state(read: 6), now: week))
        #expect(said.areOld(state(read: 6), now: week + 1))
        #expect(!said.areOld(state(read: 5), now: 100 * week), "or two that only listen would wake each other")
    }
}
