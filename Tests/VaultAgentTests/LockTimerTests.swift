// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultAgent

/// When a vault that was left open locks by itself.
struct LockTimerTests {
    private let timer = LockTimer(idleSeconds: 900, maxSeconds: 28_800, now: 100, slept: 7)

    @Test func E05aMachineThatSleptFindsItsVaultLocked() {
        #expect(!timer.isOver(now: 110, slept: 7))
        #expect(!timer.isOver(now: 110, slept: 8.5), "clocks that are read one after the other differ a little")
        #expect(timer.isOver(now: 110, slept: 9.5))
    }

    @Test func E05idleTimeBeginsAnewAndTheLongestTimeDoesNot() {
        var used = timer
        #expect(used.isOver(now: 1000, slept: 7))
        used.requestServed(now: 999)
        #expect(!used.isOver(now: 1000, slept: 7) && used.remaining(now: 1000) == 899)
        used.requestServed(now: 28_890)
        #expect(used.remaining(now: 28_890) == 10)
        #expect(used.isOver(now: 28_900, slept: 7))
    }
}
