// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Foundation
internal import GRDB
internal import Glibc
internal import SealedSQLite
internal import Synchronization
internal import VaultFormat

/// A `CheckMoment` is what a check compares: the index of one moment, on a connection of its own. Pages that are
/// overwritten meanwhile are kept for it.
final class CheckMoment {
    private let index: FrozenIndex
    private let isRotating: Bool
    let structure: StructureCheck

    /// Opens the index of this moment and begins to look at its tables.
    ///
    /// - Throws: `VaultError.integrity`, `.saveFailed` without memory.
    init(_ vault: OpenVault) throws(VaultError) {
        index = try vault.indexOfNow()
        isRotating = vault.isRotating
        structure = StructureCheck(index)
    }

    /// Ends the thread, which is not to outlive the keys.
    deinit { structure.cancelAndWait() }

    /// Tells whether the keys that the vault opens rows with are those that the rows were sealed with.
    func isOfTheKeys(of vault: OpenVault) -> Bool {
        index.header.epoch == vault.header.epoch && isRotating == vault.isRotating
    }

    /// Checks that all pages of the moment could be kept.
    ///
    /// - Throws: `VaultError.system`, `.saveFailed`, `.readOnly` when pages of that moment could not be kept.
    func requireWhole() throws(VaultError) {
        if let loss = index.database.storage.lossOfMoment { throw VaultError.translated(loss) }
    }

    /// Reads the index of that moment.
    ///
    /// - Throws: as `requireWhole`, and what the index itself throws.
    func read<Value>(_ body: (Database) throws -> Value) throws(VaultError) -> Value {
        do throws(VaultError) { return try VaultError.translating { try index.database.queue.inDatabase(body) } } catch
        {
            try requireWhole()
            throw error
        }
    }
}

/// A `StructureCheck` is SQLite's own look at its tables, and the counts that read a table from its begin to its end:
/// they take seconds at a million notes, so they run on a thread of their own.
final class StructureCheck: Sendable {
    struct Verdict: Sendable {
        /// What SQLite says of its tables.
        let isSound: Bool
        /// Whether rows that stand in two copies are the same in both.
        let sparesFit: Bool
        /// What kept it from being read: that says nothing of the tables.
        let failure: VaultError?
        /// Rows of noteTag, noteLink, otherHead, folded, unindexed and the lists of books; nil when they cannot be
        /// read.
        let rowCounts: [Int]?
        /// Whether each row and each key of the lists can be reached; else it is damage that can be mended.
        let listsAreReadable: Bool
        let wordsAreReadable: Bool
    }

    /// What is made from revisions, each table from its begin to its end, and the index of notes' identifiers.
    private static let lists = [
        "SELECT count(*) FROM note NOT INDEXED", "SELECT count(id) FROM note INDEXED BY sqlite_autoindex_note_1",
        "SELECT count(place) FROM note INDEXED BY noteByModified", "SELECT count(*) FROM noteTag",
        "SELECT count(*) FROM noteLink", "SELECT count(*) FROM otherHead",
    ]
    private static let words = ["SELECT max(substr(block, -1)) FROM search_data", "SELECT count(*) FROM search_idx"]

    private struct State {
        var verdict: Verdict?
        var isCancelled = false
        var isOver = false
    }

    private let state = Mutex(State())
    private let index: FrozenIndex

    init(_ index: FrozenIndex) {
        self.index = index
        let thread = Thread { [self] in
            let verdict = look()
            // The stack is kept for the next thread as it is.
            vs_wipe_stack()
            state.withLock { state in
                state.verdict = verdict
                state.isOver = true
            }
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    private func look() -> Verdict? {
        var (words, failure): (String?, VaultError?) = (nil, nil)
        do throws(VaultError) {
            words = try VaultError.translating {
                try index.database.queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") }
            }
        } catch { if error.code != .integrity { failure = error } }
        let counts = try? index.database.queue.inDatabase { database in
            let schema = try IndexState.fetch(database).schema
            let later =
                [("unindexed", Schema.firstWithUnindexed)]
                + ["book", "bookNote", "bookDay", "bookChapter"].map { ($0, Schema.firstWithBooks) }
            let tables = ["noteTag", "noteLink", "otherHead", "folded"] + later.map { schema >= $0.1 ? $0.0 : nil }
            return try tables.map { table in
                guard state.withLock({ !$0.isCancelled }) else { throw VaultError(.cancelled) }
                guard let table else { return 0 }
                return try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? -1
            }
        }
        // Asked only where something is known to be wrong: that reads as much again.
        let isSound = words == "ok"
        let (lists, texts) = (isSound || areReadable(Self.lists), isSound || areReadable(Self.words))
        return state.withLock(\.isCancelled)
            ? nil
            : Verdict(
                isSound: isSound, sparesFit: sparesFit, failure: failure, rowCounts: counts, listsAreReadable: lists,
                wordsAreReadable: texts)
    }

    private func areReadable(_ queries: [String]) -> Bool {
        queries.allSatisfy { sql in
            if state.withLock(\.isCancelled) { return true }
            do {
                _ = try index.database.queue.inDatabase { try Row.fetchOne($0, sql: sql) }
                return true
            } catch let error as DatabaseError {
                // An index that has another name since the lists were made anew.
                return error.resultCode == .SQLITE_ERROR
            } catch { return true }
        }
    }

    /// Whether the second copies of rows are like the first. A page that does not open is told of as one.
    private var sparesFit: Bool {
        do throws(VaultError) {
            return try VaultError.translating { try index.database.queue.inDatabase { try SpareTable.fit($0) } }
        } catch { return error.code == .integrity }
    }

    /// Returns what it has found; nil while it looks. It is waited for no longer than `duration`.
    func verdict(within duration: Duration) -> Verdict? {
        let clock = ContinuousClock()
        let end = clock.now + duration
        while true {
            let (verdict, isOver) = state.withLock { ($0.verdict, $0.isOver) }
            if isOver || clock.now >= end { return verdict }
            usleep(500)
        }
    }

    func cancelAndWait() {
        state.withLock { $0.isCancelled = true }
        while state.withLock({ !$0.isOver }) {
            index.database.queue.interrupt()
            usleep(500)
        }
    }
}
