// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// `ImportSalts` has the salts of imports' private notes, and where each came from: rows of the sealed index.
///
/// A salt says nothing by itself. Beside it stands a digest of it and of the source, so that the source's path lies
/// nowhere, and a salt that got out confirms no guess of one. Spec: docs/format.md §13 and §18.
struct ImportSalts {
    private var sources: [[UInt8]: [UInt8]] = [:]
    /// Those that are random as a whole; others were found, and are used for nothing new.
    private var random: Set<[UInt8]> = []

    /// Reads the rows of the table.
    ///
    /// - Parameter database: an index in which the table may still be missing.
    init(in database: Database) throws {
        guard try Row.fetchOne(database, sql: "SELECT 1 FROM sqlite_master WHERE name = 'importSalt'") != nil else {
            return
        }
        for row in try Row.fetchAll(database, sql: "SELECT salt, source, random FROM importSalt") {
            let salt = try row.bytes("salt")
            sources[salt] = try row.bytes("source")
            if try row.integer("random") == 1 { random.insert(salt) }
        }
    }

    /// Of every import that is known.
    var all: Set<[UInt8]> { Set(sources.keys) }

    func salts(of source: String) throws -> (all: Set<[UInt8]>, random: Set<[UInt8]>) {
        let all = Set(try sources.filter { try Self.mark($0.key, source) == $0.value }.keys)
        return (all, all.intersection(random))
    }

    /// Adds salts to the table, which is there from the first import of private notes on.
    ///
    /// - Parameter random: those of `salts` that were made by this program.
    static func insert(
        _ salts: Set<[UInt8]>, random: Set<[UInt8]>, of source: String, into database: Database
    ) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS importSalt(
                  salt BLOB PRIMARY KEY, source BLOB NOT NULL, random INTEGER NOT NULL) WITHOUT ROWID
                """)
        for salt in salts {
            try database.execute(
                sql: "INSERT OR IGNORE INTO importSalt VALUES(?, ?, ?)",
                arguments: [salt.blob, try mark(salt, source).blob, random.contains(salt) ? 1 : 0])
        }
    }

    /// Returns how the salts of an import began before they were random as a whole: notes of then are still found by
    /// it.
    static func beginBefore(_ source: String, _ vaultID: VaultID) throws -> [UInt8] {
        Array(try Digest.sha256(Array("vault import salt\n".utf8) + vaultID.bytes + Array(source.utf8)).prefix(16))
    }

    private static func mark(_ salt: [UInt8], _ source: String) throws -> [UInt8] {
        try Digest.sha256(Array("vault import source\n".utf8) + salt + Array(source.utf8))
    }
}
