// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Glibc
import Testing

@testable import SealedSQLite

/// docs/sealed-sqlite.md §2, §8, §9, §10 and §15: nothing plain on any disk, neither beside the database nor left over
/// in it.
struct PlaintextLessonsTests {
    private func names(_ fixture: SealedFixture) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).sorted()
    }

    @Test func lesson02noSharedMemoryFileIsMade() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 100)
        #expect(try database.count() == 100)
        #expect(try names(fixture) == ["index.db", "index.db-wal"])
        try database.checkpoint()
        try database.close()
        #expect(try names(fixture) == ["index.db", "index.db-wal"])
    }

    @Test func lesson08aPlantedRollbackJournalIsIgnored() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 30)
        try database.checkpoint()
        try database.close()
        // A hot journal that would cut the database to no pages: magic, no records, nonce, size 0, sector and page
        // size.
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let journal =
            magic + [0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0x10, 0] + [UInt8](repeating: 0, count: 484)
        let path = fixture.databasePath + "-journal"
        try Data(journal).write(to: URL(fileURLWithPath: path))
        let again = try fixture.open()
        #expect(try again.count() == 30)
        try again.fill(rows: 1)
        #expect(try fixture.bytes(path) == journal)
    }

    @Test func lesson08noRollbackJournalCanBeMade() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 30)
        #expect(try database.queue.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        try? database.queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try? database.fill(rows: 30)
        #expect(try names(fixture) == ["index.db", "index.db-wal"])
        #expect(try [30, 60].contains(fixture.crashCopy().open().count()))
    }

    @Test func lesson09temporaryStorageStaysInMemory() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open(cacheKiB: 40)
        try database.fill(rows: 1500)
        #expect(try database.queue.read { try Int.fetchOne($0, sql: "PRAGMA temp_store") } == 2)
        try database.queue.read { connection in
            let rows = try Row.fetchCursor(
                connection, sql: "SELECT text FROM item ORDER BY substr(text, 9, 3), text DESC")
            #expect(try rows.next() != nil)
            #expect(openFiles().allSatisfy { !$0.contains("etilqs") })
        }
    }

    @Test func lesson09aTemporaryFileIsRefused() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open(cacheKiB: 40)
        try database.fill(rows: 300)
        let refusal = #expect(throws: DatabaseError.self) {
            try database.queue.inDatabase { connection in
                try connection.execute(sql: "PRAGMA temp_store = FILE")
                try connection.execute(sql: "CREATE TEMP TABLE copy AS SELECT a.text, b.id FROM item a, item b")
            }
        }
        // Refused as it was opened, not later for what would have been written to it.
        #expect(refusal?.resultCode == .SQLITE_CANTOPEN)
        #expect(openFiles().allSatisfy { !$0.contains("etilqs") })
    }

    /// What this process has open, deleted files too.
    private func openFiles() -> [String] {
        let folder = "/proc/self/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0) }
    }

    @Test func lesson10aDatabaseThatIsNotSealedIsRefused() throws {
        let fixture = try SealedFixture()
        let plain = fixture.folder.appending(path: "plain.db").path
        // A name that SQLite reads as "use the system's VFS": ours is registered and never asked.
        let storage = try SealedStorage(
            directory: fixture.directory, name: plain + "?vfs=unix&", pageKey: fixture.pageKey, logKey: fixture.logKey,
            pageBinding: [1], logBinding: [2], logSalt: fixture.salt, creating: true)
        #expect(throws: SealedSQLiteError(.notSealed)) {
            try SealedDatabase(storage, syncedByteCount: 0) { try $0.execute(sql: "CREATE TABLE secret(text)") }
        }
        #expect((try? fixture.bytes(plain)) ?? [] == [], "not one plain byte was written")
    }

    @Test func lesson10aPlainDatabaseInThePlaceOfOursIsNotRead() throws {
        let fixture = try SealedFixture()
        _ = SealedDatabase.wipesMemory
        let plain = try DatabaseQueue(path: fixture.databasePath)
        try plain.write {
            try $0.execute(
                sql: "CREATE TABLE item(id INTEGER PRIMARY KEY, text TEXT); INSERT INTO item VALUES(1, 'planted')")
        }
        try plain.close()
        #expect(try fixture.bytes(fixture.databasePath).starts(with: Array("SQLite format 3\0".utf8)))
        #expect(throws: (any Error).self) { try fixture.open().count() }
    }

    @Test func lesson15deletedRowsDoNotStayInFreePages() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 60, marker: "forgotten")
        try database.checkpoint()
        #expect(try pagesHolding("forgotten", database) > 0, "the search itself works")
        try database.queue.write { try $0.execute(sql: "DELETE FROM item") }
        try database.checkpoint()
        #expect(try pagesHolding("forgotten", database) == 0)
    }

    /// Pages of the file that hold a text once they are opened.
    private func pagesHolding(_ text: String, _ database: SealedDatabase) throws -> Int {
        let needle = Array(text.utf8)
        var page = [UInt8](repeating: 0, count: PageFile.pageByteCount)
        var found = 0
        for number in 1...database.storage.pageCount {
            let result = unsafe page.withUnsafeMutableBytes { unsafe database.storage.pages.readPage(number, into: $0) }
            #expect(result == .whole)
            if page.firstRange(of: needle) != nil { found += 1 }
        }
        return found
    }
}
