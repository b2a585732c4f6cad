// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// When each private note that is unlocked locks by itself.
struct NoteTimers {
    var idleSeconds = 300.0
    private var deadlines: [NoteID: Double] = [:]

    /// - Parameters:
    ///   - unlocked: all that are unlocked now.
    ///   - used: those of them that were read or written, or that somebody writes in.
    /// - Returns: those whose time is over.
    mutating func over(unlocked: [NoteID], used: Set<NoteID>, now: Double) -> [NoteID] {
        guard !unlocked.isEmpty || !deadlines.isEmpty else { return [] }
        let known = Set(unlocked)
        deadlines = deadlines.filter { known.contains($0.key) }
        for note in unlocked where used.contains(note) || deadlines[note] == nil { deadlines[note] = now + idleSeconds }
        return unlocked.filter { now >= deadlines[$0] ?? 0 }
    }

    /// Seconds until the next one; nil when none is unlocked.
    func remaining(now: Double) -> Double? { deadlines.values.min().map { max(0, $0 - now) } }
}
