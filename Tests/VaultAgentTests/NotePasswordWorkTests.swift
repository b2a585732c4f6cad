// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import VaultAgent

/// When a private note may be tried again, and when it locks by itself.
@Suite struct NotePasswordWorkTests {
    private let one = try! NoteID([UInt8](repeating: 1, count: 10))
    private let two = try! NoteID([UInt8](repeating: 2, count: 10))

    @Test func B06eachWrongPasswordOfANoteMakesTheNextTryWaitLonger() {
        let attempts = NoteAttempts()
        var waits: [Double] = []
        for _ in 0..<9 {
            waits.append(attempts.begin(one, now: 100) ?? -1)
            attempts.failed(one, now: 100)
            attempts.end(one)
        }
        #expect(waits == [0, 0.25, 0.5, 1, 2, 4, 8, 8, 8])
        #expect(attempts.begin(two, now: 100) == 0, "another note is another matter")
        #expect(attempts.begin(one, now: 105) == 3, "what has passed counts")
        attempts.end(one)
        attempts.succeeded(one)
        #expect(attempts.begin(one, now: 105) == 0)
    }

    @Test func B06tryingTwiceAtOnceIsNoWayAroundTheWaiting() {
        let attempts = NoteAttempts()
        #expect(attempts.begin(one, now: 1) == 0)
        #expect(attempts.begin(one, now: 1) == nil)
        attempts.end(one)
        #expect(attempts.begin(one, now: 1) == 0)
    }

    @Test func E05aPrivateNoteLocksWhenNobodyUsesIt() {
        var timers = NoteTimers()
        timers.idleSeconds = 300
        #expect(timers.over(unlocked: [one, two], used: [one, two], now: 0).isEmpty)
        #expect(timers.remaining(now: 100) == 200)
        #expect(timers.over(unlocked: [one, two], used: [one], now: 200).isEmpty)
        #expect(timers.over(unlocked: [one, two], used: [], now: 301) == [two])
        #expect(timers.over(unlocked: [one], used: [], now: 499).isEmpty)
        #expect(timers.over(unlocked: [one], used: [], now: 500) == [one])
        #expect(timers.over(unlocked: [], used: [], now: 501).isEmpty && timers.remaining(now: 501) == nil)
    }
}
