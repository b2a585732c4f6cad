// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol

/// `SyncRound` says what a round of syncing begins with.
enum SyncRound {
    /// Whatever is new is read, also of devices of which nobody here has heard.
    case all
    /// Whatever is new is read of devices that are known; others are looked for now and then.
    case look
    /// What was written here is sent, and nothing is read before: one request for a changed note.
    case send
}

/// `SyncTiming` says when a remote is asked without anybody asking, and for what.
struct SyncTiming {
    /// Seconds after a change, so that a burst of them is one segment.
    private static let afterChange = 3.0
    /// Seconds after news of a remote: a segment comes with others.
    private static let afterNews = 0.3
    /// Seconds between two looks, from the first one that found nothing on. It is also how soon after a change one is
    /// due: a person who writes wants to know what others have written.
    private static let pollsFirst = 15.0
    private static let pollsLongest = 600.0

    private var due: Double
    private var sendDue = Double.infinity
    private var pause = pollsFirst
    private var backOff = BackOff()
    private var wasHeard = false
    private var isNews = true
    private var round = SyncRound.all

    init(now: Double) { due = now + 1 }

    func secondsLeft(now: Double) -> Double { max(0, min(due, sendDue) - now) }

    /// Begins the round that is due.
    mutating func begin(_ now: Double) -> SyncRound {
        round = due > now ? .send : isNews ? .all : .look
        if due <= now { (due, wasHeard, isNews) = (.infinity, false, false) }
        sendDue = .infinity
        return round
    }

    mutating func changed(_ now: Double) {
        pause = Self.pollsFirst
        sendDue = min(sendDue, now + Self.afterChange)
        if due < .infinity { due = min(due, now + Self.pollsFirst) }
    }

    /// Records that somebody has written there. What is being read goes on; then it is read again.
    mutating func heard(_ now: Double) {
        (pause, isNews) = (Self.pollsFirst, true)
        (due, wasHeard) = (min(due, now + Self.afterNews), due == .infinity)
    }

    /// Plans the next round after one has ended that was due or that somebody asked for.
    ///
    /// - Parameter isTold: the remote's service says by itself that something is new: it is asked rarely.
    mutating func ended(_ failure: StoreFailure?, isTold: Bool = false, _ now: Double) {
        defer { round = .all }
        if let failure {
            due = now + max(Self.afterChange, backOff.failed(failure, random: .random(in: 0...1)))
            sendDue = .infinity
            return
        }
        backOff.succeeded()
        guard round != .send || due == .infinity else { return }
        due = now + (wasHeard ? Self.afterNews : isTold ? Self.pollsLongest : pause)
        wasHeard = false
        pause = min(pause * 1.5, Self.pollsLongest)
    }
}
