// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

extension EntryStatement {
    /// Returns the statement's name, which binds what it says: a statement under another name counts nowhere.
    ///
    /// - Parameter parents: the statements that it replaces.
    func name(replacing parents: [RevisionID]) throws -> RevisionID {
        try RevisionID(Array(Digest.sha256(named(replacing: parents)).prefix(RevisionID.byteCount)))
    }
}

/// A `StatementRow` is a row of `statement`: what an entry of operation 9 says. What opens a note is in `toldKey`.
/// Spec: docs/format.md §13.
struct StatementRow {
    let name: RevisionID
    let note: [UInt8]
    let kind: Int64
    let bytes: [UInt8]

    init(_ row: Row) throws {
        name = try RevisionID(row.bytes("name"))
        (note, kind, bytes) = (try row.bytes("note"), try row.integer("kind"), try row.bytes("bytes"))
    }

    /// Makes one of a row that was found in a page; nil for a row of another table.
    init?(_ record: SalvagedRecord) {
        guard let name = record.blob(0).flatMap({ try? RevisionID($0) }), let note = record.blob(1),
            let kind = record.integer(2), let bytes = record.blob(3), let said = try? EntryStatement(parsing: bytes),
            Int64(said.kind.rawValue) == kind
        else { return nil }
        (self.name, self.note, self.kind, self.bytes) = (name, note, kind, bytes)
    }

    /// Returns what the row says.
    ///
    /// - Throws: `VaultError.integrity` for a row of another kind than it says; `FormatError`.
    func statement() throws -> EntryStatement {
        let said = try EntryStatement(parsing: bytes)
        guard Int64(said.kind.rawValue) == kind else { throw VaultError(.integrity) }
        return said
    }

    /// Returns whether the row says something, and an entry names it.
    ///
    /// - Parameter names: of all entries that are statements.
    func isRight(_ names: Set<RevisionID>) -> Bool { names.contains(name) && (try? statement()) != nil }
}

/// A `SaidStatement` is a statement with its name.
struct SaidStatement {
    let name: RevisionID
    let statement: EntryStatement
    /// Whether another statement that is known has taken its place.
    let isReplaced: Bool
}

extension IndexAccess {
    /// Returns all rows of `statement`; none of an index of an older schema.
    func statementRows() throws -> [StatementRow] {
        guard try IndexState.fetch(database).schema >= Schema.firstWithStatements else { return [] }
        return try Row.fetchAll(database, sql: "SELECT * FROM statement ORDER BY name").map(StatementRow.init)
    }

    /// Returns what was said under a name; nil where nothing was, or what opens a note.
    func statement(named name: RevisionID) throws -> EntryStatement? {
        guard try IndexState.fetch(database).schema >= Schema.firstWithStatements else { return nil }
        return try database.cachedStatement("SELECT * FROM statement WHERE name = ?").row([name.bytes.blob])
            .map { try StatementRow($0).statement() }
    }

    /// Returns all statements of one kind that are of no note, in the order of their names. What counts is what none of
    /// them, and no entry that is known without its statement, has replaced.
    func statements(_ kind: EntryStatement.Kind) throws -> [SaidStatement] {
        guard try IndexState.fetch(database).schema >= Schema.firstWithStatements else { return [] }
        let replaced = Set(try entries(of: .none).flatMap(\.parents))
        let statement = try database.cachedStatement("SELECT * FROM statement WHERE kind = ? ORDER BY name")
        return try Row.fetchAll(statement, arguments: [Int64(kind.rawValue)]).map(StatementRow.init).map {
            SaidStatement(name: $0.name, statement: try $0.statement(), isReplaced: replaced.contains($0.name))
        }
    }
}

extension Transaction {
    /// Keeps what an entry says, unless it has another name than follows from it: then it counts nowhere, and holds
    /// nothing up.
    func keep(_ statement: EntryStatement, of entry: Entry) throws {
        guard try statement.name(replacing: entry.parents) == entry.revisionID else { return }
        try database.cachedStatement("INSERT OR IGNORE INTO statement(name, note, kind, bytes) VALUES(?, ?, ?, ?)")
            .execute(arguments: [
                entry.revisionID.bytes.blob, entry.noteID.bytes.blob, Int64(statement.kind.rawValue),
                statement.encoded.blob,
            ])
    }

    /// Says something that is of no note: an own entry, and a row of what it says.
    ///
    /// - Parameter parents: the names of the statements that it replaces, 200 at most.
    /// - Returns: its name.
    @discardableResult
    func say(_ statement: EntryStatement, replacing parents: [RevisionID]) throws -> RevisionID {
        let (name, replaced) = (try statement.name(replacing: parents), parents.sorted())
        var state = try IndexState.fetch(database)
        try append(&state, .statement, note: .none, revision: name, parents: replaced)
        try state.save(database)
        try database.cachedStatement("INSERT OR IGNORE INTO statement(name, note, kind, bytes) VALUES(?, ?, ?, ?)")
            .execute(arguments: [
                name.bytes.blob, NoteID.none.bytes.blob, Int64(statement.kind.rawValue), statement.encoded.blob,
            ])
        return name
    }
}
