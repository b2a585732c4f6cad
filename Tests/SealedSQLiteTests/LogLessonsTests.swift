// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing

@testable import SealedSQLite
@testable import VaultCrypto

/// docs/sealed-sqlite.md §1, §3 and §4: what the write-ahead log may show, hold and lose.
struct LogLessonsTests {
    /// Five commits of 20 rows each, not checkpointed; the log's size after each.
    private func fiveCommits(_ fixture: SealedFixture) throws -> (database: SealedDatabase, ends: [Int]) {
        let database = try fixture.open()
        var ends: [Int] = []
        for _ in 0..<5 {
            try database.fill(rows: 20)
            ends.append(Int(database.storage.durableLogByteCount))
        }
        return (database, ends)
    }

    @Test func lesson01noChecksumOfPlaintextLiesInTheLog() throws {
        let fixture = try SealedFixture()
        let (database, ends) = try fiveCommits(fixture)
        let raw = try fixture.bytes(fixture.logPath)
        let log = database.storage.log
        let header = try #require(log.openHeader())
        #expect(raw.firstRange(of: header[16..<32]) == nil)
        let frames = (ends[4] - LogSealer.sealedHeaderByteCount) / LogSealer.frameByteCount
        #expect(frames >= 15)
        for index in 0..<frames {
            #expect(log.openFrame(index))
            let checksum = log.openedContent[16..<24]
            #expect(checksum.contains { $0 != 0 })
            #expect(raw.firstRange(of: checksum) == nil, "frame \(index)")
        }
    }

    @Test func lesson01partOfAFrameHeaderIsOpenedToo() throws {
        let fixture = try SealedFixture()
        let (database, _) = try fiveCommits(fixture)
        let log = database.storage.log
        #expect(log.openFrame(2))
        let whole = log.openedContent
        var part = [UInt8](repeating: 0xEE, count: 8)
        let offset = LogSealer.headerByteCount + 2 * LogSealer.frameByteCount + 16
        let result = unsafe part.withUnsafeMutableBytes { unsafe log.read(into: $0, at: offset) }
        #expect(result == .whole)
        #expect(part == Array(whole[16..<24]))
    }

