// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import Testing

@testable import SealedSQLite

/// docs/sealed-sqlite.md §11 and §16: how the one connection is set up and left.
struct ConnectionLessonsTests {
    @Test func lesson11aCheckpointBeforeCloseLeavesAnEmptyLog() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 100)
        #expect(database.storage.logByteCount > 0)
        try database.checkpoint()
        #expect(database.storage.logByteCount == 0)
        #expect(database.storage.durableLogByteCount == 0)
        try database.close()
        #expect(try fixture.bytes(fixture.logPath).isEmpty)
        #expect(try fixture.open().count() == 100)
    }

    @Test func lesson11nothingIsCheckpointedBehindOurBack() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        let before = try fixture.bytes(fixture.databasePath)
        // More than SQLite's own thousand pages.
        try database.queue.write { connection in
            try connection.execute(sql: "CREATE TABLE pad(bytes BLOB)")
            for _ in 0..<6 { try connection.execute(sql: "INSERT INTO pad VALUES(zeroblob(1000000))") }
        }
        #expect(database.storage.logByteCount > 5_000_000)
        #expect(try fixture.bytes(fixture.databasePath) == before)
    }

    @Test(arguments: [
        ("trusted_schema", 0), ("cell_size_check", 1), ("secure_delete", 1), ("synchronous", 2), ("temp_store", 2),
        ("wal_autocheckpoint", 0),
    ])
    func lesson16theConnectionDistrustsItsOwnPages(pragma: String, expected: Int) throws {
        let database = try SealedFixture().open()
        let value = try database.queue.inDatabase { try Int.fetchOne($0, sql: "PRAGMA \(pragma)") }
        #expect(value == expected)
    }

    @Test func lesson16theSchemaCannotBeWrittenBySQL() throws {
        let database = try SealedFixture().open()
        try database.fill(rows: 1)
        #expect(throws: DatabaseError.self) {
            try database.queue.inDatabase { connection in
                try connection.execute(sql: "PRAGMA writable_schema = ON")
                try connection.execute(
                    sql: "UPDATE sqlite_schema SET sql = 'CREATE TABLE item(other)' WHERE name = 'item'")
            }
        }
    }

    /// Authentic pages with other content than SQLite would write: a cell that reaches out of its page.
    @Test func lesson16anAuthenticPageWithBadCellsIsAnErrorAndNothingElse() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 40)
        try database.checkpoint()
        let storage = database.storage
        var page = [UInt8](repeating: 0, count: PageFile.pageByteCount)
        for number in 2...storage.pageCount {
            let read = unsafe page.withUnsafeMutableBytes { unsafe storage.pages.readPage(number, into: $0) }
            #expect(read == .whole)
            for index in 8..<40 { page[index] = 0x0F }
            let written = unsafe page.withUnsafeBytes { unsafe storage.pages.writePage(number, $0) == .whole }
            #expect(written)
        }
        try database.close()
        #expect(throws: (any Error).self) { try fixture.open().count() }
    }
}
