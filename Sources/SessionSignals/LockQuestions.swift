// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `LockQuestions` knows whose session a `Lock` was for, while logind has not said. A question that is not answered in
/// time counts as "ours".
struct LockQuestions {
    private struct Question {
        let path: String
        let deadline: UInt64
    }

    private var open: [UInt64: Question] = [:]

    /// Microseconds that an answer is waited for: it takes a millisecond, and a logind that takes a thousand times as
    /// long is not waited for.
    static let patience: UInt64 = 1_000_000
    /// Most open questions: there are not that many sessions.
    static let countMax = 64

    var isEmpty: Bool { open.isEmpty }
    var isFull: Bool { open.count >= Self.countMax }
    var earliestDeadline: UInt64? { open.values.map { $0.deadline }.min() }

    func isAsked(about path: String) -> Bool { open.values.contains { $0.path == path } }

    /// Remembers a question until it is answered or its time is over.
    ///
    /// - Parameter now: microseconds of the monotonic clock.
    mutating func add(_ cookie: UInt64, about path: String, now: UInt64) {
        open[cookie] = Question(path: path, deadline: now + Self.patience)
    }

    /// Returns whether `cookie` is that of an open question, which is closed with it.
    mutating func close(_ cookie: UInt64) -> Bool { open.removeValue(forKey: cookie) != nil }

    mutating func closeAll() { open = [:] }

    func isOverdue(now: UInt64) -> Bool { open.values.contains { $0.deadline <= now } }
}
