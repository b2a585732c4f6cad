// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Foundation
internal import GRDB
internal import Glibc
internal import SealedSQLite
internal import Synchronization
internal import VaultFormat

/// What a check compares: the index of one moment, on a connection of its own. Pages that are overwritten meanwhile are
/// kept for it.
final class CheckMoment {
    private let index: FrozenIndex
    private let isRotating: Bool
    let structure: StructureCheck

    /// - Throws: `VaultError.integrity`, `.saveFailed` without memory.
    init(_ vault: OpenVault) throws(VaultError) {
        index = try vault.indexOfNow()
        isRotating = vault.isRotating
        structure = StructureCheck(index)
    }

    /// The thread is not to outlive the keys.
    deinit { structure.cancelAndWait() }

    /// Whether what the vault opens rows with is what they were sealed with.
    func isOfTheKeys(of vault: OpenVault) -> Bool {
        index.header.epoch == vault.header.epoch && isRotating == vault.isRotating
    }

    /// - Throws: `VaultError.system`, `.saveFailed`, `.readOnly` when pages of that moment could not be kept.
    func requireWhole() throws(VaultError) {
        if let loss = index.database.storage.lossOfMoment { throw VaultError.translated(loss) }
    }

    /// - Throws: as `requireWhole`, and what the index itself throws.
    func read<Value>(_ body: (Database) throws -> Value) throws(VaultError) -> Value {
        do throws(VaultError) { return try VaultError.translating { try index.database.queue.inDatabase(body) } } catch
        {
            try requireWhole()
            throw error
        }
    }
}

/// SQLite's own look at its tables, and the counts that read a table from its begin to its end: seconds at a million
/// notes, so on a thread of its own.
final class StructureCheck: Sendable {
    struct Verdict: Sendable {
        /// What SQLite says of its tables.
        let isSound: Bool
        /// Whether rows that stand in two copies are the same in both.
        let sparesFit: Bool
        /// What kept it from being read: that says nothing of the tables.
        let failure: VaultError?
        /// Rows of noteTag, noteLink, otherHead and folded; nil when they cannot be read.
        let rowCounts: [Int]?
    }

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
            try ["noteTag", "noteLink", "otherHead", "folded"].map { table in
                guard state.withLock({ !$0.isCancelled }) else { throw VaultError(.cancelled) }
                return try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? -1
            }
        }
        return state.withLock(\.isCancelled)
            ? nil : Verdict(isSound: words == "ok", sparesFit: sparesFit, failure: failure, rowCounts: counts)
    }

    /// A page that does not open is told of as one.
    private var sparesFit: Bool {
        do throws(VaultError) {
            return try VaultError.translating { try index.database.queue.inDatabase { try SpareTable.fit($0) } }
        } catch { return error.code == .integrity }
    }

    /// What it has found; nil while it looks. It is waited for no longer than `duration`.
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
