// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing

@testable import SealedSQLite

struct SealedDatabaseTests {
    @Test func rowsSurviveCloseAndOpen() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 300)
        try database.checkpoint()
        try database.close()
        let again = try fixture.open()
        #expect(try again.count() == 300)
        #expect(try again.queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test func rowsSurviveACrashWithALog() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 300)
        try database.checkpoint()
        try database.fill(rows: 50)
        let crashed = try fixture.crashCopy()
        #expect(try crashed.open().count() == 350)
    }

    @Test func aTransactionThatSpillsATinyCacheSurvivesACrash() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open(cacheKiB: 40)
        try database.fill(rows: 500)
        try database.queue.write { try $0.execute(sql: "UPDATE item SET text = text || 'y'") }
        try database.queue.write { try $0.execute(sql: "UPDATE item SET text = text || 'z' WHERE id % 3 = 0") }
        let crashed = try fixture.crashCopy()
        let again = try crashed.open()
        #expect(try again.count() == 500)
        let changed = try again.queue.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM item WHERE text LIKE '%yz'")
        }
        #expect(changed == 166)
        #expect(try again.queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    /// SQLite has pointers to what reads its files for it.
    @Test func theConnectionIsClosedBeforeItsFilesAre() throws {
        let fixture = try SealedFixture()
        var connection: DatabaseQueue?
        weak var files: SealedStorage?
        do {
            let database = try fixture.open()
            (connection, files) = (database.queue, database.storage)
            try database.queue.write { try $0.execute(sql: "CREATE TABLE kept(text)") }
        }
        #expect(files == nil, "and the keys with them")
        // One that is still open would be closed here, through files that are gone.
        try #require(connection != nil)
        connection = nil
        let again = try fixture.open()
        try again.queue.read { try $0.execute(sql: "SELECT * FROM kept") }
        try again.close()
    }
}
