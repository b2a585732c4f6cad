// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Glibc
import Testing

@testable import SealedSQLite

/// ThreatModel J01, J02: pages, maps and both put back as they were. Each page is authentic by itself.
struct OldPageTests {
    /// Closed, with its files of before.
    private func twoStates() throws -> (now: MappedFixture, before: MappedFixture, changed: [Int]) {
        let fixture = try MappedFixture.filled(300)
        let before = try fixture.crashCopy()
        let database = try fixture.open()
        for part in 0..<3 {
            try database.queue.write {
                try $0.execute(sql: "UPDATE t SET x = zeroblob(50 + id) WHERE id % 20 = ?", arguments: [part])
            }
            try fixture.checkpoint(database)
        }
        try database.close()
        let count = try before.files.bytes(before.files.databasePath).count / 4096
        let changed = try (1...count).filter { try before.page($0) != fixture.page($0) }
        try #require(changed.count > 40)
        return (fixture, before, changed)
    }

    /// Reads every row with next to no cache.
    private func expectRefusedOr(_ rows: [Data], _ fixture: MappedFixture, _ what: Comment) throws {
        do {
            let database = try fixture.open(cacheKiB: 40)
            defer { try? database.close() }
            #expect(try fixture.rows(database) == rows, what)
            Issue.record("nothing was refused: \(what)")
        } catch let error as DatabaseError {
            #expect(SealedDatabase.translated(error).isOfOldPage, what)
        } catch let error as SealedSQLiteError {
            #expect(error.code == .damaged, what)
        }
    }

    @Test func J02eachOldPageAloneIsRefused() throws {
        let (now, before, changed) = try twoStates()
        let rows = try now.rows(now.open())
        for page in changed {
            let copy = try now.crashCopy()
            try copy.put(before.page(page), page: page)
            let storage = try copy.files.storage()
            try storage.openMap(MappedFixture.mapName, root: #require(copy.root))
            #expect(storage.state(ofPage: UInt32(page)) == .old, "page \(page)")
            #expect(storage.state(ofPage: UInt32(page == 5 ? 6 : 5)) == .whole)
            if page % 10 == 0 { try expectRefusedOr(rows, copy, "page \(page)") }
        }
    }

    @Test func J01anySetOfOldPagesIsRefused() throws {
        let (now, before, changed) = try twoStates()
        let rows = try now.rows(now.open())
        let copy = try now.crashCopy()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<12 {
            let some = changed.filter { _ in Bool.random(using: &generator) }
            guard !some.isEmpty else { continue }
            for page in some { try copy.put(before.page(page), page: page) }
            try expectRefusedOr(rows, copy, "\(some)")
            for page in some { try copy.put(now.page(page), page: page) }
        }
        // All but one.
        for page in changed where page != 2 { try copy.put(before.page(page), page: page) }
        try expectRefusedOr(rows, copy, "all but page 2")
        try copy.put(before.page(2), page: 2)
        try expectRefusedOr(rows, copy, "all")
    }

    /// The map proves nothing by itself: its root is vouched for elsewhere.
    @Test func J01anOldMapChangesNothing() throws {
        let (now, before, changed) = try twoStates()
        let rows = try now.rows(now.open())
        let copy = try now.crashCopy()
        try FileManager.default.removeItem(atPath: copy.mapPath)
        try FileManager.default.copyItem(atPath: before.mapPath, toPath: copy.mapPath)
        #expect(try copy.rows(copy.open()) == rows, "with the right pages it is made again")
        for page in [changed[0], changed[7]] {
            let old = try now.crashCopy()
            try FileManager.default.removeItem(atPath: old.mapPath)
            try FileManager.default.copyItem(atPath: before.mapPath, toPath: old.mapPath)
            try old.put(before.page(page), page: page)
            try expectRefusedOr(rows, old, "the map and page \(page)")
        }
        let all = try now.crashCopy()
        try FileManager.default.removeItem(atPath: all.mapPath)
        try FileManager.default.copyItem(atPath: before.mapPath, toPath: all.mapPath)
        for page in changed { try all.put(before.page(page), page: page) }
        try expectRefusedOr(rows, all, "the map and all pages")
        // Without any map too.
        try FileManager.default.removeItem(atPath: all.mapPath)
        try expectRefusedOr(rows, all, "no map and all pages")
    }

    @Test func J02aPagePutBackUnderARunningDatabaseIsRefused() throws {
        let (now, before, changed) = try twoStates()
        let database = try now.open(cacheKiB: 40)
        #expect(try now.rows(database).count == 300)
        for page in changed.dropFirst(3) {
            let own = try now.page(page)
            try now.put(before.page(page), page: page)
            database.queue.releaseMemory()
            #expect(throws: DatabaseError.self, "page \(page)") { try now.rows(database) }
            try now.put(own, page: page)
        }
        #expect(try now.rows(database).count == 300)
    }

    /// Readers on other threads compare as well: what they are copied, what they read, and what was kept for them.
    @Test func J02anOldPageReachesNoReaderOfAMoment() throws {
        let (now, before, changed) = try twoStates()
        let database = try now.open()
        func reader() throws -> SealedStorage {
            let moment = try database.storage.snapshot(memoryByteCount: 1 << 40)
            return try SealedStorage(
                reading: database.storage.duplicateDescriptor(), at: moment, directory: now.files.directory,
                name: "index.db", pageKey: now.files.pageKey, logKey: now.files.logKey, pageBinding: [1, 2, 3],
                logBinding: [1, 2, 3, 9])
        }
        let first = UInt32(changed[4])
        let storage = try reader()
        #expect(storage.state(ofPage: first) == .whole)
        #expect(try now.rows(database).count == 300)
        try now.put(before.page(changed[4]), page: changed[4])
        #expect(storage.state(ofPage: first) == .old)
        let copied = storage.checkedPages(from: first, count: 1)
        #expect(copied.damaged == [first] && copied.bytes.allSatisfy { $0 == 0 })
        // It is overwritten, out of SQLite's cache, and kept for the reader before: as what it is.
        try database.queue.write { try $0.execute(sql: "UPDATE t SET x = zeroblob(77)") }
        try now.checkpoint(database)
        #expect(database.storage.state(ofPage: first) == .whole && storage.state(ofPage: first) == .old)
        let second = try reader()
        #expect(second.state(ofPage: first) == .whole)
    }

    @Test func J01onTheOwnersWordPagesCountAsTheyAreAndAreCounted() throws {
        let (now, before, changed) = try twoStates()
        for page in changed.prefix(3) { try now.put(before.page(page), page: page) }
        let storage = try now.files.storage()
        try storage.openMap(MappedFixture.mapName, root: #require(now.root), accepting: true)
        let database = try SealedDatabase(storage, syncedByteCount: 0) { _ in }
        #expect(try now.rows(database).count == 300)
        #expect(storage.settleMap() == 3 && storage.map == nil)
        now.root = try storage.buildMap(MappedFixture.mapName)
        try database.close()
        #expect(try now.rows(now.open()).count == 300)
    }
}
