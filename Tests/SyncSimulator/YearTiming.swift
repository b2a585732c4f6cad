// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncEngine

/// `YearTiming` says when a device asks its remote without anybody asking: the rules of `SyncTiming`
/// (VaultAgent/Syncing/SyncTiming.swift), which only the agent can use, without what follows a failure or news of a
/// folder or a service: a bucket tells no news, and this store does not fail. Both are changed together.
struct YearTiming {
    enum Round {
        case all
        case look
        case send
    }

    private static let afterChange = 3.0
    private static let pollsFirst = 15.0
    private static let pollsLongest = 600.0

    private var due: Double
    private var sendDue = Double.infinity
    private var pause = pollsFirst
    private var isNews = true
    private var round = Round.all

    init(now: Double) { due = now + 1 }

    /// When the next round is due.
    var next: Double { min(due, sendDue) }

    mutating func begin(_ now: Double) -> Round {
        round = due > now ? .send : isNews ? .all : .look
        if due <= now { (due, isNews) = (.infinity, false) }
        sendDue = .infinity
        return round
    }

    mutating func changed(_ now: Double) {
        pause = Self.pollsFirst
        sendDue = min(sendDue, now + Self.afterChange)
        if due < .infinity { due = min(due, now + Self.pollsFirst) }
    }

    mutating func ended(_ now: Double) {
        defer { round = .all }
        guard round != .send || due == .infinity else { return }
        due = now + pause
        pause = min(pause * 1.5, Self.pollsLongest)
    }
}

/// `YearWords` is what a device said last of how far it has read: the rules of `LastWords`
/// (VaultAgent/Syncing/LastWords.swift), by which a device speaks that only reads.
struct YearWords {
    private static let silenceMax = 7 * 24 * 3600.0
    private let made: Double
    private let read: [DeviceID: UInt64]

    init(_ segment: Segment, made: Double) {
        self.made = made
        read = segment.vector.mapValues(\.number)
    }

    func areOld(_ state: SyncState, now: Double) -> Bool {
        let most = SyncEngine.Limits().spanWidth
        var unsaid: UInt64 = 0
        for (device, chain) in state.chains where chain.epoch == state.epoch && !state.forked.contains(device) {
            unsaid += chain.seen.number - min(chain.seen.number, read[device] ?? 0)
        }
        return unsaid >= most || unsaid > 0 && now - made > Self.silenceMax
    }
}
