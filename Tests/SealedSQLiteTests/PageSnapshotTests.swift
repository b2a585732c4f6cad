// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Glibc
import Testing

@testable import SealedSQLite

/// A database read as it was at one moment, while it is written to.
struct PageSnapshotTests {
    /// A table with rows, some of them in the file and some in the log alone.
    private func database(_ fixture: SealedFixture) throws -> SealedDatabase {
        let database = try fixture.open()
        try database.queue.write { try $0.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, x BLOB)") }
        try insert(database, 0..<200)
        try database.checkpoint()
        try database.storage.renewLogSalt([UInt8](repeating: 8, count: 32))
        try insert(database, 200..<260)
        #expect(database.storage.logByteCount > 0)
        return database
    }

    private func insert(_ database: SealedDatabase, _ ids: Range<Int>) throws {
        for id in ids {
            let data = Data(repeating: UInt8(id & 0xFF), count: 1500)
            try database.queue.write { try $0.execute(sql: "INSERT INTO t VALUES(?, ?)", arguments: [id, data]) }
        }
    }

    private func reader(_ fixture: SealedFixture, _ database: SealedDatabase, memoryByteCount: UInt64 = 1 << 40) throws
        -> SealedDatabase
    {
        let moment = try database.storage.snapshot(memoryByteCount: memoryByteCount)
        let storage = try SealedStorage(
            reading: database.storage.duplicateDescriptor(), at: moment, directory: fixture.directory, name: "index.db",
            pageKey: fixture.pageKey,
            logKey: fixture.logKey, pageBinding: [1, 2, 3], logBinding: [1, 2, 3, 9])
        return try SealedDatabase(storage, syncedByteCount: 0) { _ in }
    }

    private func rows(_ database: SealedDatabase) throws -> [Data] {
        try database.queue.inDatabase { try Data.fetchAll($0, sql: "SELECT x FROM t ORDER BY id") }
    }

    @Test(arguments: [1 << 40, 0] as [UInt64]) func itIsOfItsMomentWhateverIsWrittenAndEmptied(memoryByteCount: UInt64)
        throws
    {
        let fixture = try SealedFixture()
        let database = try database(fixture)
        let before = try rows(database)
        let early = try reader(fixture, database, memoryByteCount: memoryByteCount)
        #expect(try rows(early) == before && before.count == 260)
        // Rows change, go and come; the log is emptied into the file twice, over pages that the reader has not read
        // yet.
        for round in 0..<2 {
            try database.queue.write {
                try $0.execute(sql: "UPDATE t SET x = zeroblob(1500 + ?) WHERE id % 3 = 0", arguments: [round])
            }
            try database.queue.write { try $0.execute(sql: "DELETE FROM t WHERE id % 7 = ?", arguments: [round]) }
            try insert(database, (300 + 100 * round)..<(380 + 100 * round))
            try database.checkpoint()
            try database.storage.renewLogSalt([UInt8](repeating: UInt8(20 + round), count: 32))
        }
        let late = try reader(fixture, database)
        #expect(try rows(early) == before)
        #expect(try early.queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        #expect(try rows(late) == rows(database))
        // What it keeps is bounded by the database as it was.
        #expect(early.storage.pageCount < database.storage.pageCount)
    }

    @Test func itsSealedPagesAreAWholeDatabase() throws {
        let fixture = try SealedFixture()
        let database = try database(fixture)
        let reader = try reader(fixture, database)
        let (bytes, damaged) = reader.storage.checkedPages(from: 1, count: Int(reader.storage.pageCount))
        #expect(damaged.isEmpty)
        let before = try rows(database)
        try database.close()
        // In the place of the file, without the log: the keys and the places are the same.
        try Data(bytes).write(to: URL(fileURLWithPath: fixture.databasePath))
        try Data().write(to: URL(fileURLWithPath: fixture.logPath))
        #expect(try rows(fixture.open()) == before)
    }

    /// A page that is about to be overwritten and cannot be kept: from then on nothing is read, however much of it
    /// would still be right.
    @Test func whatCouldNotBeKeptIsNotReadOfAnotherMoment() throws {
        let fixture = try SealedFixture()
        let database = try database(fixture)
        let moment = try database.storage.snapshot(memoryByteCount: 1 << 40)
        let storage = try SealedStorage(
            reading: database.storage.duplicateDescriptor(), at: moment, directory: fixture.directory, name: "index.db",
            pageKey: fixture.pageKey,
            logKey: fixture.logKey, pageBinding: [1, 2, 3], logBinding: [1, 2, 3, 9])
        let early = try SealedDatabase(storage, syncedByteCount: 0) { _ in }
        #expect(try rows(early).count == 260)
        #expect(moment.failure == nil && storage.lossOfMoment == nil)
        let pages = 1...UInt32(moment.pageCount)
        let file = database.storage.pages.file
        #expect(file.truncate(to: 0))
        for number in pages { moment.keep(number, from: file) }
        #expect(storage.lossOfMoment == SealedSQLiteError(.inputOutput))
        unsafe withUnsafeTemporaryAllocation(byteCount: PageFile.pageByteCount, alignment: 16) { page in
            for number in pages {
                #expect(unsafe moment.read(number, from: file, into: page).count == nil, "\(number)")
            }
        }
        #expect(throws: DatabaseError.self) {
            try early.queue.inDatabase { try $0.execute(sql: "PRAGMA cache_size = 0; SELECT count(x) FROM t") }
        }
    }
}
