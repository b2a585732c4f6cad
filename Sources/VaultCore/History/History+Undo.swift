// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// An `UndoStep` says what one step of `undo` took back, or one of `redo` brought back.
public struct UndoStep: Sendable, Equatable {
    public var kind: String
    /// When the change was made, in milliseconds since 1970, UTC.
    public var made: Int64
    /// Notes that are as they were before, each time one was changed.
    public var notes: [NoteID]
    /// Whether the whole command is taken back; otherwise the next step continues it.
    public var isWhole: Bool
    /// Identifies the command, to continue it.
    public var command: Int64
}

extension History {
    /// Undoes the last change to notes that was not undone yet, as new revisions with the earlier content.
    /// Purges, keys and dropped revisions are not changes of this kind.
    ///
    /// - Parameter limit: entries at most, in one durable transaction; a command with more continues in the next step.
    /// - Parameter continuing: the command of a step that was not whole. Another one that came meanwhile is not
    ///   touched.
    /// - Returns: nil when there is nothing left to undo.
    /// - Throws: `VaultError.thinned` when the earlier revision is gone.
    public func undo(limit: Int, continuing: Int64? = nil) throws(VaultError) -> UndoStep? {
        do throws(VaultError) { return try undo(limit: limit, continuing: continuing, lost: []) } catch {
            guard error.isDamageOfPages else { throw error }
            let lost = try lostParents(limit: limit)
            guard !lost.isEmpty else { throw error }
            return try undo(limit: limit, continuing: continuing, lost: lost)
        }
    }

    /// Finds revisions that the newest change replaced and that do not open: they are read before a transaction begins,
    /// which would end with them.
    private func lostParents(limit: Int) throws(VaultError) -> Set<RevisionID> {
        let entries = try vault.read { index -> [Entry] in
            guard let row = try index.newestChange() else { return [] }
            let (first, last) = (try row.integer("first"), try row.integer("last"))
            return try index.entries(max(first, last - Int64(limit) + 1)...max(first, last))
        }
        var lost: Set<RevisionID> = []
        for entry in entries {
            for parent in entry.parents {
                do throws(VaultError) { _ = try vault.read { try $0.revision(parent, of: entry.noteID) } } catch {
                    if error.isDamageOfPages { lost.insert(parent) }
                }
            }
        }
        return lost
    }

    private func undo(limit: Int, continuing: Int64?, lost: Set<RevisionID>) throws(VaultError) -> UndoStep? {
        try vault.write { transaction in
            while let row = try transaction.newestChange() {
                if let continuing, try row.integer("command") != continuing {
                    return UndoStep(
                        kind: try row.text("kind"), made: try row.integer("made"), notes: [], isWhole: true,
                        command: continuing)
                }
                let step = try transaction.undo(row, limit: limit, lost: lost)
                // What was purged meanwhile cannot be undone; the change before it can.
                if !step.notes.isEmpty || !step.isWhole || continuing != nil { return step }
            }
            return nil
        }
    }

    /// Brings back what the last undo took back, as new revisions, as long as nothing else was written since: another
    /// command ends what can be redone. A command that was undone in several transactions comes back in as many.
    ///
    /// - Parameter continuing: the command of a step that was not whole. Another one is not touched.
    /// - Returns: nil when there is nothing to redo.
    /// - Throws: `VaultError.thinned` when the revision is gone.
    public func redo(continuing: Int64? = nil) throws(VaultError) -> UndoStep? {
        try vault.write { transaction in
            while let row = try transaction.database.cachedStatement(
                "SELECT * FROM change WHERE id >= ? ORDER BY id DESC LIMIT 1"
            ).row([
                History.undoneFrom
            ]) {
                if let continuing, try row.integer("command") != continuing {
                    return UndoStep(
                        kind: try row.text("kind"), made: try row.integer("made"), notes: [], isWhole: true,
                        command: continuing)
                }
                let step = try transaction.redo(row)
                if !step.notes.isEmpty || !step.isWhole || continuing != nil { return step }
            }
            return nil
        }
    }

    /// Rows of `change` with this number, or a higher one, are of an undo: the entries that it made, for `redo` to take
    /// back. So none of them is looked at by `undo`, and all go at once with the next change.
    static let undoneFrom: Int64 = 1 << 62
}

extension IndexAccess {
    /// Returns the change that is undone next.
    func newestChange(below id: Int64 = History.undoneFrom) throws -> Row? {
        try database.cachedStatement("SELECT * FROM change WHERE id < ? ORDER BY id DESC LIMIT 1").row([id])
    }

    /// Returns whether a purge has reached what an entry made or replaced. The note may live on by what another device
    /// has written: that is nothing of this entry's, and there is nothing to go back to.
    func isPurged(_ entry: Entry) throws -> Bool {
        let revisions = entry.parents + [entry.revisionID]
        let statement = try database.cachedStatement("SELECT 1 FROM revision WHERE id = ? AND note = ?")
        let isWhole = try revisions.allSatisfy {
            try statement.row([$0.bytes.blob, entry.noteID.bytes.blob]) != nil
        }
        return try !isWhole && !graph(of: entry.noteID).gone.isDisjoint(with: revisions)
    }

    func entries(_ range: ClosedRange<Int64>) throws -> [Entry] {
        let statement = try database.cachedStatement(
            "SELECT bytes FROM entry WHERE device = ? AND sequence BETWEEN ? AND ? ORDER BY sequence")
        return try Row.fetchAll(statement, arguments: [device.blob, range.lowerBound, range.upperBound]).map {
            try Entry(parsing: $0.bytes("bytes"))
        }
    }
}

