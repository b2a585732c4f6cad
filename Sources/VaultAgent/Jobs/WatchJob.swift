// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `WatchJob` serves `WatchNotes`: looks when something was written, which all that a remote acknowledges is too, or a
/// private note was locked or unlocked, and does nothing in between.
final class WatchJob: Job {
    private let store: OpenVault
    private var position: UInt64
    /// Changes of notes that are still to be told; nil for all.
    private var left: Int?
    /// Transactions that were looked at; nil before the first look.
    private var transactions: UInt64?
    /// Private notes as they were told, and whether each was unlocked: that a note became private writes no entry.
    private var secrecy: [NoteID: Bool]
    private var unlocked: Set<NoteID>
    /// Which notes the remotes lacked, and those of which it is not told yet that this has changed.
    private var uploads: Uploads
    private var untold: ArraySlice<NoteID> = []
    /// Entries of one step.
    private static let stepCount = 50

    init(_ store: OpenVault, _ watch: WatchNotes) throws(VaultError) {
        self.store = store
        position = if let since = watch.since { since } else { try store.history.entryCount() }
        left = watch.limit == 0 ? nil : Int(watch.limit)
        secrecy = try store.privateNotes.all()
        unlocked = Set(store.privateNotes.unlocked)
        uploads = try store.remotes.uploads()
    }

    var isWaiting: Bool {
        transactions == store.checks.transactionCount && unlocked == Set(store.privateNotes.unlocked)
            && untold.isEmpty
    }
    var isWatching: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard !isWaiting else { return nil }
        do throws(VaultError) {
            let count = store.checks.transactionCount
            let isFirst = transactions == nil
            let found = try store.history.changes(after: position, limit: Self.stepCount)
            position = found.position
            if try position == store.history.entryCount() { transactions = count }
            var notes = try found.notes + notesOfOtherSecrecy(than: found.notes)
            notes += try notesOfOtherState(than: notes)
            guard isFirst || !notes.isEmpty else { return nil }
            connection.reply(try changes(notes))
            left = left.map { $0 - notes.count }
            return left.map { $0 <= 0 } == true ? Outcome(.ok) : nil
        } catch { return error.outcome }
    }

    private func notesOfOtherSecrecy(than told: [NoteID]) throws(VaultError) -> [NoteID] {
        let now = try store.privateNotes.all()
        defer { (secrecy, unlocked) = (now, Set(store.privateNotes.unlocked)) }
        return Set(now.keys).union(secrecy.keys).filter { now[$0] != secrecy[$0] && !told.contains($0) }.sorted {
            $0.text < $1.text
        }
    }

    /// Returns the next notes of another state than they had; the first upload of a vault changes those of all.
    private func notesOfOtherState(than told: [NoteID]) throws(VaultError) -> [NoteID] {
        let changed = try store.remotes.changes(since: uploads)
        if !changed.isEmpty {
            let waiting = Set(changed)
            untold = untold.filter { !waiting.contains($0) }[...] + changed
        }
        uploads = try store.remotes.uploads()
        let next = untold.prefix(Self.stepCount)
        untold = untold.dropFirst(next.count)
        return next.filter { !told.contains($0) }
    }

    private func changes(_ notes: [NoteID]) throws(VaultError) -> NoteChanges {
        var changes = NoteChanges()
        changes.position = position
        for note in notes {
            if let listed = try store.notes.listedIfPresent(note) {
                changes.notes.append(NoteRow(listed))
            } else {
                changes.gone.append(note.text)
            }
        }
        return changes
    }
}
