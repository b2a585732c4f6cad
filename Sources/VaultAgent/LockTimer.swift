// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// When an open vault locks by itself: after a time without requests, after a time in any case, and when the machine
/// has slept.
struct LockTimer {
    let idleSeconds: Double
    let maxSeconds: Double
    private let begin: Double
    private let sleptAtBegin: Double
    private(set) var lastRequest: Double

    /// A shorter sleep than this, in seconds, is a clock's inaccuracy.
    private static let sleepTolerance = 2.0

    init(idleSeconds: Double, maxSeconds: Double, now: Double, slept: Double) {
        self.idleSeconds = idleSeconds
        self.maxSeconds = maxSeconds
        begin = now
        lastRequest = now
        sleptAtBegin = slept
    }

    /// Whether it is over; asked before each request is served.
    func isOver(now: Double, slept: Double) -> Bool {
        now - lastRequest >= idleSeconds || now - begin >= maxSeconds || slept - sleptAtBegin > Self.sleepTolerance
    }

    mutating func requestServed(now: Double) { lastRequest = now }

    /// Seconds until it may be over.
    func remaining(now: Double) -> Double {
        max(0, min(lastRequest + idleSeconds, begin + maxSeconds) - now)
    }

    /// Seconds of the two limits that are left, for `vault status`.
    func left(now: Double) -> (idle: Double, max: Double) {
        (max(0, lastRequest + idleSeconds - now), max(0, begin + maxSeconds - now))
    }
}
