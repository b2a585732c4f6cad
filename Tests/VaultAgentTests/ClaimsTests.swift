// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import SyncEngine
@testable import VaultAgent

/// What devices say over one remote of another: found out where that does not show it, and never of an honest one.
@Suite struct ClaimsTests {
    private static let chain = Identifier(high: 1, low: 2)
    private static let speaker = Claims.Speaker(remote: "disk", device: Identifier(high: 3, low: 4))
    private let digests = [Digest(1, 2, 3, 4), Digest(5, 6, 7, 8)]

    private func state(_ number: UInt64, _ digest: Digest) -> SyncState {
        var state = SyncState(device: Identifier(high: 9, low: 9), epoch: 1, isFirst: true)
        var chain = SyncState.Chain(epoch: 1)
        chain.seen = Mark(number: number, digest: digest)
        if number > 0 { state.chains[Self.chain] = chain }
        return state
    }

    private func claims(_ number: UInt64) -> Claims {
        let claims = Claims()
        claims.claim(Self.chain, Mark(number: number, digest: digests[0]), by: Self.speaker, look: 10, now: 0)
        return claims
    }

    private func settle(_ claims: Claims, _ state: SyncState, look: Int, now: Double, late: Bool = false) -> Bool {
        claims.settle(state, look: look, showsLate: late, now: now)
    }

    @Test func X69WhatIsNotShownAfterAMinuteAndTwoLooksIsWithheld() {
        let claims = claims(5)
        let shown = state(3, digests[1])
        #expect(!settle(claims, shown, look: 11, now: 1) && !settle(claims, shown, look: 12, now: 59))
        #expect(claims.withheld.isEmpty, "a slow store has its time")
        #expect(settle(claims, shown, look: 13, now: 61))
        #expect(claims.withheld == [Self.speaker: Self.chain])
    }

    @Test func X69ADeviceThatIsNotShownAtAllIsWithheldToo() {
        let claims = claims(1)
        _ = settle(claims, state(0, digests[0]), look: 10, now: 90)
        _ = settle(claims, state(0, digests[0]), look: 11, now: 90)
        #expect(claims.withheld.isEmpty, "a look that was under way, and one more, are no proof, however late")
        _ = settle(claims, state(0, digests[0]), look: 12, now: 91)
        #expect(claims.withheld[Self.speaker] == Self.chain)
    }

    @Test func aFolderThatAProgramCarriesIsNeverLate() {
        let claims = claims(5)
        #expect(!settle(claims, state(3, digests[1]), look: 50, now: 100_000, late: true))
        claims.look(at: Self.chain, 5, state(5, digests[1]))
        #expect(!claims.withheld.isEmpty, "but another segment under that number is one")
    }

    @Test func aForkThatEndsIsADelay() {
        let claims = claims(5)
        _ = settle(claims, state(3, digests[1]), look: 12, now: 61)
        #expect(!claims.withheld.isEmpty)
        #expect(settle(claims, state(5, digests[0]), look: 13, now: 80))
        #expect(claims.withheld.isEmpty)
    }

    @Test func X69AnotherSegmentUnderThatNumberIsFoundAtOnce() {
        let claims = claims(5)
        claims.look(at: Self.chain, 5, state(5, digests[1]))
        #expect(claims.withheld[Self.speaker] == Self.chain)
    }

    @Test func whatComesByIsComparedAndThenForgotten() {
        let claims = claims(5)
        claims.look(at: Self.chain, 4, state(4, digests[1]))
        claims.look(at: Self.chain, 5, state(5, digests[0]))
        _ = settle(claims, state(7, digests[1]), look: 20, now: 200)
        #expect(claims.withheld.isEmpty)
    }

    @Test func theNewestWordOfADeviceTakesThePlaceOfTheOneBefore() {
        let claims = claims(5)
        let other = Identifier(high: 7, low: 7)
        claims.claim(other, Mark(number: 1, digest: digests[0]), by: Self.speaker, look: 10, now: 10)
        _ = settle(claims, state(3, digests[1]), look: 20, now: 100)
        #expect(claims.withheld == [Self.speaker: other], "a remote that was made anew: only the last word counts")
    }

    @Test func X69ADeviceThatAlwaysSaysMoreDoesNotKeepThisFromBeingFound() {
        let claims = claims(5)
        for step in 1...5 {
            claims.claim(
                Self.chain, Mark(number: UInt64(5 + step), digest: digests[0]), by: Self.speaker, look: 10 + step,
                now: Double(step * 20))
            _ = settle(claims, state(3, digests[1]), look: 10 + step, now: Double(step * 20))
        }
        #expect(claims.withheld[Self.speaker] == Self.chain)
    }

    @Test func whoWasGivenUpIsNotBelievedAndNotWaitedFor() {
        let first = claims(5)
        var shown = state(3, digests[1])
        shown.giveUp([Self.chain])
        _ = settle(first, shown, look: 20, now: 120)
        #expect(first.withheld.isEmpty)
        let second = claims(5)
        _ = settle(second, state(3, digests[1]), look: 20, now: 120)
        #expect(!second.withheld.isEmpty)
        _ = second.settle(state(3, digests[1]), look: 21, showsLate: false, now: 130) { _ in true }
        #expect(second.withheld.isEmpty)
    }
}