extension Transaction {
    fileprivate func redo(_ row: Row) throws -> UndoStep {
        let before = try IndexState.fetch(database).sequence
        var notes: [NoteID] = []
        for entry in try entries(row.integer("first")...max(row.integer("first"), row.integer("last"))).reversed() {
            if try undo(entry) { notes.append(entry.noteID) }
        }
        try database.execute(sql: "DELETE FROM change WHERE id = ?", arguments: [try row.integer("id")])
        // It is a change again, the newest of all, that can be undone.
        let next = (try newestChange()?.integer("id") ?? 0) + 1
        try remember(row, id: next, entriesAfter: before)
        let rest = try database.cachedStatement("SELECT 1 FROM change WHERE id >= ? AND command = ? LIMIT 1")
            .row([History.undoneFrom, try row.integer("command")])
        return UndoStep(
            kind: try row.text("kind"), made: try row.integer("made"), notes: notes, isWhole: rest == nil,
            command: try row.integer("command"))
    }

    /// Writes a command's row with the entries that were made since `before`.
    fileprivate func remember(_ row: Row, id: Int64, entriesAfter before: UInt64) throws {
        let after = try IndexState.fetch(database).sequence
        guard after > before else { return }
        try database.cachedStatement(
            "INSERT INTO change(id, command, kind, made, first, last) VALUES(?, ?, ?, ?, ?, ?)"
        )
        .execute(
            arguments: [
                id, try row.integer("command"), try row.text("kind"), try row.integer("made"),
                Int64(clamping: before + 1),
                Int64(clamping: after),
            ])
    }

    fileprivate func undo(_ row: Row, limit: Int, lost: Set<RevisionID>) throws -> UndoStep {
        let before = try IndexState.fetch(database).sequence
        let (id, first, last) = (try row.integer("id"), try row.integer("first"), try row.integer("last"))
        let lowest = max(first, last - Int64(limit) + 1)
        var notes: [NoteID] = []
        for entry in try entries(lowest...max(lowest, last)).reversed() where try undo(entry, lost: lost) {
            notes.append(entry.noteID)
        }
        if lowest > first {
            try database.execute(sql: "UPDATE change SET last = ? WHERE id = ?", arguments: [lowest - 1, id])
        } else {
            try database.execute(sql: "DELETE FROM change WHERE id = ?", arguments: [id])
        }
        let next = try database.cachedStatement("SELECT coalesce(max(id), ? - 1) + 1 AS next FROM change WHERE id >= ?")
            .row([History.undoneFrom, History.undoneFrom])
        try remember(row, id: try next?.integer("next") ?? History.undoneFrom, entriesAfter: before)
        let rest = try database.cachedStatement("SELECT 1 FROM change WHERE command = ? AND id < ? LIMIT 1")
            .row([try row.integer("command"), History.undoneFrom])
        return UndoStep(
            kind: try row.text("kind"), made: try row.integer("made"), notes: notes, isWhole: rest == nil,
            command: try row.integer("command"))
    }

    /// Takes one entry back, as a new revision of its note.
    ///
    /// - Returns: whether there was something to take back.
    fileprivate func undo(_ entry: Entry, lost: Set<RevisionID> = []) throws -> Bool {
        let found: Head?
        do { found = try optionalHead(of: entry.noteID) } catch let error as VaultError where error.code == .noteLocked
        {
            return try undoLocked(entry)
        }
        guard let head = found else { return false }
        // One whose parents are known not to open was not purged, and must not be read here.
        guard try !lost.isDisjoint(with: entry.parents) || !isPurged(entry) else { return false }
        switch entry.operation {
        case .purge, .drop, .statement: return false
        case .create:
            var record = head.record
            guard record.flags.insert(.trashed).inserted else { return false }
            try apply(record, .trash, replacing: head)
        case .fork:
            // The head beside it is the note again.
            guard let other = try otherHeads(of: entry.noteID).last else { return false }
            try apply(other.record, .edit, replacing: head, parents: [head.id, other.id])
        case .trash where !lost.isDisjoint(with: entry.parents), .restore where !lost.isDisjoint(with: entry.parents):
            // What it replaced does not open: what took its place goes back to where it was.
            var record = head.record
            record.flags.set(.trashed, entry.operation == .restore)
            try apply(record, entry.operation == .restore ? .trash : .restore, replacing: head)
        case .edit, .trash, .restore, .join:
            guard lost.isDisjoint(with: entry.parents) else { throw VaultError(.revisionDamaged) }
            try putBack(entry.parents, over: head)
        }
        return true
    }

    /// Takes an entry of a locked private note back, where that needs no key: the trash is a matter of its flags.
    ///
    /// - Throws: `VaultError.noteLocked` with the note for everything else.
    private func undoLocked(_ entry: Entry) throws -> Bool {
        switch entry.operation {
        case .purge, .drop, .statement: false
        case .trash: try modifyLocked(entry.noteID, .flag(.trashed, false))
        case .create, .restore: try modifyLocked(entry.noteID, .flag(.trashed, true))
        case .edit, .fork, .join:
            throw VaultError(.noteLocked, candidates: [try summary(of: entry.noteID)])
        }
    }

    /// Makes the contents of an entry's parents heads again: one, or several when it had joined them.
    fileprivate func putBack(_ parents: [RevisionID], over head: Head) throws {
        let note = head.record.noteID
        let records = try parents.map { try revision($0, of: note) }
        guard let first = records.first else { throw VaultError(.integrity) }
        var shown = head
        for record in records.dropFirst() {
            let isFirst = shown.id == head.id
            let made = try apply(record, isFirst ? .edit : .fork, replacing: shown, parents: [head.id])
            shown = (made, record)
        }
        try apply(first, shown.id == head.id ? .edit : .fork, replacing: shown, parents: [head.id])
    }
}
