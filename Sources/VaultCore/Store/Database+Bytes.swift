// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import GRDB

extension Database {
    /// A statement that is prepared once for the connection.
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

extension Row {
    func bytes(_ column: String) -> [UInt8] {
        let data: Data? = self[column]
        return data.map { [UInt8]($0) } ?? []
    }
}
