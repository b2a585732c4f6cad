// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultFormat

@testable import VaultCore

/// ThreatModel A07 and docs/sealed-sqlite.md §14: parts of a vault put back one by one. Every file is authentic by
/// itself.
struct RollbackTests {
    /// A closed vault and a closed copy from before its last notes, with the same pins gone.
    private func twoStates() throws -> (vault: TestVault, earlier: TestVault) {
        let vault = try TestVault()
        var store = try vault.open()
        for number in 0..<5 { _ = try store.notes.create(NoteDraft(body: "first \(number)")) }
        try store.end()
        let earlier = try TestVault(copying: vault)
        store = try vault.open()
        for number in 0..<5 { _ = try store.notes.create(NoteDraft(body: "later \(number)")) }
        try store.end()
        return (vault, earlier)
    }

    private func copy(_ name: String, from source: TestVault, to target: TestVault) throws {
        let bytes = try source.bytes(name)
        try target.change(name) { $0 = bytes }
    }

    @Test func A07anOldIndexUnderANewManifestIsRefused() throws {
        let (vault, earlier) = try twoStates()
        try copy("index-1.db", from: earlier, to: vault)
        expect(.integrity) { try vault.open() }
    }

    @Test func A07anOldIndexOfEqualSizeIsRefusedByItsGeneration() throws {
        let vault = try TestVault()
        var store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "first"))
        try store.end()
        let earlier = try TestVault(copying: vault)
        store = try vault.open()
        _ = try store.notes.setTrashed(note.id, true)
        _ = try store.notes.setTrashed(note.id, false)
        try store.end()
        // Cut or filled to the size that the manifest knows.
        let size = try vault.bytes("index-1.db").count
        try #require(try earlier.bytes("index-1.db").count == size, "the test needs two states of one size")
        try copy("index-1.db", from: earlier, to: vault)
        expect(.integrity) { try vault.open() }
    }

    @Test func A07anOldManifestUnderANewIndexIsRefused() throws {
        let (vault, earlier) = try twoStates()
        for name in ManifestFile.names { try copy(name, from: earlier, to: vault) }
        expect(.rollback, "this account has seen the newer one") { try vault.open() }
    }

    @Test func A07oldIndexAndManifestTogetherAreARollback() throws {
        let (vault, earlier) = try twoStates()
        for name in ["index-1.db", "index-1.db-wal"] + ManifestFile.names { try copy(name, from: earlier, to: vault) }
        expect(.rollback) { try vault.open() }
    }

    @Test func lesson14anEmptiedOrMissingIndexIsRefused() throws {
        let vault = try TestVault()
        try vault.change("index-1.db") { $0 = [] }
        expect(.integrity) { try vault.open() }
        let other = try TestVault()
        try FileManager.default.removeItem(at: other.folder.appending(path: "index-1.db"))
        expect(.integrity) { try other.open() }
    }

    /// The last page is one that no look at the vault's opening needs: only its size tells.
    @Test func lesson14aClosedIndexOfAnotherSizeThanItsManifestSaysIsRefused() throws {
        let (vault, _) = try twoStates()
        let shorter = try TestVault(copying: vault)
        try shorter.change("index-1.db") { $0.removeLast(4096) }
        expect(.integrity) { try shorter.open() }
        let longer = try TestVault(copying: vault)
        try longer.change("index-1.db") { $0 += [UInt8](repeating: 0, count: 4096) }
        expect(.integrity) { try longer.open() }
        try vault.open().end()
    }

    /// A vault that crashed with notes in its log, some vouched for by the manifest.
    private func crashed() throws -> TestVault {
        let vault = try TestVault()
        let store = try vault.open()
        for number in 0..<3 { _ = try store.notes.create(NoteDraft(body: "in the log \(number)")) }
        try store.recordProgress()
        _ = try store.notes.create(NoteDraft(body: "not vouched for"))
        return try TestVault(copying: vault)
    }

    @Test func lesson14aLogThatWasTakenAwayIsMissed() throws {
        let vault = try crashed()
        try vault.change("index-1.db-wal") { $0 = [] }
        expect(.integrity) { try vault.open() }
        let other = try crashed()
        try FileManager.default.removeItem(at: other.folder.appending(path: "index-1.db-wal"))
        expect(.integrity) { try other.open() }
    }

    @Test func lesson14aLogCutBelowTheManifestsSizeIsDamage() throws {
        let vault = try crashed()
        let whole = try TestVault(copying: vault)
        #expect(try whole.open().notes.counts().notes[.live] == 4)
        let size = try vault.bytes("index-1.db-wal").count
        let tail = try TestVault(copying: vault)
        try tail.change("index-1.db-wal") { $0.removeLast(1) }
        #expect(try tail.open().notes.counts().notes[.live] == 3, "only what nobody vouched for is gone")
        let cut = try TestVault(copying: vault)
        try cut.change("index-1.db-wal") { $0.removeLast(size / 2) }
        expect(.integrity) { try cut.open() }
    }

    @Test func lesson14theLogOfAnEarlierSessionIsRefused() throws {
        let vault = try TestVault()
        var store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "first"))
        let old = try vault.bytes("index-1.db-wal")
        #expect(!old.isEmpty)
        try store.end()
        store = try vault.open()
        _ = try store.notes.edit(note.id) { $0.body = "second" }
        try store.end()
        try vault.change("index-1.db-wal") { $0 = old }
        expect(.integrity, "a closed vault has no log") { try vault.open() }

        try vault.change("index-1.db-wal") { $0 = [] }
        store = try vault.open()
        let crashed = try TestVault(copying: vault)
        try crashed.change("index-1.db-wal") { $0 = old }
        expect(.integrity, "an open one has another") { try crashed.open() }
        try store.end()
    }
}
