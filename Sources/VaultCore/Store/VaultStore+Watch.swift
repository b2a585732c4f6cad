// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// What changed since somebody looked.
extension VaultStore {
    /// Notes that entries of this device name, each once, in the order of their first one.
    ///
    /// - Parameters:
    ///   - position: how many entries are known already.
    ///   - limit: entries that are looked at.
    /// - Returns: the notes, and how many entries are known then.
    /// - Throws: `VaultError.integrity`, `.io`.
    public func changes(after position: UInt64, limit: Int) throws(VaultError) -> (notes: [NoteID], position: UInt64) {
        try read { database in
            let last = try IndexState.fetch(database).sequence
            guard position < last, let first = Int64(exactly: position + 1), let end = Int64(exactly: min(last, position + UInt64(limit))) else {
                return ([], last)
            }
            var seen: Set<NoteID> = []
            // A revision that was thinned out leaves its note as it is.
            let entries = try self.entries(database, first...end).filter { $0.operation != .drop }
            let notes = entries.map(\.noteID).filter { seen.insert($0).inserted }
            return (notes, UInt64(end))
        }
    }

    /// A note as lists show it; nil when it was deleted for good.
    public func listedIfPresent(_ id: NoteID) throws(VaultError) -> NoteSummary? {
        try read { database in try self.isPresent(database, id) ? try self.summary(database, of: id) : nil }
    }

    /// Notes with a password of their own, and whether each is unlocked.
    public func privateNotes() throws(VaultError) -> [NoteID: Bool] {
        try read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT note FROM noteKey")
            return try Dictionary(uniqueKeysWithValues: rows.map { try NoteID($0.bytes("note")) }.map { ($0, self.isUnlocked($0)) })
        }
    }
}
