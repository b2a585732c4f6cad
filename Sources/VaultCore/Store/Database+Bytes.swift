// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import GRDB

extension Database {
    /// Returns a statement that is prepared once for the connection.
    func cachedStatement(_ sql: String) throws -> Statement { try cachedStatement(sql: sql) }
}

extension Statement {
    func row(_ arguments: StatementArguments = StatementArguments()) throws -> Row? {
        try Row.fetchOne(self, arguments: arguments)
    }
}

extension [UInt8] {
    /// The bytes as SQLite stores them.
    var blob: Data { Data(self) }
}

/// These functions read columns of rows that may come from an old page put back: what is not of the type it should be
/// is damage, not a trap (docs/sealed-sqlite.md §16).
extension Row {
    func bytes(_ column: String) throws -> [UInt8] { [UInt8](try value(column) as Data) }
    func optionalBytes(_ column: String) throws -> [UInt8]? {
        (self[column] as DatabaseValue?)?.isNull == false ? try bytes(column) : nil
    }
    func text(_ column: String) throws -> String { try value(column) }
    func integer(_ column: String) throws -> Int64 { try value(column) }
    func count(_ column: String) throws -> Int { Int(clamping: try integer(column)) }
    func flag(_ column: String) throws -> Bool { try integer(column) != 0 }
    func optionalText(_ column: String) -> String? { try? value(column) }

    /// Reads columns by their numbers, from 0: finding a name costs more than reading the value.
    func integer(at column: Int) throws -> Int64 { try value(at: column) }
    func text(at column: Int) throws -> String { try value(at: column) }
    func bytes(at column: Int) throws -> [UInt8] { [UInt8](try value(at: column) as Data) }

    private func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        guard let stored = self[column] as DatabaseValue?, let value = Value.fromDatabaseValue(stored) else {
            throw VaultError(.integrity)
        }
        return value
    }

    private func value<Value: DatabaseValueConvertible>(at column: Int) throws -> Value {
        guard let value = Value.fromDatabaseValue(self[column] as DatabaseValue) else { throw VaultError(.integrity) }
        return value
    }
}

extension DatabaseValue {
    /// Of a blob; nothing for any other value.
    var bytes: [UInt8] { Data.fromDatabaseValue(self).map { [UInt8]($0) } ?? [] }
}
