// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import GRDBSQLite
internal import SearchText

/// Reads notes' folded texts where SQLite has them: a search may look at thousands, and a copy of each would be wiped when it is freed.
///
/// A value lives within one access to the database.
@safe final class FoldedTexts {
    private let statement: OpaquePointer

    init(_ database: Database) throws {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(database.sqliteConnection, "SELECT text FROM folded WHERE row = ?", -1, &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        unsafe statement = prepared
    }

    deinit { unsafe sqlite3_finalize(statement) }

    /// - Parameter body: is given the folded title and the folded body. Layout: docs/format.md §13.
    /// - Returns: nil for a note without one: a private one, or one that is gone.
    func withText<Result>(of row: Int64, _ body: (_ title: Span<UInt8>, _ body: Span<UInt8>) throws -> Result) throws -> Result? {
        defer { unsafe sqlite3_reset(statement) }
        unsafe sqlite3_bind_int64(statement, 1, row)
        let code = unsafe sqlite3_step(statement)
        guard code != SQLITE_DONE else { return nil }
        guard code == SQLITE_ROW else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        // As a blob: SQLite would copy a text to end it with a zero byte.
        let start = unsafe sqlite3_column_blob(statement, 0)
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, 0)))
        return unsafe try Self.withParts(Span<UInt8>(_unsafeBytes: bytes), body)
    }

    static func withParts<Result>(
        _ text: Span<UInt8>, _ body: (_ title: Span<UInt8>, _ body: Span<UInt8>) throws -> Result
    ) rethrows -> Result {
        var end = 0
        while end < text.count, text[end] != 0x0A { end += 1 }
        return try body(text.extracting(..<end), text.extracting(min(end + 1, text.count)...))
    }
}
