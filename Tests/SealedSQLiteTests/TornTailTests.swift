// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import Testing

@testable import SealedSQLite

/// docs/decisions/0003: the end of a log that is not whole is dropped, and never without a word.
struct TornTailTests {
    /// Three commits of 20 rows each, not checkpointed; the log's size after each.
    private func threeCommits(_ fixture: SealedFixture) throws -> (database: SealedDatabase, ends: [Int]) {
        let database = try fixture.open()
        let ends = try (0..<3).map { _ in
            try database.fill(rows: 20)
            return Int(database.storage.durableLogByteCount)
        }
        return (database, ends)
    }

    private func opened(_ fixture: SealedFixture, _ body: (inout [UInt8]) -> Void) throws -> SealedDatabase {
        let crashed = try fixture.crashCopy()
        try crashed.change(crashed.logPath, body)
        return try crashed.open()
    }

    @Test func A07aLastTransactionThatIsCutZeroedOrChangedIsDroppedAndTold() throws {
        let fixture = try SealedFixture()
        let (database, ends) = try threeCommits(fixture)
        let frame = LogSealer.frameByteCount
        let damages: [(String, Int, (inout [UInt8]) -> Void)] = [
            ("cut in its last frame", ends[2] - ends[1] - 1, { $0.removeLast() }),
            ("cut to a part of its first frame", 1, { $0.removeSubrange((ends[1] + 1)...) }),
            ("cut to one whole frame", frame, { $0.removeSubrange((ends[1] + frame)...) }),
            (
                "last frame zeroed", ends[2] - ends[1],
                { $0.replaceSubrange((ends[2] - frame)..<ends[2], with: repeatElement(0, count: frame)) }
            ),
            ("last frame changed", ends[2] - ends[1], { $0[ends[2] - 5] ^= 1 }),
            (
                "zeros behind the end", ends[2] - ends[1],
                { $0.replaceSubrange(ends[1]..., with: repeatElement(0, count: ends[2] - ends[1])) }
            ),
        ]
        for (name, byteCount, damage) in damages {
            let again = try opened(fixture, damage)
            let tail = try #require(again.tornTail, "\(name)")
            #expect(tail.byteCount == byteCount, "\(name)")
            #expect(tail.frameCount == (byteCount + frame - 1) / frame, "\(name)")
            #expect(tail.lastWritten > 1_600_000_000_000, "\(name)")
            #expect(try again.logDamage == nil && again.count() == 40, "\(name)")
        }
        withExtendedLifetime(database) {}
    }

    @Test func aLogThatEndsWithACommitSaysNothing() throws {
        let fixture = try SealedFixture()
        let (database, ends) = try threeCommits(fixture)
        #expect(try fixture.crashCopy().open().tornTail == nil)
        #expect(try opened(fixture) { $0.removeSubrange(ends[1]...) }.tornTail == nil, "as if it had not begun")
        #expect(try opened(fixture) { $0 = [] }.tornTail == nil)
        try database.checkpoint()
        try database.close()
        #expect(try fixture.open().tornTail == nil)
    }

    /// The first transaction of a log: before its header is whole nothing is vouched for either.
    @Test func A07aLogOfWhichOnlyAPartOfTheHeaderIsLeftIsTold() throws {
        let fixture = try SealedFixture()
        let (database, _) = try threeCommits(fixture)
        let again = try opened(fixture) { $0.removeSubrange(71...) }
        let tail = try #require(again.tornTail)
        #expect(tail.frameCount == 0 && tail.byteCount == 71)
        withExtendedLifetime(database) {}
    }

    @Test func damageThatIsAcceptedIsNotToldTwice() throws {
        let fixture = try SealedFixture()
        let (database, ends) = try threeCommits(fixture)
        let crashed = try fixture.crashCopy()
        try crashed.change(crashed.logPath) { $0[ends[0] + 30] ^= 1 }
        let again = try crashed.open(acceptingDamage: true)
        #expect(again.logDamage != nil && again.tornTail == nil)
        withExtendedLifetime(database) {}
    }
}
