// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `BackOff` says how long to leave a remote alone after failures: from a second on, twice as long each time, at most
/// five minutes, each with jitter, and never shorter than the store asks for.
///
/// It is the agent's: `vault-sync` retries nothing on its own. It has no clock and no random number of its own.
public struct BackOff: Sendable, Equatable {
    /// The first wait, in seconds.
    public static let first: Double = 1
    /// The longest wait of its own, in seconds.
    public static let longest: Double = 300
    /// The longest wait that a store gets by asking for it, in seconds: one that asks for a year is a broken one.
    public static let longestAsked: Double = 3600

    private var failures = 0

    public init() {}

    /// Resets the count after an answer: the next failure counts as the first.
    public mutating func succeeded() { failures = 0 }

    /// Counts a failure that may pass, and returns how many seconds to wait.
    ///
    /// - Parameter random: 0 to 1, for the jitter: many devices that lost one server must not come back as one.
    public mutating func failed(_ failure: StoreFailure, random: Double) -> Double {
        var wait = Self.first
        for _ in 0..<min(failures, 16) { wait = min(wait * 2, Self.longest) }
        failures += 1
        let jittered = wait * (0.5 + 0.5 * min(max(random, 0), 1))
        return max(jittered, min(Double(failure.retryAfter), Self.longestAsked))
    }
}
