// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// A `KnownHeader` is what the sealed state says of the header: counter and digest of the newest that the vault had.
///
/// It stands in each manifest, and from the first change of the header on in the index too. So an older header, with a
/// credential that was removed since, opens neither, also where no pin knows the vault. Spec: docs/format.md §5.
struct KnownHeader: Equatable {
    let counter: UInt64
    let digest: [UInt8]

    init(counter: UInt64, digest: [UInt8]) { (self.counter, self.digest) = (counter, digest) }

    init(_ header: Header) throws(VaultError) {
        self.init(counter: header.counter, digest: try HeaderFile.digest(header))
    }

    /// Takes what a manifest knows; nil for an earlier manifest, which knows of none.
    init?(_ manifest: Manifest) {
        guard manifest.headerCounter > 0 else { return nil }
        self.init(counter: manifest.headerCounter, digest: manifest.headerDigest)
    }

    /// Returns whether a header that the vault's key vouches for is this one, or a later one.
    func isReached(by header: Header) throws(VaultError) -> Bool {
        guard header.counter == counter else { return header.counter > counter }
        return try HeaderFile.digest(header) == digest
    }

    /// Returns what the index knows; nil where it knows of none, as before the first change.
    static func fetch(_ database: Database) throws -> KnownHeader? {
        guard try database.tableExists("knownHeader"),
            let row = try Row.fetchOne(database, sql: "SELECT counter, digest FROM knownHeader WHERE id = 1")
        else { return nil }
        return KnownHeader(counter: UInt64(clamping: try row.integer("counter")), digest: try row.bytes("digest"))
    }

    func save(_ database: Database) throws {
        // It is there from the first change of the header on: an index without it is as good. Spec: docs/format.md §13.
        try database.execute(
            sql:
                "CREATE TABLE IF NOT EXISTS knownHeader(id INTEGER PRIMARY KEY CHECK(id = 1), counter INTEGER NOT NULL, digest BLOB NOT NULL)"
        )
        try database.execute(
            sql: "INSERT OR REPLACE INTO knownHeader VALUES(1, ?, ?)",
            arguments: [Int64(clamping: counter), digest.blob])
    }
}

extension Manifest {
    /// Returns the same manifest, with the header that it is written under.
    func naming(_ header: Header) throws(VaultError) -> Manifest {
        var named = self
        (named.headerCounter, named.headerDigest) = (header.counter, try HeaderFile.digest(header))
        return named
    }
}

extension OpenVault {
    /// Puts the present header into the index and into the manifest, so that none of before opens the vault again.
    ///
    /// The header is in its place already: what fails here only leaves it less well known, and the next opening makes
    /// good for it.
    func recordHeader() {
        if !isReadOnly { try? recordHeaderInIndex() }
        try? vouch(progressed)
    }

    /// Puts the present header into the index, in one transaction.
    func recordHeaderInIndex() throws(VaultError) {
        try requireOurHeader()
        let known = try KnownHeader(header)
        do throws(VaultError) {
            try VaultError.translating {
                try database.queue.write { connection in
                    try known.save(connection)
                    _ = try IndexState.advanceGeneration(connection)
                }
            }
        } catch {
            database.storage.discardUncommittedTail()
            throw error
        }
        try countAgain()
        try requireOurIndex()
    }

    /// The manifest of what is durable now.
    var progressed: Manifest {
        var next = manifest
        guard !isReadOnly else { return next }
        next.generation = recordedGeneration
        next.syncedByteCount = database.storage.durableLogByteCount
        return next
    }
}
