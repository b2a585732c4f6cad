// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB

/// Permanently removes words of notes that became private from the search index: the index deletes by a mark, and the
/// words themselves go only when its parts are merged. In steps of a few milliseconds, each durable; a crash leaves the
/// mark that says there is more to do.
///
/// Spec: docs/sealed-sqlite.md §15.
public final class WordRemoval {
    private let vault: OpenVault
    /// The mark that was there when all parts were put into one row to be merged: what became private later needs that
    /// anew.
    private var begun: Int?
    /// Pages of the index that one step writes at most.
    private static let stepPages = 64
    public private(set) var steps: UInt64 = 0

    public init(_ vault: OpenVault) { self.vault = vault }

    /// Does a little more; false when no word is left.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func step() throws(VaultError) -> Bool {
        // At its end the log is emptied: not while somebody reads the index as it was.
        guard !vault.isFrozen else { return true }
        let mark = try vault.privateNotes.wordsLeft()
        guard mark != 0 else { return false }
        // The first merge, with a negative number, puts all parts into one row to be merged; those after it go on until
        // nothing changes.
        let pages = begun == mark ? Self.stepPages : -Self.stepPages
        let didWork = try vault.write { transaction in
            let before = transaction.database.totalChangesCount
            try transaction.database.execute(
                sql: "INSERT INTO search(search, rank) VALUES('merge', ?)", arguments: [pages])
            return transaction.database.totalChangesCount - before > 1
        }
        steps += 1
        begun = mark
        if didWork { return true }
        try vault.write {
            try $0.database.execute(sql: "UPDATE state SET wordsLeft = 0 WHERE wordsLeft = ?", arguments: [mark])
        }
        // Frames of the log hold the pages as they were.
        try vault.startNewLog(isOpen: true)
        return false
    }
}

extension PrivateNotes {
    /// Returns whether words of a note that became private may still be in free or merged parts of the search index.
    public func hasWordsLeft() throws(VaultError) -> Bool { try wordsLeft() != 0 }

    /// Returns how many notes became private since the index was last merged.
    func wordsLeft() throws(VaultError) -> Int {
        try vault.read { try Int.fetchOne($0.database, sql: "SELECT wordsLeft FROM state") ?? 0 }
    }
}
