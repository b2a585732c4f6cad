// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import SecretMemory

/// `BookService` is what a vault knows of the services that are asked about books: which of them its owner agreed to,
/// and a key for one. It does not leave the vault with archives or clones. Spec: docs/format.md §13.
public struct BookService {
    let vault: OpenVault

    public static let addressesByteCountMax = 4096
    public static let keyByteCountMax = 512

    /// The addresses that the owner agreed to, one on a line, and whether there is a key.
    public func status() throws(VaultError) -> (agreed: String, hasKey: Bool) {
        try vault.read { index in
            guard let row = try index.bookServiceRow() else { return ("", false) }
            return (try row.text("agreed"), try !row.bytes("key").isEmpty)
        }
    }

    /// Lends the key, as the service gave it to the owner.
    ///
    /// - Throws: `VaultError.notFound` without one.
    public func withKey<Result>(_ body: (borrowing SecretBytes) -> Result) throws(VaultError) -> Result {
        let key = try vault.read { try $0.bookServiceRow()?.bytes("key") ?? [] }
        guard !key.isEmpty else { throw VaultError(.notFound) }
        return body(unsafe SecretBytes(byteCount: key.count) { raw in unsafe raw.copyBytes(from: key) })
    }

    /// Notes to which addresses the owner agreed.
    public func agree(to addresses: String) throws(VaultError) {
        guard addresses.utf8.count <= Self.addressesByteCountMax else { throw VaultError(.tooLarge) }
        try write { try $0.execute(sql: "UPDATE bookService SET agreed = ?", arguments: [addresses]) }
    }

    /// Keeps a key; an empty one removes what was there.
    public func setKey(_ key: borrowing SecretBytes) throws(VaultError) {
        guard key.byteCount <= Self.keyByteCountMax else { throw VaultError(.tooLarge) }
        let bytes = unsafe key.withUnsafeBytes { unsafe Array($0) }
        try write { try $0.execute(sql: "UPDATE bookService SET key = ?", arguments: [bytes.blob]) }
    }

    private func write(_ body: (Database) throws -> Void) throws(VaultError) {
        try vault.write { transaction in
            let database = transaction.database
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS bookService(
                      id INTEGER PRIMARY KEY CHECK(id = 1), agreed TEXT NOT NULL, key BLOB NOT NULL)
                    """)
            try database.execute(sql: "INSERT OR IGNORE INTO bookService VALUES(1, '', x'')")
            try body(database)
        }
    }
}

extension OpenVault {
    /// What is known of services that are asked about books.
    public var bookService: BookService { BookService(vault: self) }
}

extension IndexAccess {
    /// The one row; nil before the first one was written.
    fileprivate func bookServiceRow() throws -> Row? {
        guard try database.tableExists("bookService") else { return nil }
        return try Row.fetchOne(database, sql: "SELECT agreed, key FROM bookService")
    }
}
