// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB

/// Many notes that come at once are in the lists first, and in the search table later. Until then searches look at
/// their texts: they miss nothing, and take longer. Spec: docs/format.md §13.
extension Search {
    /// Notes of one step at most, and bytes of their folded texts: some 15 ms, for which a command may have to wait.
    private static let stepNoteCount = 50
    private static let stepByteCount = 64 << 10

    /// Adds some deferred words to the search table. Each step is durable, and what is left is known: a
    /// crash or a lock costs nothing.
    ///
    /// - Returns: false when all words are there, except those of lost texts.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func indexWords() throws(VaultError) -> Bool {
        // A copy is being read as it is.
        guard !vault.isFrozen else { return true }
        let rows = try vault.read { try $0.unindexedRows(limit: Self.stepNoteCount) }
        guard !rows.isEmpty else {
            vault.mayHaveUnindexed = false
            return false
        }
        // It makes no entry: what is known of uploads stays so.
        vault.uploads.beginCounting()
        defer { vault.uploads.endCounting() }
        let doneCount = try vault.write { try $0.indexWords(of: rows, byteCountMax: Self.stepByteCount) }
        vault.mayHaveUnindexed = doneCount > 0
        return doneCount > 0
    }

    /// Returns whether notes are in the lists whose words are not in the search table yet.
    public func hasUnindexed() throws(VaultError) -> Bool {
        try vault.read { try !$0.unindexedRows(limit: 1).isEmpty }
    }
}

extension OpenVault {
    /// Indexing has failed: it is tried again after the next unlock. Searches look at the texts meanwhile.
    public func giveUpIndexing() { mayHaveUnindexed = false }
}

extension IndexAccess {
    /// Returns whether the index can have words put off: one of before, which a disk without room keeps as it is,
    /// cannot.
    func hasUnindexedTable() throws -> Bool {
        try IndexState.fetch(database).schema >= Schema.firstWithUnindexed
    }

    /// Returns rows of notes whose words are not in the search table yet, the oldest first.
    func unindexedRows(limit: Int) throws -> [Int64] {
        guard try hasUnindexedTable() else { return [] }
        return try Int64.fetchAll(
            database.cachedStatement("SELECT row FROM unindexed ORDER BY row LIMIT ?"), arguments: [limit])
    }

    /// Returns whether the words of a note are not in the search table yet.
    func isUnindexed(_ row: Int64) throws -> Bool {
        guard try hasUnindexedTable() else { return false }
        return try database.cachedStatement("SELECT 1 FROM unindexed WHERE row = ?").row([row]) != nil
    }
}

extension Transaction {
    /// Writes words of notes that have none in the search table.
    ///
    /// - Parameter rows: ascending, as the search table takes them best; those beyond the bytes are left.
    /// - Returns: of how many nothing is left to be done.
    fileprivate func indexWords(of rows: [Int64], byteCountMax: Int) throws -> Int {
        var byteCount = 0
        var doneCount = 0
        for row in rows where byteCount < byteCountMax {
            let stored = try database.cachedStatement("SELECT text FROM folded WHERE row = ?").row([row])
            guard let text = try stored?.text(at: 0) else {
                // Of a note that is gone nothing is left to be done; one that has lost its text is for a check.
                let note = try database.cachedStatement("SELECT 1 FROM note WHERE row = ?").row([row])
                if note == nil, try takeUnindexed(row) { doneCount += 1 }
                continue
            }
            guard try takeUnindexed(row) else { continue }
            byteCount += text.utf8.count
            doneCount += 1
            try ProjectionTables.current.insertWords(database, row, text)
        }
        return doneCount
    }

    /// Takes a note off the list of those whose words are not in the search table; false when it was not on it.
    func takeUnindexed(_ row: Int64) throws -> Bool {
        guard try hasUnindexedTable() else { return false }
        try database.cachedStatement("DELETE FROM unindexed WHERE row = ?").execute(arguments: [row])
        return database.changesCount > 0
    }
}
