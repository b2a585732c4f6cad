// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SealedSQLite
import Testing
import VaultFormat

@testable import VaultCore

/// A log with damage before changes that were saved: refused, and opened without them on the owner's word alone.
struct DamagedLogTests {
    /// A vault that crashed with five notes in its log, three of them vouched for; where each one's frames end.
    private func crashed() throws -> (vault: TestVault, notes: [NoteID], ends: [Int]) {
        let vault = try TestVault()
        let store = try vault.open()
        var notes: [NoteID] = []
        var ends: [Int] = []
        for number in 0..<5 {
            notes.append(try store.notes.create(NoteDraft(body: "note \(number)")).id)
            ends.append(Int(store.database.storage.durableLogByteCount))
            if number == 2 { try store.recordProgress() }
        }
        return (try TestVault(copying: vault, sharingPins: true), notes, ends)
    }

    private func refuses(_ vault: TestVault) throws {
        let before = try vault.bytes("index-1.db-wal")
        do {
            _ = try vault.open()
            Issue.record("a damaged log was taken")
        } catch let error as VaultError {
            #expect(error.code == .integrity && error.damage == .log)
        }
        #expect(try vault.bytes("index-1.db-wal") == before)
    }

    @Test func aBadFrameInTheMiddleEndsTheLogThereAndNothingElseIsLost() throws {
        let (vault, notes, ends) = try crashed()
        try vault.change("index-1.db-wal") { $0[ends[1] + 100] ^= 1 }
        let damaged = try vault.bytes("index-1.db-wal")
        try refuses(vault)
        var store = try vault.open(acceptLoss: true)
        let loss = try #require(store.loss)
        #expect(!loss.manifestWasMade && loss.hasLostChanges)
        #expect(loss.commitCount == 3, "the commit frames of the third, fourth and fifth note are whole")
        #expect(Set(loss.notes) == Set(notes[2...]))
        #expect(try store.notes.list(NoteFilter(), offset: 0, limit: 9).map(\.id) == [notes[1], notes[0]])
        let kept = try #require(loss.keptLog)
        #expect(kept.hasPrefix("index-1.db-wal.damaged-20") && kept.hasSuffix("Z"))
        #expect(try vault.bytes(kept) == damaged)
        let report = try check(store)
        #expect(report.problems.isEmpty && report.foreign.isEmpty)
        _ = try store.notes.create(NoteDraft(body: "afterwards"))
        try store.end()
        store = try vault.open()
        #expect(store.loss == nil)
        #expect(try store.notes.counts().notes[.live] == 3 && vault.bytes(kept) == damaged)
        try store.end()
    }

    /// The last change was acknowledged, and nothing tells that from one that a power cut ended: so it is told.
    @Test func A07aLastChangeThatDoesNotAuthenticateIsToldAndOnlyOnce() throws {
        let (vault, notes, ends) = try crashed()
        try vault.change("index-1.db-wal") { $0[$0.count - 100] ^= 1 }
        var store = try vault.open()
        let torn = try #require(store.tornLog)
        #expect(torn.byteCount == ends[4] - ends[3] && torn.frameCount * 4120 == torn.byteCount && torn.lastWritten > 0)
        #expect(store.loss == nil)
        #expect(try store.notes.counts().notes[.live] == 4 && store.notes.note(notes[3]).body == "note 3")
        try store.end()
        store = try vault.open()
        #expect(store.tornLog == nil)
        try store.end()
    }

    @Test func aCrashBetweenTwoChangesSaysNothing() throws {
        let (vault, _, _) = try crashed()
        let store = try vault.open()
        #expect(try store.tornLog == nil && store.notes.counts().notes[.live] == 5)
        try store.end()
    }

    @Test func aLogThatIsGoneIsCountedByWhatTheManifestKnew() throws {
        let (vault, _, _) = try crashed()
        try vault.change("index-1.db-wal") { $0 = [] }
        try refuses(vault)
        let store = try vault.open(acceptLoss: true)
        let loss = try #require(store.loss)
        #expect(loss.hasLostChanges && loss.commitCount == 3 && loss.notes.isEmpty && loss.keptLog == nil)
        #expect(try store.notes.counts().notes[.live] == 0)
        try store.end()
        try vault.open().end()
    }

    /// SQLite takes none of it; each frame opens anyway.
    @Test func aLogWithADamagedHeaderIsCountedAndItsNotesNamed() throws {
        let (vault, notes, _) = try crashed()
        try vault.change("index-1.db-wal") { $0[30] ^= 1 }
        let damaged = try vault.bytes("index-1.db-wal")
        try refuses(vault)
        let store = try vault.open(acceptLoss: true)
        let loss = try #require(store.loss)
        #expect(loss.hasLostChanges && loss.commitCount >= 5 && Set(loss.notes) == Set(notes), "\(loss)")
        #expect(try vault.bytes(#require(loss.keptLog)) == damaged)
        #expect(try check(store).problems.isEmpty)
        try store.end()
        try vault.open().end()
    }

    @Test func theWordAloneCostsAWholeVaultNothing() throws {
        let (vault, notes, _) = try crashed()
        let store = try vault.open(acceptLoss: true)
        #expect(store.loss == nil)
        #expect(try store.notes.counts().notes[.live] == notes.count)
        #expect(try !vault.files().contains { $0.contains("damaged") })
        try store.end()
    }

    /// What is lost is not to make a later unlock call the vault older than it was.
    @Test func theGenerationRisesAboveWhatWasLost() throws {
        let (vault, _, ends) = try crashed()
        try vault.change("index-1.db-wal") { $0[ends[0] + 100] ^= 1 }
        let store = try vault.open(acceptLoss: true)
        // Three transactions were vouched for, beside the one that made the vault.
        #expect(try store.notes.counts().generation > 4)
        try store.end()
        try vault.open().end()
    }
}
