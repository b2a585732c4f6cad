// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `WatchNotes`: looks when something was written, and does nothing in between.
final class WatchJob: Job {
    private let store: VaultStore
    private var position: UInt64
    /// Changes of notes that are still to be told; nil for all.
    private var left: Int?
    /// Transactions that were looked at; nil before the first look.
    private var transactions: UInt64?
    /// Entries of one step.
    private static let stepCount = 200

    init(_ store: VaultStore, _ watch: WatchNotes) throws(VaultError) {
        self.store = store
        position = if let since = watch.since { since } else { try store.entryCount() }
        left = watch.limit == 0 ? nil : Int(watch.limit)
    }

    var isWaiting: Bool { transactions == store.transactionCount }
    var isWatching: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard !isWaiting else { return nil }
        do throws(VaultError) {
            let count = store.transactionCount
            let isFirst = transactions == nil
            let found = try store.changes(after: position, limit: Self.stepCount)
            // Where it began lies ahead only in another copy of the vault.
            position = found.position
            if found.notes.count < Self.stepCount, try position == store.entryCount() { transactions = count }
            guard isFirst || !found.notes.isEmpty else { return nil }
            var changes = NoteChanges()
            changes.position = position
            for note in found.notes {
                if let listed = try store.listedIfPresent(note) { changes.notes.append(NoteRow(listed)) } else { changes.gone.append(note.text) }
            }
            connection.reply(changes)
            left = left.map { $0 - found.notes.count }
            return left.map { $0 <= 0 } == true ? Outcome(.ok) : nil
        } catch { return error.outcome }
    }
}