    @Test func lesson03framesThatWereRewrittenInPlaceOpenAfterACrash() throws {
        let fixture = try SealedFixture()
        let database = try fixture.open(cacheKiB: 40)
        try database.fill(rows: 400)
        try database.queue.write { try $0.execute(sql: "UPDATE item SET text = text || 'y'") }
        try database.queue.write { connection in
            try connection.execute(sql: "UPDATE item SET text = text || 'z' WHERE id % 2 = 0")
            try connection.execute(sql: "UPDATE item SET text = text || 'z' WHERE id % 2 = 0")
        }
        let again = try fixture.crashCopy().open()
        let rewritten = try again.queue.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM item WHERE text LIKE '%yzz'")
        }
        #expect(rewritten == 200)
        #expect(try again.queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test func lesson03framesOfTheLogBeforeARestartAreNotTakenForThisLogs() throws {
        let fixture = try SealedFixture()
        let (database, ends) = try fiveCommits(fixture)
        try database.queue.inDatabase { _ = try $0.checkpoint(.restart) }
        try database.fill(rows: 1)
        #expect(try fixture.bytes(fixture.logPath).count == ends[4], "the old frames are still behind the new ones")
        #expect(try fixture.crashCopy().open().count() == 101)
    }

    /// Where a program is running: a frame of the log before, in its place under the same salt of the manifest.
    @Test func lesson03aFrameOfTheLogBeforeIsRefusedWhenItIsRead() throws {
        let fixture = try SealedFixture()
        let (database, _) = try fiveCommits(fixture)
        let old = try fixture.bytes(fixture.logPath)
        try database.queue.inDatabase { _ = try $0.checkpoint(.restart) }
        try database.queue.write { try $0.execute(sql: "UPDATE item SET text = 'newer'") }
        let log = database.storage.log
        var page = [UInt8](repeating: 0, count: PageFile.pageByteCount)
        let at = LogSealer.headerByteCount + 2 * LogSealer.frameByteCount + LogSealer.frameHeaderByteCount
        #expect(unsafe page.withUnsafeMutableBytes { unsafe log.read(into: $0, at: at) } == .whole)
        let place = LogFile.frameOffset(2)..<LogFile.frameOffset(3)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: fixture.logPath))
        try handle.seek(toOffset: UInt64(place.lowerBound))
        try handle.write(contentsOf: Data(old[place]))
        try handle.close()
        #expect(log.openFrame(2), "it is authentic")
        #expect(unsafe page.withUnsafeMutableBytes { unsafe log.read(into: $0, at: at) } == .notAuthentic)
        #expect(throws: (any Error).self) { try database.storage.snapshot(memoryByteCount: 1 << 20) }
    }

    /// An earlier program bound frames to the salts of the log's header; what is added binds in the same way.
    @Test func lesson03aLogOfAnEarlierProgramIsReadAndGoesOn() throws {
        let fixture = try SealedFixture()
        let (database, ends) = try fiveCommits(fixture)
        let earlier = try fixture.crashCopy()
        let log = database.storage.log
        let header = try #require(log.openHeader())
        let sealer = try XAES256GCM(fixture.logKey)
        for index in 0..<(ends[4] - LogFile.frameOffset(0)) / LogSealer.frameByteCount {
            #expect(log.openFrame(index))
            let nonce = try SecureRandom.bytes(24)
            let number = (0..<8).map { UInt8(truncatingIfNeeded: (index + 1) >> (56 - 8 * $0)) }
            let data = [1, 2, 3, 9] + fixture.salt + number + header[16..<24]
            var frame = nonce + [UInt8](repeating: 0, count: LogSealer.frameByteCount - 24)
            try unsafe frame.withUnsafeMutableBytes { raw in
                try unsafe nonce.withUnsafeBytes { nonce in
                    try unsafe data.withUnsafeBytes { data in
                        try unsafe log.openedContent.withUnsafeBytes { content in
                            try unsafe sealer.seal(
                                nonce: nonce, associatedData: data, content,
                                into: UnsafeMutableRawBufferPointer(rebasing: raw[24..<4104]),
                                tag: UnsafeMutableRawBufferPointer(rebasing: raw[4104...]))
                        }
                    }
                }
            }
            try earlier.change(earlier.logPath) {
                $0.replaceSubrange(LogFile.frameOffset(index)..<LogFile.frameOffset(index + 1), with: frame)
            }
        }
        let again = try earlier.open(synced: UInt64(ends[4]))
        #expect(try again.count() == 100)
        try again.fill(rows: 7)
        #expect(try earlier.crashCopy().open().count() == 107)
    }

    @Test func lesson04aFlippedBitInTheMiddleOfTheLogIsDamageNotSilence() throws {
        let fixture = try SealedFixture()
        let (_, ends) = try fiveCommits(fixture)
        for at in [80, ends[0] + 30, ends[1] + 2000, ends[2] - 3, ends[3] - 1] {
            let crashed = try fixture.crashCopy()
            try crashed.change(crashed.logPath) { $0[at] ^= 1 }
            #expect(throws: SealedSQLiteError(.damaged), "byte \(at)") { try crashed.open() }
        }
    }

    /// On the owner's word alone; what stood behind the damage is counted, and the log begins anew afterwards.
    @Test func lesson04aDamagedLogEndsAtTheCommitBeforeWhereThatIsAccepted() throws {
        let fixture = try SealedFixture()
        let (_, ends) = try fiveCommits(fixture)
        for (at, rows, commits) in [(80, 0, 5), (ends[1] + 30, 40, 3), (ends[2] - 3, 40, 2), (ends[3] - 1, 60, 1)] {
            let crashed = try fixture.crashCopy()
            try crashed.change(crashed.logPath) { $0[at] ^= 1 }
            let opened = try crashed.open(acceptingDamage: true)
            let damage = try #require(opened.logDamage)
            #expect(damage.commitCount == commits, "byte \(at)")
            var pages = 0
            opened.storage.forEachLostPage(damage) { page in
                #expect(page.count == PageFile.usableByteCount)
                pages += 1
            }
            #expect(pages >= commits)
            if rows > 0 { #expect(try opened.count() == rows, "byte \(at)") }
            try opened.checkpoint()
            #expect(try crashed.bytes(crashed.logPath).isEmpty)
            try opened.close()
            let again = try crashed.open()
            #expect(again.logDamage == nil)
            if rows > 0 { #expect(try again.count() == rows) }
        }
        let whole = try fixture.crashCopy().open(synced: UInt64(ends[4]), acceptingDamage: true)
        #expect(try whole.logDamage == nil && whole.count() == 100)
    }

    @Test func lesson04aLogCutBelowWhatTheManifestVouchesForIsDamage() throws {
        let fixture = try SealedFixture()
        let (_, ends) = try fiveCommits(fixture)
        let crashed = try fixture.crashCopy()
        try crashed.change(crashed.logPath) { $0.removeSubrange((ends[3] - 1)...) }
        #expect(throws: SealedSQLiteError(.damaged)) { try crashed.open(synced: UInt64(ends[3])) }
        #expect(try crashed.open(synced: UInt64(ends[2])).count() == 60)
    }

    @Test func lesson04aLastTransactionThatLostASectorIsTornAndNotDamage() throws {
        let fixture = try SealedFixture()
        let (_, ends) = try fiveCommits(fixture)
        let sector = (ends[3] / 512 + 2) * 512
        let torn = try fixture.crashCopy()
        try torn.change(torn.logPath) { $0.replaceSubrange(sector..<sector + 512, with: repeatElement(0, count: 512)) }
        #expect(try torn.open(synced: UInt64(ends[3])).count() == 80)

        let changed = try fixture.crashCopy()
        try changed.change(changed.logPath) { $0[sector] ^= 1 }
        #expect(throws: SealedSQLiteError(.damaged), "no sector of zeros: nobody's power failed") {
            try changed.open(synced: UInt64(ends[3]))
        }
    }

    @Test func lesson04aSectorLostBeforeAnAcknowledgedCommitIsDamage() throws {
        let fixture = try SealedFixture()
        let (_, ends) = try fiveCommits(fixture)
        let sector = (ends[1] / 512 + 2) * 512
        let crashed = try fixture.crashCopy()
        try crashed.change(crashed.logPath) {
            $0.replaceSubrange(sector..<sector + 512, with: repeatElement(0, count: 512))
        }
        #expect(throws: SealedSQLiteError(.damaged)) { try crashed.open() }
    }
}
