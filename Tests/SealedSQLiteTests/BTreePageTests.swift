// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import Testing
import VaultTesting

@testable import SealedSQLite

/// Cells as SQLite writes them are read without it, and what is no cell is passed by.
struct BTreePageTests {
    /// A database with rows in a page, in overflow pages, and in a table without rowids.
    private func filled() throws -> (SealedFixture, SealedDatabase) {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.queue.write { connection in
            try connection.execute(
                sql: "CREATE TABLE row(id BLOB NOT NULL UNIQUE, number INTEGER, text TEXT, bytes BLOB)")
            try connection.execute(sql: "CREATE TABLE pair(a BLOB, b INTEGER, c BLOB, PRIMARY KEY(a, b)) WITHOUT ROWID")
            for number in 0..<200 {
                try connection.execute(
                    sql: "INSERT INTO row VALUES(randomblob(16), ?, ?, zeroblob(?))",
                    arguments: [number * 1_000_003 - 7, "text \(number)", number * number / 4])
                try connection.execute(
                    sql: "INSERT INTO pair VALUES(x'0102', ?, zeroblob(?))", arguments: [number, number * 10])
            }
        }
        return (fixture, database)
    }

    private func rows(_ pages: PageSalvage) -> (tables: [Int64: SalvagedRecord], pairs: [Int64: SalvagedRecord]) {
        while pages.survey(pageCount: 7) {}
        var (tables, pairs): ([Int64: SalvagedRecord], [Int64: SalvagedRecord]) = ([:], [:])
        for version in pages.newest {
            pages.forEachCell(of: version) { cell in
                for (record, position) in pages.records(of: cell) {
                    #expect(pages.record(at: position)?.count == record.count)
                    if cell.columns.count == 4, cell.columns[0].isBlob(of: 16), let number = record.integer(1) {
                        tables[number] = record
                    }
                    if cell.columns.count == 3, cell.columns[0].isBlob(of: 2), let number = record.integer(1) {
                        pairs[number] = record
                    }
                }
            }
        }
        return (tables, pairs)
    }

    @Test(arguments: [false, true]) func everyRowThatSQLiteWroteIsFound(_ isInLog: Bool) throws {
        let (fixture, database) = try filled()
        if !isInLog { try database.checkpoint() }
        let pages = try fixture.salvage()
        let (tables, pairs) = rows(pages)
        #expect(tables.count == 200 && pairs.count == 200 && pages.lostPages.isEmpty && pages.lostFrames == 0)
        for number in 0..<200 {
            let row = try #require(tables[Int64(number * 1_000_003 - 7)])
            #expect(row.text(2) == "text \(number)" && row.blob(3)?.count == number * number / 4)
            #expect(pairs[Int64(number)]?.blob(2)?.count == number * 10)
        }
    }

    @Test func aLostPageCostsItsRowsAlone() throws {
        let (fixture, database) = try filled()
        try database.checkpoint()
        let all = rows(try fixture.salvage()).tables.count
        for page in [1, 2, 3, 9, 20] {
            try fixture.flip(page: page)
            let pages = try fixture.salvage()
            let found = rows(pages).tables.count
            #expect(pages.lostPages == [UInt32(page)] && found > all - 60)
            try fixture.flip(page: page)
        }
    }

    @Test func hostilePagesNeverTrapAndHoldNoMoreThanTheyAre() throws {
        let (_, database) = try filled()
        try database.checkpoint()
        var generator = SeededGenerator(25)
        let storage = database.storage
        for _ in 0..<4000 {
            let number = UInt32.random(in: 1...storage.pageCount, using: &generator)
            guard var bytes = storage.openedPage(number) else { continue }
            for _ in 0..<Int.random(in: 1...30, using: &generator) {
                // The header and the pointers most of all.
                let end = Bool.random(using: &generator) ? 200 : bytes.count
                bytes[Int.random(in: 0..<end, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let page = BTreePage(bytes, number: number) else { continue }
            for index in 0..<page.cellCount {
                guard let cell = page.cell(index) else { continue }
                let local = Array(page.localPart(cell))
                #expect(local.count <= 4056)
                guard SalvagedColumn.list(local, payloadByteCount: cell.payloadByteCount) != nil,
                    let record = SalvagedRecord(payload: local, rowID: cell.rowID)
                else { continue }
                for column in -1...record.count {
                    _ = (record.integer(column), record.text(column), record.blob(column))
                }
            }
        }
    }

    /// An authentic page whose cell claims a chain of overflow pages that leads back to itself.
    @Test func aChainThatLeadsBackEnds() throws {
        let (fixture, database) = try filled()
        try database.checkpoint()
        let storage = database.storage
        var looped = 0
        for number in 2...storage.pageCount {
            guard var page = storage.openedPage(number), page[0] == 0, page[3] != 0 || page[2] != 0 else { continue }
            page.replaceSubrange(0..<4, with: [0, 0, UInt8(number >> 8), UInt8(number & 0xFF)])
            #expect(unsafe page.withUnsafeBytes { unsafe storage.pages.writePage(number, $0) == .whole })
            looped += 1
        }
        #expect(looped > 0)
        let found = rows(try fixture.salvage())
        #expect(found.tables.count < 200 && found.tables.count > 50)
    }
}

extension SealedFixture {
    fileprivate func salvage() throws -> PageSalvage {
        try PageSalvage(
            directory: directory, name: "index.db", pageKey: pageKey, logKey: logKey, pageBinding: [1, 2, 3],
            logBinding: [1, 2, 3, 9], logSalts: [[UInt8](repeating: 1, count: 32), salt])
    }

    fileprivate func flip(page: Int) throws { try change(databasePath) { $0[(page - 1) * 4096 + 77] ^= 1 } }
}
