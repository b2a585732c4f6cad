// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultFormat

@testable import VaultCore

/// A crash at any point of a repair leaves the damaged index as it was, or the new one.
struct IndexSwitchTests {
    private let fixture: SalvageFixture

    init() throws { fixture = try SalvageFixture.shared.get() }

    /// A vault with something in its log, of which the first frame is damaged: it does not open.
    private func damaged() throws -> TestVault {
        let vault = try fixture.copy()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "in the log"))
        let crashed = try TestVault(copying: vault)
        try crashed.change("index-1.db-wal") { $0[72 + 500] ^= 1 }
        return crashed
    }

    @Test func aCrashWhileTheNewIndexIsWrittenLeavesTheOldOne() throws {
        let vault = try damaged()
        let repair = try VaultRepair(vault.probe(), .recoveryKey(secret(TestVault.recoveryKey)))
        #expect(throws: VaultError(.cancelled)) { try repair.run { stage, _, _ in stage != .writing } }
        #expect(try vault.names("index-1.db") == ["index-1.db", "index-1.db-wal"])
    }

    /// What each rename leaves, in the order in which they are made.
    @Test(arguments: 0..<5) func eachStepOpensAgain(_ step: Int) throws {
        let whole = try fixture.copy()
        let store = try whole.open()
        let added = try store.notes.create(NoteDraft(body: "in the log")).id
        let before = try TestVault(copying: whole)
        // A repair announces its index before the commit.
        if step > 0 { try announce(store.recordedGeneration, in: before, of: store) }
        try store.end()
        // The new index: this vault's own, when it is closed. The old one: as it lay while it was open.
        let directory = before.folder
        let files = FileManager.default
        func path(_ name: String) -> URL { directory.appending(path: name) }
        try files.copyItem(at: whole.folder.appending(path: "index-1.db"), to: path("index-1.db.new"))
        if step > 0 { try files.moveItem(at: path("index-1.db.new"), to: path("index-1.db.repaired")) }
        if step > 1 { try files.moveItem(at: path("index-1.db-wal"), to: path("index-1.db.damaged-x-wal")) }
        if step > 2 { try files.moveItem(at: path("index-1.db"), to: path("index-1.db.damaged-x")) }
        if step > 3 { try files.moveItem(at: path("index-1.db.repaired"), to: path("index-1.db")) }
        let opened = try before.open()
        #expect(try opened.notes.note(added).body == "in the log")
        #expect(try check(opened).problems.isEmpty)
        try opened.end()
        #expect(try before.names("index-1.db.new").isEmpty && before.names("index-1.db.repaired").isEmpty)
        // From the commit on the old one is kept.
        #expect(try before.names("index-1.db.damaged").isEmpty == (step == 0))
    }

    @Test func theDamagedIndexAndItsLogAreKept() throws {
        let vault = try damaged()
        let (index, log) = (try vault.bytes("index-1.db"), try vault.bytes("index-1.db-wal"))
        let (report, store) = try vault.repair()
        let kept = try #require(report.kept)
        #expect(try vault.bytes(kept) == index && vault.bytes(kept + "-wal") == log)
        try store.end()
        // The next openings leave them where they are.
        try vault.open().end()
        #expect(try vault.bytes(kept) == index)
    }

    /// The manifest that a repair writes before its commit.
    private func announce(_ generation: UInt64, in vault: TestVault, of store: OpenVault) throws {
        let file = ManifestFile(try VaultDirectory(path: vault.path), keys: store.keys, header: store.header)
        var manifest = try file.read()
        (manifest.generation, manifest.syncedByteCount, manifest.isOpen) = (generation - 1, 0, true)
        manifest.map = nil
        try file.write(manifest)
    }

    /// An older index, no index at all, a link, the announced one with a page that does not open, and a whole one that is
    /// not the announced one.
    @Test(arguments: 0..<5) func X30aFileIsNoRepairedIndexByItsName(_ kind: Int) throws {
        let whole = try fixture.copy()
        let store = try whole.open()
        let added = try store.notes.create(NoteDraft(body: "in the log")).id
        let vault = try TestVault(copying: whole)
        if kind == 3 { try announce(store.recordedGeneration, in: vault, of: store) }
        if kind == 4 { try announce(store.recordedGeneration + 1, in: vault, of: store) }
        try store.end()
        let ready = vault.folder.appending(path: "index-1.db.repaired")
        let old = fixture.vault.folder.appending(path: "index-1.db")
        switch kind {
        case 0: try FileManager.default.copyItem(at: old, to: ready)
        case 1: try Data(repeating: 7, count: 40_960).write(to: ready)
        case 2: try FileManager.default.createSymbolicLink(at: ready, withDestinationURL: old)
        case 4: try FileManager.default.copyItem(at: whole.folder.appending(path: "index-1.db"), to: ready)
        default:
            try FileManager.default.copyItem(at: whole.folder.appending(path: "index-1.db"), to: ready)
            try vault.change("index-1.db.repaired") { $0[fixture.pageCount / 2 * 4096 + 9] ^= 1 }
        }
        let opened = try vault.open()
        #expect(try opened.notes.note(added).body == "in the log")
        #expect(try check(opened).foreign == ["index-1.db.repaired"])
        try opened.end()
        #expect(try vault.names("index-1.db.damaged-").isEmpty)
        #expect(try vault.names("index-1.db.repaired").count == 1)
    }

    @Test func aRepairMovesARefusedFileOutOfItsWay() throws {
        let vault = try damaged()
        try Data("somebody's".utf8).write(to: vault.folder.appending(path: "index-1.db.repaired"))
        let index = try vault.bytes("index-1.db")
        let (report, store) = try vault.repair()
        #expect(try vault.bytes(#require(report.kept)) == index)
        #expect(try vault.names("index-1.db.damaged-").contains { try vault.bytes($0) == Array("somebody's".utf8) })
        try store.end()
    }
}
