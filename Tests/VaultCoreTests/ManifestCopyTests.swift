// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultFormat

@testable import VaultCore

/// Either copy of the manifest is enough, whatever happens to the other and whenever the power goes.
struct ManifestCopyTests {
    private func bodies(_ store: OpenVault) throws -> Set<String> {
        try Set(store.notes.list(NoteFilter(), offset: 0, limit: 100).map { try store.notes.note($0.id).body })
    }

    private func isMended(_ vault: TestVault) throws -> Bool {
        try vault.bytes("manifest") == vault.bytes("manifest.2")
    }

    /// A damage of one copy, to be tried on a vault that was left in any state.
    private static let damages: [(words: String, apply: @Sendable (TestVault) throws -> Void)] = [
        ("none", { _ in }),
        ("the first gone", { try $0.remove("manifest") }),
        ("the first changed", { try $0.change("manifest") { $0[100] ^= 1 } }),
        ("the second gone", { try $0.remove("manifest.2") }),
        ("the second empty", { try $0.change("manifest.2") { $0 = [] } }),
    ]

    @Test(arguments: ManifestFile.names) func A01aFlippedByteAnywhereInOneCopyIsMended(name: String) throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "kept"))
        try store.end()
        for at in stride(from: 0, to: try vault.bytes(name).count, by: 9) {
            try vault.change(name) { $0[at] ^= 0x10 }
            let opened = try vault.open()
            #expect(opened.loss == nil && !opened.isReadOnly)
            #expect(try bodies(opened) == ["kept"] && isMended(vault), "byte \(at)")
            try opened.end()
        }
    }

    @Test func withoutEitherCopyTheVaultOpensOnItsOwnersWordAlone() throws {
        let vault = try TestVault()
        var store = try vault.open()
        for number in 0..<3 { _ = try store.notes.create(NoteDraft(body: "\(number)")) }
        try store.end()
        try vault.remove("manifest")
        try vault.change("manifest.2") { $0[60] ^= 1 }
        do {
            _ = try vault.open()
            Issue.record("opened without a manifest")
        } catch let error as VaultError {
            #expect(error.code == .integrity && error.damage == .manifest)
        }
        store = try vault.open(acceptLoss: true)
        let loss = try #require(store.loss)
        #expect(loss.manifestWasMade && !loss.hasLostChanges && loss.commitCount == 0 && loss.keptLog == nil)
        #expect(try bodies(store) == ["0", "1", "2"] && isMended(vault))
        #expect(try check(store).problems.isEmpty)
        try store.end()
        store = try vault.open()
        #expect(store.loss == nil)
        try store.end()
    }

    /// The log's salt was in them: what only the log held is lost, and said to be.
    @Test func withoutEitherCopyALogIsLostAndKept() throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "in the file"))
        try store.startNewLog(isOpen: true)
        for number in 0..<4 { _ = try store.notes.create(NoteDraft(body: "in the log \(number)")) }
        try store.recordProgress()
        let crashed = try TestVault(copying: vault, sharingPins: true)
        let log = try crashed.bytes("index-1.db-wal")
        try crashed.remove("manifest", "manifest.2")
        expect(.integrity) { try crashed.open() }
        #expect(try crashed.bytes("index-1.db-wal") == log, "nothing is given up without a word")
        let opened = try crashed.open(acceptLoss: true)
        let loss = try #require(opened.loss)
        #expect(loss.manifestWasMade && loss.hasLostChanges && loss.commitCount == 4)
        #expect(try bodies(opened) == ["in the file"])
        #expect(try crashed.bytes(#require(loss.keptLog)) == log)
        #expect(try check(opened).problems.isEmpty)
        try opened.end()
    }

    /// The second copy's replacement fails, as if the power had gone between the two.
    private func stopped(_ vault: TestVault, _ body: () throws -> Void) throws -> TestVault {
        let blocker = vault.folder.appending(path: "manifest.2.new")
        try FileManager.default.createDirectory(at: blocker.appending(path: "full"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: blocker) }
        try body()
        let crashed = try TestVault(copying: vault)
        try FileManager.default.removeItem(at: crashed.folder.appending(path: "manifest.2.new"))
        return crashed
    }

    private func expectWhole(_ crashed: TestVault, _ expected: Set<String>, _ what: String) throws {
        for (words, damage) in Self.damages {
            let copy = try TestVault(copying: crashed)
            try damage(copy)
            let opened = try copy.open()
            #expect(opened.loss == nil)
            #expect(try bodies(opened) == expected && isMended(copy), "\(what), \(words)")
            #expect(try check(opened).problems.isEmpty, "\(what), \(words)")
            try opened.end()
            try copy.open().end()
        }
    }

    /// With a log that the manifest vouches for and with one that it does not: either way a manifest that names the map
    /// of the pages that it was emptied into comes first, and the log is cut only behind it.
    @Test(arguments: [true, false]) func aCrashBetweenTheCopiesOfANewLogsManifestCostsNothing(isVouchedFor: Bool) throws
    {
        let vault = try TestVault()
        let store = try vault.open()
        for number in 0..<3 { _ = try store.notes.create(NoteDraft(body: "\(number)")) }
        if isVouchedFor { try store.recordProgress() }
        let crashed = try stopped(vault) {
            #expect(throws: VaultError.self) { try store.startNewLog(isOpen: true) }
            #expect(store.isReadOnly, "no frame is written under a salt that one copy alone has")
        }
        #expect(try !crashed.bytes("index-1.db-wal").isEmpty)
        try expectWhole(crashed, ["0", "1", "2"], "a new log")
    }

    @Test func aCrashBetweenTheCopiesAtTheEndCostsNothing() throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "before the end"))
        let crashed = try stopped(vault) { #expect(throws: VaultError.self) { try store.close() } }
        try expectWhole(crashed, ["before the end"], "the end")
    }

    /// Every few seconds the second copy is written without waiting: one that is behind, or was never written, fits.
    @Test func aSecondCopyThatIsBehindFitsTheLogAndEndsNoWriting() throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "0"))
        let crashed = try stopped(vault) {
            try store.recordProgress()
            #expect(!store.isReadOnly)
            _ = try store.notes.create(NoteDraft(body: "1"))
            try store.recordProgress()
        }
        #expect(try !isMended(crashed))
        try expectWhole(crashed, ["0", "1"], "behind")
    }

    @Test func aCheckTellsOfACopyThatIsGone() throws {
        let vault = try TestVault()
        let store = try vault.open()
        try vault.remove("manifest.2")
        #expect(try check(store).problems.map(\.kind) == [.spare])
        #expect(try check(store).problems.isEmpty, "the check's own manifest mends it")
    }
}
