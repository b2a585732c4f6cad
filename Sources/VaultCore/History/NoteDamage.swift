// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import TextReading
public import VaultFormat

/// `NoteDamage` says what of a note does not open.
public struct NoteDamage: Sendable, Equatable {
    /// The newest revision that opens, as `history` numbers them; nil when none does.
    public let newest: Int?
}

/// A `ListedRevision` is a revision as a list of all of a note's has it, whether it opens or not.
public struct ListedRevision: Sendable, Equatable {
    /// Nil where not even its row opens.
    public let id: RevisionID?
    /// When it was recorded here, in milliseconds since 1970, UTC; 0 when that is not known.
    public let made: Int64
    /// Nil where it does not open.
    public let summary: RevisionSummary?
}

extension History {
    /// Returns all of a note's revisions, the newest first, as `revisions(of:)` counts them: those too that do not
    /// open.
    ///
    /// - Throws: `VaultError.notFound`, `.noteLocked`; `.integrity` where not even their number can be said.
    public func listed(of id: NoteID) throws(VaultError) -> [ListedRevision] {
        var all: [ListedRevision] = []
        for row in try rows(of: id) { all.append(try listed(row, id)) }
        return all
    }

    /// Returns one revision, by how many came after it.
    ///
    /// - Throws: `VaultError.noRevision`, `.noteDamaged` when it does not open.
    func numbered(_ number: Int, of id: NoteID) throws(VaultError) -> RevisionSummary {
        let all = try rows(of: id)
        guard all.indices.contains(number) else { throw VaultError(.noRevision) }
        if let summary = try listed(all[number], id).summary { return summary }
        if let damage = try damage(of: id) { throw damageError(id, damage) }
        throw VaultError(.revisionDamaged)
    }

    /// Finds what of a note's text is lost; nil when the revision that is shown opens, and for a note that is not
    /// there.
    public func damage(of id: NoteID) throws(VaultError) -> NoteDamage? {
        guard (try? vault.read { try $0.isPresent(id) }) == true, (try? vault.read { try $0.isPrivate(id) }) != nil
        else { return nil }
        do throws(VaultError) {
            _ = try vault.read { try $0.head(of: id) }
            return nil
        } catch {
            if error.code == .noteLocked, isOpenOutside(id) { return nil }
            guard error.isDamageOfPages || error.code == .noteLocked else { throw error }
        }
        guard let rows = try? rows(of: id) else { return NoteDamage(newest: nil) }
        for (number, row) in rows.enumerated() {
            if opens(row, of: id) { return NoteDamage(newest: number) }
        }
        return NoteDamage(newest: nil)
    }

    /// Runs `body`; in place of damage as such it throws which note is damaged, and what of it opens.
    func naming<Value>(_ id: NoteID, _ body: () throws(VaultError) -> Value) throws(VaultError) -> Value {
        do throws(VaultError) { return try body() } catch {
            guard error.isDamageOfPages, let damage = try damage(of: id) else { throw error }
            throw damageError(id, damage, error.damage)
        }
    }

    func damageError(_ id: NoteID, _ damage: NoteDamage, _ kind: VaultError.Damage? = nil) -> VaultError {
        vault.damagedNotes.insert(id)
        return VaultError(
            .noteDamaged, found: damage.newest.map { UInt64($0) },
            candidates: (try? vault.notes.listed(id)).map { [$0] } ?? [], damage: kind)
    }

    /// Returns the rows of a note's revisions, the newest first: they are read from an index, so that one that does not
    /// open is counted too.
    private func rows(of id: NoteID) throws(VaultError) -> [Int64] {
        try vault.read { index in
            guard try index.isPresent(id) else { throw VaultError(.notFound) }
            return try Int64.fetchAll(
                index.database,
                sql: "SELECT rowid FROM revision INDEXED BY revisionByNote WHERE note = ? ORDER BY rowid DESC",
                arguments: [id.bytes.blob])
        }
    }

    private func revisionID(_ row: Int64) throws(VaultError) -> RevisionID {
        try vault.read { index in
            let found = try index.database.cachedStatement("SELECT id FROM revision WHERE rowid = ?").row([row])
            guard let found else { throw VaultError(.integrity) }
            return try RevisionID(try found.bytes("id"))
        }
    }

    private func listed(_ row: Int64, _ note: NoteID) throws(VaultError) -> ListedRevision {
        guard let id = try? revisionID(row) else { return ListedRevision(id: nil, made: 0, summary: nil) }
        let made =
            (try? vault.read { index in
                try Int64.fetchOne(index.database, sql: "SELECT made FROM revision WHERE rowid = ?", arguments: [row])
            }) ?? 0
        do throws(VaultError) {
            let record = try record(row, of: note)
            let heads = (try? vault.read { [try $0.headID(of: note)] + (try $0.otherHeadIDs(of: note)) }) ?? []
            let summary = RevisionSummary(
                id: id, made: made == 0 ? record.modified : made, record: record,
                title: NoteTitle.display(title: record.title, body: record.body), isHead: heads.contains(id))
            return ListedRevision(id: id, made: made, summary: summary)
        } catch {
            guard error.isDamageOfPages else { throw error }
            return ListedRevision(id: id, made: made, summary: nil)
        }
    }

    /// Reads a revision by its row: no index is needed.
    private func record(_ row: Int64, of note: NoteID) throws(VaultError) -> NoteRecord {
        try vault.read { index in
            let found = try index.database.cachedStatement("SELECT id, sealed FROM revision WHERE rowid = ?").row([row])
            guard let found else { throw VaultError(.integrity) }
            return try index.records.open(
                try found.bytes("sealed"), note: note, revision: RevisionID(try found.bytes("id")),
                isPrivate: index.isPrivate(note))
        }
    }

    /// Tells whether a revision opens, as far as there are keys.
    private func opens(_ row: Int64, of note: NoteID) -> Bool {
        do throws(VaultError) {
            _ = try record(row, of: note)
            return true
        } catch { return error.code == .noteLocked }
    }

    private func isOpenOutside(_ id: NoteID) -> Bool {
        (try? vault.read { try $0.projected(id, $0.headID(of: id)) }) != nil
    }
}

extension OpenVault {
    /// Notes whose text was found not to open, since the vault was opened: lists mark them.
    var damagedNotes: Set<NoteID> {
        get { records.damagedNotes }
        set { records.damagedNotes = newValue }
    }
}
