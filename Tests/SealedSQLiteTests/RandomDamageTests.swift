// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultTesting

@testable import SealedSQLite

/// Crashes, cuts and damage at random places: every read is right or an error, never other data. Seeded.
struct RandomDamageTests {
    /// A database with a checkpointed past and a log of commits, each of which adds one to every row.
    private struct Victim {
        let fixture: SealedFixture
        let database: [UInt8]
        let log: [UInt8]
        /// Size of the log after each commit.
        let ends: [Int]
        static let rowCount = 40

        init(commits: Int) throws {
            let source = try SealedFixture()
            let live = try source.open()
            try live.queue.write { connection in
                try connection.execute(sql: "CREATE TABLE item(id INTEGER PRIMARY KEY, step INTEGER, pad TEXT)")
                for _ in 0..<Self.rowCount {
                    try connection.execute(sql: "INSERT INTO item(step, pad) VALUES(0, hex(zeroblob(200)))")
                }
            }
            try live.checkpoint()
            var ends: [Int] = []
            for _ in 0..<commits {
                try live.queue.write { try $0.execute(sql: "UPDATE item SET step = step + 1") }
                ends.append(Int(live.storage.durableLogByteCount))
            }
            database = try source.bytes(source.databasePath)
            log = try source.bytes(source.logPath)
            self.ends = ends
            fixture = try source.crashCopy()
        }

        func lay(database: [UInt8]? = nil, log: [UInt8]? = nil) throws {
            try fixture.change(fixture.databasePath) { $0 = database ?? self.database }
            try fixture.change(fixture.logPath) { $0 = log ?? self.log }
        }

        /// The commit whose state all rows show, after everything was read; an error when they differ.
        func state(synced: UInt64 = 0) throws -> Int {
            let opened = try fixture.open(synced: synced)
            defer { try? opened.close() }
            return try opened.queue.read { connection in
                // SQLite puts a page that it could not read into words here.
                guard try String.fetchOne(connection, sql: "PRAGMA integrity_check") == "ok" else {
                    throw SealedSQLiteError(.damaged)
                }
                let rows = try Row.fetchAll(connection, sql: "SELECT id, step, pad FROM item ORDER BY id")
                let steps = Set(rows.map { $0["step"] as Int })
                #expect(rows.count == Self.rowCount && steps.count == 1, "a mixed state")
                #expect(rows.allSatisfy { ($0["pad"] as String).utf8.count == 400 })
                return steps.first ?? -1
            }
        }
    }

    @Test func aLogCutAnywhereShowsTheLastWholeCommit() throws {
        let victim = try Victim(commits: 6)
        var random = SeededGenerator(1)
        let random40 = (0..<40).map { _ in Int.random(in: 0...victim.log.count, using: &random) }
        let cuts = random40 + victim.ends + victim.ends.map { $0 - 1 } + [0, 1, 71, 72, 73]
        for cut in cuts {
            try victim.lay(log: Array(victim.log[..<cut]))
            #expect(try victim.state() == victim.ends.filter { $0 <= cut }.count, "cut at \(cut)")
        }
    }

    @Test func garbageBehindTheLastCommitIsForgotten() throws {
        let victim = try Victim(commits: 3)
        var random = SeededGenerator(2)
        for count in [1, 500, 4119, 4120, 4121, 9000] {
            let garbage = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            try victim.lay(log: victim.log + garbage)
            #expect(try victim.state(synced: UInt64(victim.ends[2])) == 3)
            try victim.lay(log: victim.log + [UInt8](repeating: 0, count: count))
            #expect(try victim.state(synced: UInt64(victim.ends[2])) == 3)
        }
    }

    @Test func pagesThatACheckpointToreAreMadeWholeFromTheLog() throws {
        let victim = try Victim(commits: 4)
        try victim.lay()
        let done = try victim.fixture.open()
        try done.checkpoint()
        try done.close()
        let after = try victim.fixture.bytes(victim.fixture.databasePath)
        let before = victim.database
        let changed = stride(from: 0, to: after.count, by: 4096).filter {
            after[$0..<$0 + 4096] != before[$0..<min($0 + 4096, before.count)]
        }
        #expect(!changed.isEmpty)
        var random = SeededGenerator(3)
        for _ in 0..<25 {
            var mixed = after
            for page in changed {
                let whole = Int.random(in: 0...8, using: &random) * 512
                mixed.replaceSubrange(page + whole..<page + 4096, with: victim.database[page + whole..<page + 4096])
            }
            try victim.lay(database: mixed)
            #expect(try victim.state(synced: UInt64(victim.ends[3])) == 4)
        }
    }

    @Test func threeHundredFlippedBitsAreSeenOrHarmless() throws {
        let victim = try Victim(commits: 5)
        // All but the last commit was vouched for.
        let synced = UInt64(victim.ends[3])
        var random = SeededGenerator(4)
        var refused = 0
        for round in 0..<300 {
            var (database, log) = (victim.database, victim.log)
            let bit = UInt8(1) << UInt8.random(in: 0...7, using: &random)
            if round % 2 == 0 {
                database[Int.random(in: 0..<database.count, using: &random)] ^= bit
            } else {
                log[Int.random(in: 0..<log.count, using: &random)] ^= bit
            }
            try victim.lay(database: database, log: log)
            do {
                let state = try victim.state(synced: synced)
                #expect(state == 5 || (state == 4 && round % 2 == 1), "round \(round)")
            } catch { refused += 1 }
        }
        // Every page but those that the log holds anew, and every frame but the last commit's, is looked at.
        #expect(refused > 100)
    }
}
