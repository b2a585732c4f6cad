// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `LockTimer` says when an open vault locks by itself: after a time without requests, after a time in any case, and
/// when the machine has slept.
struct LockTimer {
    let idleSeconds: Double
    let maxSeconds: Double
    private let begin: Double
    private let sleptAtBegin: Double
    private(set) var lastRequest: Double

    /// Longest sleep that counts as a clock's inaccuracy, in seconds.
    private static let sleepTolerance = 2.0

    init(idleSeconds: Double, maxSeconds: Double, now: Double, slept: Double) {
        self.idleSeconds = idleSeconds
        self.maxSeconds = maxSeconds
        begin = now
        lastRequest = now
        sleptAtBegin = slept
    }

    /// Returns whether it is over; asked before each request is served.
    func isOver(now: Double, slept: Double) -> Bool {
        now - lastRequest >= idleSeconds || now - begin >= maxSeconds || slept - sleptAtBegin > Self.sleepTolerance
    }

    mutating func requestServed(now: Double) { lastRequest = now }

    /// Returns the seconds until it may be over.
    func remaining(now: Double) -> Double {
        max(0, min(lastRequest + idleSeconds, begin + maxSeconds) - now)
    }

    /// Returns the seconds of the two limits that are left, for `vault status`.
    func left(now: Double) -> (idle: Double, max: Double) {
        (max(0, lastRequest + idleSeconds - now), max(0, begin + maxSeconds - now))
    }
}

/// `BootClock` reads the time that goes on while the machine sleeps: a lid that was closed for a night counts.
enum BootClock {
    /// Seconds since start, sleep included.
    static var seconds: Double { read(CLOCK_BOOTTIME) }

    /// Seconds that this machine has slept since it was started; when it grows, the machine was suspended.
    static var sleptSeconds: Double { read(CLOCK_BOOTTIME) - read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Waits; only on the connection that an agent was started with, before it serves anybody else.
func pause(_ seconds: Double) {
    var wanted = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    var left = timespec()
    while unsafe nanosleep(&wanted, &left) != 0 && errno == EINTR { wanted = left }
}
