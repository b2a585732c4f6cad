// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite

/// A `SpareTable` has second copies of rows that stand only once and whose loss costs what is whole itself: without its
/// keyslot a private note opens no more, without its row an attachment's file belongs to nobody.
///
/// They are tables of their own, so they lie on other pages. SQLite keeps them: triggers write them in the transaction
/// that writes the row, and no code can forget to. Spec: docs/format.md §13.
enum SpareTable: String, CaseIterable {
    case noteKey, attachment, draft, rotation, state

    /// What the copies are in.
    var spare: String { rawValue + "Spare" }

    /// The key first. Of `state` only what entries and notes do not tell, so that not every transaction writes a page
    /// more; of `rotation` only what names the key of before, for how far it has come can be found again.
    private var columns: [String] {
        switch self {
        case .noteKey: ["note", "sealed"]
        case .attachment: ["id", "note", "object", "sealed", "epoch"]
        case .draft:
            [
                "id", "wrapped", "note", "base", "joins", "created", "discarded", "title", "notebook", "tags", "flags",
                "folder",
            ]
        case .rotation: ["id", "wrapped", "counter"]
        case .state: ["id", "schema", "device", "fold", "wordsLeft"]
        }
    }

    private var names: String { columns.joined(separator: ", ") }

    /// The table, filled, and what keeps it.
    private var statements: [String] {
        let (key, new) = (columns[0], columns.map { "new.\($0)" }.joined(separator: ", "))
        let changed = columns.map { "new.\($0) IS NOT old.\($0)" }.joined(separator: " OR ")
        let others = columns.dropFirst().joined(separator: ", ")
        let remove = { (row: String) in "DELETE FROM \(spare) WHERE \(key) = \(row).\(key);" }
        let insert = "INSERT INTO \(spare)(\(names)) VALUES(\(new));"
        return [
            "DROP TABLE IF EXISTS \(spare)", "DROP TRIGGER IF EXISTS \(spare)Added",
            "DROP TRIGGER IF EXISTS \(spare)Changed", "DROP TRIGGER IF EXISTS \(spare)Removed",
            "CREATE TABLE \(spare)(\(key) NOT NULL PRIMARY KEY, \(others)) WITHOUT ROWID",
            "INSERT INTO \(spare)(\(names)) SELECT \(names) FROM \(rawValue)",
            "CREATE TRIGGER \(spare)Added AFTER INSERT ON \(rawValue) BEGIN \(remove("new")) \(insert) END",
            """
            CREATE TRIGGER \(spare)Changed AFTER UPDATE OF \(names) ON \(rawValue) WHEN \(changed) BEGIN
              \(remove("old")) \(remove("new")) \(insert)
            END
            """,
            "CREATE TRIGGER \(spare)Removed AFTER DELETE ON \(rawValue) BEGIN \(remove("old")) END",
        ]
    }

    /// Makes all copies anew.
    static func create(_ database: Database) throws {
        for statement in allCases.flatMap(\.statements) { try database.execute(sql: statement) }
    }

    /// Returns whether each row has its copy, and each copy its row.
    ///
    /// - Throws: what keeps the tables from being read.
    static func fit(_ database: Database) throws -> Bool {
        // One that was opened on a disk that cannot be written may still lack them.
        guard try IndexState.fetch(database).schema >= Schema.firstWithSpares else { return true }
        return try allCases.allSatisfy { table in
            let key = table.columns[0]
            let differs = table.columns.map { "a.\($0) IS NOT b.\($0)" }.joined(separator: " OR ")
            // Row by row, so that many attachments need no more memory than few.
            return try [(table.rawValue, table.spare, differs), (table.spare, table.rawValue, "b.\(key) IS NULL")]
                .allSatisfy { one, other, condition in
                    let join = "\(one) AS a LEFT JOIN \(other) AS b ON b.\(key) = a.\(key)"
                    return try Row.fetchOne(database, sql: "SELECT 1 FROM \(join) WHERE \(condition) LIMIT 1") == nil
                }
        }
    }

    /// Reads from the table, and from the copies where a page of it does not open.
    ///
    /// In a transaction that writes a page that does not open ends it: there is no second try.
    func read<Value>(_ database: Database, _ body: (_ table: String) throws -> Value) throws -> Value {
        let isWriting = database.isInsideTransaction
        do { return try body(rawValue) } catch let error as DatabaseError {
            guard !isWriting, SealedDatabase.isDamage(error) else { throw error }
            do { return try body(spare) } catch is DatabaseError { throw error }
        }
    }
}
