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

    private func claims(_ number: UInt64, at now: Double = 0) -> Claims {
        let claims = Claims()
        claims.claim(Self.chain, Mark(number: number, digest: digests[0]), by: Self.speaker, now: now)
        return claims
    }

    @Test func X69WhatIsNotShownAfterHalfAMinuteAndTwoLooksIsWithheld() {
        let claims = claims(5)
        let shown = state(3, digests[1])
        #expect(!claims.settle(shown, now: 1) && !claims.settle(shown, now: 29))
        #expect(claims.withheld.isEmpty, "a slow store has its time")
        #expect(claims.settle(shown, now: 31))
        #expect(claims.withheld == [Self.speaker: Self.chain])
    }

    @Test func X69ADeviceThatIsNotShownAtAllIsWithheldToo() {
        let claims = claims(1)
        _ = claims.settle(state(0, digests[0]), now: 40)
        #expect(claims.withheld.isEmpty, "one look is no proof, however late")
        _ = claims.settle(state(0, digests[0]), now: 41)
        #expect(claims.withheld[Self.speaker] == Self.chain)
    }

    @Test func aForkThatEndsIsADelay() {
        let claims = claims(5)
        for now in [1.0, 31] { _ = claims.settle(state(3, digests[1]), now: now) }
        #expect(!claims.withheld.isEmpty)
        #expect(claims.settle(state(5, digests[0]), now: 60))
        #expect(claims.withheld.isEmpty && claims.secondsLeft(now: 60) == nil)
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
        _ = claims.settle(state(7, digests[1]), now: 100)
        _ = claims.settle(state(7, digests[1]), now: 200)
        #expect(claims.withheld.isEmpty)
    }

    @Test func theNewestWordOfADeviceTakesThePlaceOfTheOneBefore() {
        let claims = claims(5)
        let other = Identifier(high: 7, low: 7)
        claims.claim(other, Mark(number: 1, digest: digests[0]), by: Self.speaker, now: 10)
        for now in [20.0, 50] { _ = claims.settle(state(3, digests[1]), now: now) }
        #expect(claims.withheld == [Self.speaker: other], "a remote that was made anew: only the last word counts")
    }

    @Test func aDeviceThatWasGivenUpIsNotWaitedFor() {
        let claims = claims(5)
        var shown = state(3, digests[1])
        shown.giveUp([Self.chain])
        for now in [1.0, 60, 120] { _ = claims.settle(shown, now: now) }
        #expect(claims.withheld.isEmpty)
    }
}
