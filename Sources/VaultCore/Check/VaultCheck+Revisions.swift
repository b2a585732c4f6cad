// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// This extension checks revisions: each opens, is of its note, and is one that the chain names; and none of those is
/// missing.
extension VaultCheck {
    func checkRevisions(after row: Int64) throws(VaultError) {
        var last = row
        do throws(VaultError) {
            if try checkSoundRevisions(after: &last) { return phase = .revisions(after: last) }
        } catch {
            guard error.isDamageOfPages else { throw error }
            if let next = try checkRevisionBehindDamage(after: last) { return phase = .revisions(after: next) }
        }
        // On pages that do not open lies what the chain names and nobody has seen.
        let kind: CheckProblem.Kind = seen.lostRevisions ? .revisionUnreadable : .revisionMissing
        for note in seen.ledgerIsWhole ? seen.ledger.missing() : [] { foundDamage(kind, note) }
        phase = .notes(after: 0)
    }

    /// Checks some revisions, until the step has taken its time or a page does not open.
    ///
    /// - Parameter last: the last row that was looked at, also when reading fails behind it.
    /// - Returns: whether there may be more.
    private func checkSoundRevisions(after last: inout Int64) throws(VaultError) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + Self.stepDuration
        var reached = last
        defer { last = reached }
        return try read { index in
            // One after the other: a hundred of them may be a gigabyte.
            let rows = try Row.fetchCursor(
                index.database,
                sql: "SELECT rowid, id, note, sealed FROM revision WHERE rowid > ? ORDER BY rowid LIMIT 100",
                arguments: [reached])
            var count = 0
            while count == 0 || clock.now < end, let row = try rows.next() {
                self.checkRevision(row, index)
                reached = row["rowid"]
                count += 1
            }
            return count > 0
        }
    }

    /// Checks one revision, part by part, at or behind a page that does not open.
    ///
    /// - Returns: its row; nil when there is none any more.
    private func checkRevisionBehindDamage(after last: Int64) throws(VaultError) -> Int64? {
        let (found, hasLost) = try next("revision", "rowid", after: last)
        if hasLost { seen.lostRevisions = true }
        guard let found else { return nil }
        let row = try? read { index in
            try Row.fetchOne(index.database, sql: "SELECT id, note FROM revision WHERE rowid = ?", arguments: [found])
        }
        let whole = try? read { index in
            try Row.fetchOne(
                index.database, sql: "SELECT rowid, id, note, sealed FROM revision WHERE rowid = ?",
                arguments: [found])
        }
        if let whole {
            try read { self.checkRevision(whole, $0) }
        } else if let row, let id = try? RevisionID(row.bytes("id")), let note = try? NoteID(row.bytes("note")) {
            report.revisions += 1
            _ = seen.ledger.takeSeen(id, of: note)
            foundDamage(.revisionUnreadable, note)
        } else {
            seen.lostRevisions = true
        }
        return found
    }

    /// Finds the next row of a table that can be reached.
    func next(_ table: String, _ key: String, after last: Int64) throws(VaultError) -> (key: Int64?, hasLost: Bool) {
        let walk = TableWalk(table: table, key: key, end: rowsEnd())
        return try walk.next(after: last) { first throws(VaultError) in
            try read { try Int64.fetchOne($0.database, sql: walk.sql, arguments: [first]) }
        }
    }

    func foundDamage(_ kind: CheckProblem.Kind, _ note: NoteID) {
        seen.damaged.insert(note)
        found(kind, note)
    }

    private func checkRevision(_ row: Row, _ index: ReadAccess) {
        report.revisions += 1
        guard let revision = try? RevisionID(try row.bytes("id")), let note = try? NoteID(try row.bytes("note")) else {
            return found(.revisionUnreadable)
        }
        let isKnown = seen.ledger.takeSeen(revision, of: note)
        if !isKnown, seen.ledgerIsWhole { found(.revisionUnknown, note) }
        if !revisionIsSound(row, note, revision, index) { foundDamage(.revisionUnreadable, note) }
    }

    /// Tells whether a revision opens as far as there are keys, and is sealed the way its note is.
    private func revisionIsSound(_ row: Row, _ note: NoteID, _ revision: RevisionID, _ index: ReadAccess) -> Bool {
        guard let opened = try? index.records.openOuter(try row.bytes("sealed"), note: note, revision: revision) else {
            return false
        }
        // Where it cannot be said how the note is sealed, nothing is wrong with the revision.
        guard let isPrivate = try? index.isPrivate(note) else {
            found(.structure)
            return true
        }
        guard isPrivate == opened.isPrivate else { return false }
        guard case .sealedInside(let outer) = opened, let keys = index.records.keyring[note]?.keys else { return true }
        // Its password may have been changed since that moment: then these keys are of another inner layer.
        let slotNow = try? readNow(beside: index) { try $0.sealedKeyslot(of: note) }
        guard (try? index.sealedKeyslot(of: note)) == slotNow else { return true }
        return (try? index.records.open(outer, keys)) != nil
    }
}
