// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

@testable import SealedSQLite

/// A salvage of files that somebody made huge holds no more than what opens in them.
struct PageSalvageLimitTests {
    private func salvage(_ fixture: SealedFixture) throws -> PageSalvage {
        try PageSalvage(
            directory: fixture.directory, name: "index.db", pageKey: fixture.pageKey, logKey: fixture.logKey,
            pageBinding: [1, 2, 3], logBinding: [1, 2, 3, 9], logSalts: [fixture.salt])
    }

    private func filled(rows: Int = 40) throws -> (SealedFixture, SealedDatabase) {
        let fixture = try SealedFixture()
        let database = try fixture.open()
        try database.fill(rows: rows)
        return (fixture, database)
    }

    @Test func lostPagesBeyondALimitAreCountedAndNotNamed() throws {
        let (fixture, database) = try filled()
        try database.checkpoint()
        let whole = Int(database.storage.pageCount)
        try #require(unsafe truncate(fixture.databasePath, (100_050 + whole) * 4096) == 0)
        let pages = try salvage(fixture)
        while pages.survey(pageCount: 1000) {}
        #expect(pages.lostPageCount == 100_050 && pages.lostPages.count == PageSalvage.namedPageCountMax)
        #expect(pages.newest.count == whole)
    }

    @Test func aLogIsReadInStepsAndNotBeyondItsLimit() throws {
        let (fixture, database) = try filled()
        let log = database.storage.log
        let (size, header) = (log.file.byteCount, LogSealer.sealedHeaderByteCount)
        let whole = SalvagedLog(log, salts: [fixture.salt])
        #expect(whole.frameCount == (size - header) / LogSealer.frameByteCount)
        var steps = 0
        while whole.read(frameCount: 2) > 0 { steps += 1 }
        #expect(steps == (whole.frameCount + 1) / 2 && !whole.endIsLost && whole.lostFrames == 0)
        let cut = SalvagedLog(log, salts: [fixture.salt], byteCountMax: size - 1)
        while cut.read(frameCount: 100) > 0 {}
        #expect(cut.frameCount == whole.frameCount - 1 && cut.endIsLost)
        #expect(SalvagedLog(log, salts: [fixture.salt], byteCountMax: 1).frameCount == 0)
    }

    /// Frames that do not open behind those that do.
    @Test func aSparseLogHoldsWhatOpens() throws {
        let (fixture, database) = try filled()
        let log = database.storage.log
        let frames = SalvagedLog(log, salts: [fixture.salt]).frameCount
        let path = fixture.databasePath + "-wal"
        try #require(unsafe truncate(path, LogFile.frameOffset(frames + 20_000)) == 0)
        let sparse = SalvagedLog(log, salts: [fixture.salt])
        while sparse.read(frameCount: 1000) > 0 {}
        #expect(sparse.lostFrames == 20_000 && sparse.endIsLost && sparse.uncommitted.isEmpty)
        #expect(sparse.committed.values.reduce(0) { $0 + $1.count } == frames)
        let pages = try salvage(fixture)
        #expect(pages.logByteCount == LogFile.frameOffset(frames + 20_000) && pages.frameCount == frames + 20_000)
        #expect(pages.survey(pageCount: 10) && pages.newest.isEmpty, "the log comes first")
        while pages.survey(pageCount: 1000) {}
        #expect(!pages.newest.isEmpty && pages.lostPageCount == 0)
    }

    @Test func aLogThatIsNotThereIsToldFromAnEmptyOne() throws {
        let (fixture, database) = try filled()
        try database.checkpoint()
        #expect(try salvage(fixture).logByteCount == 0)
        try FileManager.default.removeItem(atPath: fixture.databasePath + "-wal")
        #expect(try salvage(fixture).logByteCount == nil)
    }
}
