// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `WatchNotes`: looks when something was written, or a private note was locked or unlocked, and does nothing in between.
final class WatchJob: Job {
    private let store: VaultStore
    private var position: UInt64
    /// Changes of notes that are still to be told; nil for all.
    private var left: Int?
    /// Transactions that were looked at; nil before the first look.
    private var transactions: UInt64?
    /// Private notes as they were told, and whether each was unlocked: that a note became private writes no entry.
    private var secrecy: [NoteID: Bool]
    private var unlocked: Set<NoteID>
    /// Entries of one step.
    private static let stepCount = 50

    init(_ store: VaultStore, _ watch: WatchNotes) throws(VaultError) {
        self.store = store
        position = if let since = watch.since { since } else { try store.entryCount() }
        left = watch.limit == 0 ? nil : Int(watch.limit)
        secrecy = try store.privateNotes()
        unlocked = Set(store.unlockedNoteIDs)
    }

    var isWaiting: Bool { transactions == store.transactionCount && unlocked == Set(store.unlockedNoteIDs) }
    var isWatching: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard !isWaiting else { return nil }
        do throws(VaultError) {
            let count = store.transactionCount
            let isFirst = transactions == nil
            let found = try store.changes(after: position, limit: Self.stepCount)
            position = found.position
            if try position == store.entryCount() { transactions = count }
            let notes = try found.notes + notesOfOtherSecrecy(than: found.notes)
            guard isFirst || !notes.isEmpty else { return nil }
            connection.reply(try changes(notes))
            left = left.map { $0 - notes.count }
            return left.map { $0 <= 0 } == true ? Outcome(.ok) : nil
        } catch { return error.outcome }
    }

    private func notesOfOtherSecrecy(than told: [NoteID]) throws(VaultError) -> [NoteID] {
        let now = try store.privateNotes()
        defer { (secrecy, unlocked) = (now, Set(store.unlockedNoteIDs)) }
        return Set(now.keys).union(secrecy.keys).filter { now[$0] != secrecy[$0] && !told.contains($0) }.sorted { $0.text < $1.text }
    }

    private func changes(_ notes: [NoteID]) throws(VaultError) -> NoteChanges {
        var changes = NoteChanges()
        changes.position = position
        for note in notes {
            if let listed = try store.listedIfPresent(note) { changes.notes.append(NoteRow(listed)) } else { changes.gone.append(note.text) }
        }
        return changes
    }
}
