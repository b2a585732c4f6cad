// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB

/// Many notes that come at once are in the lists first, and in the search table later. Until then searches look at
/// their texts: they miss nothing, and take longer. Spec: docs/format.md §13.
extension Search {
    /// Notes of one step at most, and bytes of their folded texts: some tens of milliseconds.
    private static let stepNoteCount = 100
    private static let stepByteCount = 256 << 10

    /// Brings some words into the search table that were put off. Each step is durable, and what is left is known: a
    /// crash or a lock costs nothing.
    ///
    /// - Returns: false when all words are there.
    /// - Throws: `VaultError.integrity` for a note without a text, `.readOnly`, `.saveFailed`.
    public func indexWords() throws(VaultError) -> Bool {
        // A copy is being read as it is.
        guard !vault.isFrozen else { return true }
        let rows = try vault.read { try $0.unindexedRows(limit: Self.stepNoteCount) }
        guard !rows.isEmpty else {
            vault.mayHaveUnindexed = false
            return false
        }
        try vault.write { try $0.indexWords(of: rows, byteCountMax: Self.stepByteCount) }
        return true
    }

    /// Returns whether notes are in the lists whose words are not in the search table yet.
    public func hasUnindexed() throws(VaultError) -> Bool {
        try vault.read { try !$0.unindexedRows(limit: 1).isEmpty }
    }
}

extension IndexAccess {
    /// Returns rows of notes whose words are not in the search table yet, the oldest first.
    func unindexedRows(limit: Int) throws -> [Int64] {
        guard try IndexState.fetch(database).schema >= Schema.firstWithUnindexed else { return [] }
        return try Int64.fetchAll(
            database.cachedStatement("SELECT row FROM unindexed ORDER BY row LIMIT ?"), arguments: [limit])
    }

    /// Returns whether the words of a note are not in the search table yet.
    func isUnindexed(_ row: Int64) throws -> Bool {
        guard try IndexState.fetch(database).schema >= Schema.firstWithUnindexed else { return false }
        return try database.cachedStatement("SELECT 1 FROM unindexed WHERE row = ?").row([row]) != nil
    }
}

extension Transaction {
    /// Writes words of notes that have none in the search table.
    ///
    /// - Parameter rows: ascending, as the search table takes them best; those beyond the bytes are left.
    fileprivate func indexWords(of rows: [Int64], byteCountMax: Int) throws {
        var byteCount = 0
        for row in rows where byteCount < byteCountMax {
            try database.cachedStatement("DELETE FROM unindexed WHERE row = ?").execute(arguments: [row])
            guard database.changesCount > 0 else { continue }
            let stored = try database.cachedStatement("SELECT text FROM folded WHERE row = ?").row([row])
            guard let text = try stored?.text(at: 0) else { throw VaultError(.integrity) }
            byteCount += text.utf8.count
            try ProjectionTables.current.insertWords(database, row, text)
        }
    }
}
