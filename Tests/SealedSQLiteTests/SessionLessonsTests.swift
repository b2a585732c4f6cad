// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import Testing

@testable import SealedSQLite

/// docs/sealed-sqlite.md §13 and §14: keys, places and sessions. What the files alone cannot tell is left to the
/// manifest and to `vault check`.
struct SessionLessonsTests {
    private let otherSalt = [UInt8](repeating: 8, count: 32)

    @Test func lesson13aWrongKeyIsAnErrorAndNoDataAndNothingIsWritten() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 30)
        try database.checkpoint()
        try database.close()
        let before = try fixture.bytes(fixture.databasePath)
        let storage = try fixture.storage(pageKey: fixture.logKey)
        #expect(throws: (any Error).self) { try SealedDatabase(storage, syncedByteCount: 0) { _ in }.count() }
        #expect(try fixture.bytes(fixture.databasePath) == before)
    }

    @Test func lesson14theLogOfAnEarlierSessionPutBackIsDamage() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 30)
        let old = try fixture.bytes(fixture.logPath)
        try database.checkpoint()
        try database.storage.renewLogSalt(otherSalt)
        try database.queue.write { try $0.execute(sql: "UPDATE item SET text = 'newer'") }
        try database.checkpoint()
        try database.close()
        fixture.salt = otherSalt
        try fixture.change(fixture.logPath) { $0 = old }
        #expect(throws: SealedSQLiteError(.damaged)) { try fixture.open() }
    }

    @Test func lesson14theLogSaltIsRenewedOnlyWhileTheLogIsEmpty() throws {
        let database = try SealedFixture().open()
        try database.fill(rows: 3)
        #expect(throws: SealedSQLiteError(.damaged)) { try database.storage.renewLogSalt(otherSalt) }
        try database.checkpoint()
        try database.storage.renewLogSalt(otherSalt)
        try database.fill(rows: 3)
        #expect(try database.count() == 6)
    }

    @Test func lesson14framesThatChangedPlacesDoNotOpen() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 30)
        let (one, two) = (LogFile.frameOffset(1), LogFile.frameOffset(2))
        try fixture.change(fixture.logPath) { bytes in
            let first = Array(bytes[one..<two])
            bytes.replaceSubrange(one..<two, with: bytes[two..<two + LogSealer.frameByteCount])
            bytes.replaceSubrange(two..<two + LogSealer.frameByteCount, with: first)
        }
        let log = try fixture.storage().log
        #expect(log.openHeader() != nil)
        #expect(log.openFrame(0))
        #expect(!log.openFrame(1))
        #expect(!log.openFrame(2))
    }

    @Test func lesson14pagesThatChangedPlacesDoNotOpen() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 60)
        try database.checkpoint()
        try database.close()
        try fixture.change(fixture.databasePath) { bytes in
            let third = Array(bytes[8192..<12288])
            bytes.replaceSubrange(8192..<12288, with: bytes[12288..<16384])
            bytes.replaceSubrange(12288..<16384, with: third)
        }
        let storage = try fixture.storage()
        #expect(storage.pageIsAuthentic(2))
        #expect(!storage.pageIsAuthentic(3))
        #expect(!storage.pageIsAuthentic(4))
    }

    @Test func lesson14pagesAndFramesOfAnotherVaultDoNotOpen() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 60)
        let other = try fixture.storage(binding: [1, 2, 4])
        #expect(!other.pageIsAuthentic(1))
        #expect(other.log.openHeader() == nil)
    }

    @Test func lesson14anEmptiedDatabaseBesideItsLogIsAnErrorAndTheLogStays() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: 60)
        try database.checkpoint()
        try database.queue.write { try $0.execute(sql: "UPDATE item SET text = 'newer' WHERE id = 1") }
        let crashed = try fixture.crashCopy()
        let log = try crashed.bytes(crashed.logPath)
        try crashed.change(crashed.databasePath) { $0 = [] }
        #expect(throws: (any Error).self) { try crashed.open().count() }
        #expect(try crashed.bytes(crashed.logPath) == log)
    }
}
