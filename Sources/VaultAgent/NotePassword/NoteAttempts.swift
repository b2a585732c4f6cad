// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `NoteAttempts` counts wrong passwords of single notes: the waiting time before the next try grows, for as long as
/// this agent runs. Without the vault's own password there is no other way to try.
final class NoteAttempts {
    private struct Failures {
        var count = 0
        var last = 0.0
    }
    private var failures: [NoteID: Failures] = [:]
    private var running: Set<NoteID> = []
    private static let countMax = 6

    /// Returns the seconds to wait before the key is derived: 0.25 after the first failure, doubling to 8, less what
    /// has passed since.
    ///
    /// - Returns: nil while another try of the same note runs: each waits for the one before.
    func begin(_ note: NoteID, now: Double = BootClock.seconds) -> Double? {
        guard running.insert(note).inserted else { return nil }
        guard let known = failures[note] else { return 0 }
        return max(0, 0.125 * Double(1 << min(known.count, Self.countMax)) - (now - known.last))
    }

    /// Ends the work for a note, whatever became of it.
    func end(_ note: NoteID) { running.remove(note) }

    func failed(_ note: NoteID, now: Double = BootClock.seconds) {
        failures[note] = Failures(count: (failures[note]?.count ?? 0) + 1, last: now)
    }
    func succeeded(_ note: NoteID) { failures[note] = nil }
}

/// `NoteTimers` says when each private note that is unlocked locks by itself.
struct NoteTimers {
    var idleSeconds = 300.0
    private var deadlines: [NoteID: Double] = [:]

    /// Renews the time of the notes that were used, and returns those whose time is over.
    ///
    /// - Parameters:
    ///   - unlocked: all that are unlocked now.
    ///   - used: those of them that were read or written, or that somebody writes in.
    mutating func over(unlocked: [NoteID], used: Set<NoteID>, now: Double) -> [NoteID] {
        guard !unlocked.isEmpty || !deadlines.isEmpty else { return [] }
        let known = Set(unlocked)
        deadlines = deadlines.filter { known.contains($0.key) }
        for note in unlocked where used.contains(note) || deadlines[note] == nil { deadlines[note] = now + idleSeconds }
        return unlocked.filter { now >= deadlines[$0] ?? 0 }
    }

    /// Returns the seconds until the next one; nil when none is unlocked.
    func remaining(now: Double) -> Double? { deadlines.values.min().map { max(0, $0 - now) } }
}

/// `NoteRelocks` remembers which notes were locked by hand, and when: a password that is being tried meanwhile opens
/// none of them.
struct NoteRelocks {
    private(set) var turn = 0
    private var turns: [NoteID: Int] = [:]

    mutating func locked(_ note: NoteID) {
        turn += 1
        turns[note] = turn
    }

    func was(_ note: NoteID, lockedSince turn: Int) -> Bool { (turns[note] ?? 0) > turn }
}
