// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

@testable import SessionSignals

/// What is not to be believed is followed by a real signal: when that is the first event, the rest was ignored.
@Suite(.serialized, .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon and python3-dbusmock"))
struct SessionWatchTests {
    private let bus: PrivateBus
    private let watch: SessionWatch
    private let ours = "session ours \(getuid())"
    private let others = "session others \(getuid() + 1)"

    init() throws {
        bus = try PrivateBus()
        watch = try bus.watch()
    }

    @Test func sleepIsHeard() throws {
        #expect(watch.event(within: 0.2) == nil)
        try bus.tell("sleep 1")
        #expect(watch.event() == .sleep)
        #expect(watch.event(within: 0.2) == nil)
    }

    @Test func shutdownIsHeard() throws {
        try bus.tell("shutdown 1")
        #expect(watch.event() == .shutdown)
    }

    @Test func wakingUpIsNoEvent() throws {
        try bus.tell("sleep 0")
        try bus.tell("shutdown 0")
        try bus.tell("sleep 1")
        #expect(watch.event() == .sleep)
    }

    @Test func theLockOfOurSessionIsHeard() throws {
        try bus.tell(ours)
        try bus.tell("lock ours")
        #expect(watch.event() == .screenLock)
        #expect(watch.event(within: 1.3) == nil)
    }

    @Test func theLockOfAnotherUsersSessionIsNoEvent() throws {
        try bus.tell(others)
        try bus.tell("lock others")
        // Longer than an answer is waited for.
        #expect(watch.event(within: 1.4) == nil)
        try bus.tell(ours)
        try bus.tell("lock others")
        try bus.tell("lock ours")
        #expect(watch.event() == .screenLock)
    }

    @Test func aSessionWhoseUserIsNotToldCountsAsOurs() throws {
        try bus.tell("oddsession odd")
        try bus.tell("lock odd")
        #expect(watch.event() == .screenLock)
        try bus.tell("locknowhere")
        #expect(watch.event() == .screenLock)
    }

    @Test func aLogindThatDoesNotAnswerIsNotWaitedFor() throws {
        try bus.tell(others)
        try bus.tell("stall others 4")
        let begin = Date()
        #expect(watch.event(within: 0.5) == nil)
        #expect(watch.secondsLeft <= 0.7)
        #expect(watch.event() == .screenLock)
        #expect((0.7...3).contains(Date().timeIntervalSince(begin)))
        // The answer that comes in the end is no second event.
        #expect(watch.event(within: 4) == nil)
    }

    @Test func anotherSenderIsNotBelieved() throws {
        try bus.tell(others)
        try bus.tell("forge")
        #expect(watch.event(within: 1.4) == nil)
        #expect(watch.holdsInhibitor)
        try bus.tell("sleep 1")
        #expect(watch.event() == .sleep)
    }

    @Test func malformedSignalsAreIgnored() throws {
        try bus.tell("malformed")
        #expect(watch.event(within: 0.3) == nil)
        try bus.tell("sleep 1")
        #expect(watch.event() == .sleep)
    }

    @Test func sleepWaitsUntilTheInhibitorIsReleased() throws {
        #expect(try bus.showsInhibitors("sleep,vault,lock the open vault,delay"))
        watch.releaseInhibitor()
        #expect(!watch.holdsInhibitor)
        #expect(try bus.showsInhibitors("none"))
        try bus.tell("sleep 1")
        #expect(watch.event() == .sleep)
    }

    @Test func theInhibitorGoesWithItsHolder() throws {
        var second: SessionWatch? = try bus.watch()
        #expect(second?.holdsInhibitor == true)
        #expect(try bus.tell("inhibitors").split(separator: " sleep").count == 2)
        second = nil
        #expect(try bus.showsInhibitors("sleep,vault,lock the open vault,delay"))
    }

    @Test func aLogindThatIsStartedAgainIsTrustedAgain() throws {
        try bus.tell("restart")
        #expect(watch.event(within: 10, until: { !watch.holdsInhibitor }) == nil)
        #expect(watch.event(within: 10, until: { watch.holdsInhibitor }) == nil)
        #expect(watch.holdsInhibitor)
        try bus.tell(ours)
        try bus.tell("lock ours")
        #expect(watch.event() == .screenLock)
    }
}
