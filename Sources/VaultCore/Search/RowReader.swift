// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import GRDBSQLite
internal import VaultFormat

/// A `RowReader` is a statement read by SQLite's own calls, for loops over very many rows: GRDB's decoding was half of
/// what a list of a hundred thousand took (docs/performance.md §7).
///
/// A value lives within one access to the database. A column that is not of the type it should be is damage
/// (docs/sealed-sqlite.md §16).
@safe final class RowReader {
    enum Value {
        case integer(Int64)
        case text(String)
        case blob([UInt8])
    }

    private let statement: OpaquePointer

    init(_ database: Database, _ sql: String) throws {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(database.sqliteConnection, sql, -1, &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        unsafe statement = prepared
    }

    deinit { unsafe sqlite3_finalize(statement) }

    /// Begins anew with other values. SQLite copies them.
    func begin(_ values: [Value]) throws {
        unsafe sqlite3_reset(statement)
        for (index, value) in values.enumerated() {
            let number = Int32(index + 1)
            // SQLITE_TRANSIENT: a macro with a cast, which Swift does not import.
            let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            let code =
                switch value {
                case .integer(let integer): unsafe sqlite3_bind_int64(statement, number, integer)
                case .text(let text): unsafe sqlite3_bind_text(statement, number, text, Int32(text.utf8.count), copied)
                case .blob(let bytes): unsafe sqlite3_bind_blob(statement, number, bytes, Int32(bytes.count), copied)
                }
            guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
    }

    /// Steps to the next row.
    ///
    /// - Returns: false at the end.
    func next() throws -> Bool {
        let code = unsafe sqlite3_step(statement)
        guard code == SQLITE_ROW || code == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        return code == SQLITE_ROW
    }

    func integer(_ column: Int32) throws -> Int64 {
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_INTEGER else { throw VaultError(.integrity) }
        return unsafe sqlite3_column_int64(statement, column)
    }

    func text(_ column: Int32) throws -> String {
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_TEXT else { throw VaultError(.integrity) }
        let bytes = unsafe bytes(column)
        return unsafe bytes.isEmpty ? "" : String(decoding: bytes, as: UTF8.self)
    }

    func id(_ column: Int32) throws -> PackedID {
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_BLOB, let id = unsafe PackedID(bytes(column))
        else {
            throw VaultError(.integrity)
        }
        return id
    }

    /// Gives a text where SQLite has it: a search may look at thousands, and a copy of each would be wiped when it is
    /// freed.
    func withText<Result>(_ column: Int32, _ body: (Span<UInt8>) throws -> Result) throws -> Result {
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_TEXT else { throw VaultError(.integrity) }
        return unsafe try body(Span<UInt8>(_unsafeBytes: bytes(column)))
    }

    /// Reads a text as a blob: SQLite would copy a text to end it with a zero byte. Good until the next step.
    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = unsafe sqlite3_column_blob(statement, column)
        return unsafe UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }
}

/// A `PackedID` is a note's identifier without an array, for lists of very many.
struct PackedID: Hashable {
    let high: UInt64
    let low: UInt16

    init(_ id: NoteID) {
        high = id.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = id.bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt16($1) }
    }

    /// Reads an identifier; nil for another size.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == NoteID.byteCount else { return nil }
        high = unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = unsafe UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt16.self))
    }

    var bytes: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: high >> UInt64($0)) }
            + [UInt8(truncatingIfNeeded: low >> 8), UInt8(truncatingIfNeeded: low)]
    }
}
