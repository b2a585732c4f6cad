// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Glibc
import Testing
import VaultFormat

@testable import VaultCore

/// A vault's files are moved, replaced or removed while it is open: what was acknowledged is in the vault or in what
/// was rescued, and nobody goes on unawares (docs/format.md §14).
struct MovedFileTests {
    enum Way: CaseIterable { case renamed, replaced, removed }

    private let vault: TestVault
    private let store: OpenVault

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    static func disturb(_ name: String, _ way: Way, in folder: URL) throws {
        let file = folder.appending(path: name)
        let other = folder.appending(path: "aside-" + name)
        switch way {
        case .removed: try FileManager.default.removeItem(at: file)
        case .renamed: try FileManager.default.moveItem(at: file, to: other)
        case .replaced:
            try FileManager.default.copyItem(at: file, to: other)
            guard unsafe rename(other.path, file.path) == 0 else { throw VaultError(.saveFailed) }
        }
    }

    private func bodies(_ store: OpenVault) throws -> Set<String> {
        try Set(store.notes.list(NoteFilter(), offset: 0, limit: 1000).map { try store.notes.note($0.id).body })
    }

    /// As the hint of the error says.
    private func putBack(from folder: URL, number: String = "") throws {
        for name in ["manifest", "manifest.2", "index-1.db", "index-1.db-wal"] {
            let file = vault.folder.appending(path: name)
            try? FileManager.default.moveItem(at: file, to: vault.folder.appending(path: name + ".aside"))
        }
        for (from, to) in [("index-1.rescued", "index-1.db"), ("manifest.rescued", "manifest")] {
            try FileManager.default.moveItem(
                at: folder.appending(path: from + number), to: vault.folder.appending(path: to))
        }
    }

    /// An index that was rescued and never removed, and the vault that went on without it.
    private func leaveRescuedIndex() throws {
        _ = try store.notes.create(NoteDraft(body: "both have it"))
        let aside = vault.folder.appending(path: "index-1.aside")
        try store.recordProgress()
        try FileManager.default.moveItem(at: vault.folder.appending(path: "index-1.db"), to: aside)
        expect(.filesExchanged) { try store.lookAfterFiles() }
        try store.end()
        try FileManager.default.moveItem(at: aside, to: vault.folder.appending(path: "index-1.db"))
    }

    private func expectAllIsThere(_ texts: Set<String>) throws {
        let again = try vault.open()
        #expect(try bodies(again) == texts)
        #expect(try check(again).problems.isEmpty)
        try again.end()
    }

    @Test(arguments: ["index-1.db", "index-1.db-wal"], Way.allCases)
    func D06whatAnExchangedIndexHeldIsWrittenOutAndNothingGoesOnIntoIt(name: String, way: Way) throws {
        _ = try store.notes.create(NoteDraft(body: "vouched for"))
        try store.recordProgress()
        _ = try store.notes.create(NoteDraft(body: "in the log alone"))
        try Self.disturb(name, way, in: vault.folder)
        expect(.filesExchanged) { try store.notes.create(NoteDraft(body: "never acknowledged")) }
        expect(.filesExchanged, "from then on") { try store.lookAfterFiles() }
        try store.end()
        #expect(!FileManager.default.fileExists(atPath: vault.folder.path + "/index-1.rescued.2"), "once")
        try putBack(from: vault.folder)
        try expectAllIsThere(["vouched for", "in the log alone"])
    }

    @Test func D06aWriteIntoAFileThatGoesMeanwhileIsNotAcknowledged() throws {
        _ = try store.notes.create(NoteDraft(body: "before"))
        expect(.filesExchanged) {
            try store.write { transaction in
                try transaction.database.execute(sql: "UPDATE state SET fold = fold")
                try Self.disturb("index-1.db-wal", .removed, in: self.vault.folder)
            }
        }
        try store.end()
        try putBack(from: vault.folder)
        try expectAllIsThere(["before"])
    }

    @Test func D06whatIsFoundOnlyAtTheEndIsSaidThere() throws {
        _ = try store.notes.create(NoteDraft(body: "before the end"))
        try Self.disturb("index-1.db", .removed, in: vault.folder)
        expect(.filesExchanged) { try store.close() }
        // The unlock that would call the vault damaged names what was rescued.
        expect(.rescuedWaits) { try vault.open() }
        try putBack(from: vault.folder)
        try expectAllIsThere(["before the end"])
    }

    @Test func D06aFolderThatIsGoneLeavesItsNotesInTheStateDirectory() throws {
        let header = try vault.bytes("header")
        _ = try store.notes.create(NoteDraft(body: "from a folder that is no more"))
        try FileManager.default.removeItem(at: vault.folder)
        expect(.filesGone) { try store.notes.create(NoteDraft(body: "never acknowledged")) }
        try store.end()
        try FileManager.default.createDirectory(
            at: vault.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(header).write(to: vault.folder.appending(path: "header"))
        try putBack(from: URL(filePath: vault.pins.folder + "/rescued"))
        try expectAllIsThere(["from a folder that is no more"])
    }

    @Test func D06anOldRescuedIndexIsNotOfferedInPlaceOfANewerOne() throws {
        try leaveRescuedIndex()
        let again = try vault.open()
        _ = try again.notes.create(NoteDraft(body: "months later"))
        try again.end()
        let newer = try TestVault(copying: vault, sharingPins: true)
        // Damaged, and older than its pin: each error stays what it is.
        try newer.change("index-1.db") { $0.removeLast($0.count / 2) }
        expect(.integrity) { try newer.open() }
        try newer.remove("manifest", "manifest.2")
        expect(.integrity, "the pin alone knows") { try newer.open() }
        let elsewhere = try TestVault(copying: vault)
        try elsewhere.change("index-1.db") { $0.removeLast($0.count / 2) }
        expect(.integrity, "the manifest alone knows") { try elsewhere.open() }
    }

    @Test func D06aRescuedIndexIsOfferedOnlyWithItsOwnManifest() throws {
        _ = try store.notes.create(NoteDraft(body: "before the end"))
        try Self.disturb("index-1.db", .removed, in: vault.folder)
        expect(.filesExchanged) { try store.close() }
        expect(.rescuedWaits) { try vault.open() }
        let planted = try TestVault(copying: vault, sharingPins: true)
        try planted.change("manifest.rescued") { $0[$0.count / 2] ^= 1 }
        expect(.integrity) { try planted.open() }
        try planted.remove("manifest.rescued")
        expect(.integrity) { try planted.open() }
        try planted.remove("index-1.rescued")
        try Data(vault.bytes("index-1.rescued")).write(to: planted.folder.appending(path: "index-2.rescued"))
        try Data(vault.bytes("manifest.rescued")).write(to: planted.folder.appending(path: "manifest.rescued"))
        expect(.integrity, "of another epoch") { try planted.open() }
        expect(.wrongPassword, "nothing is told before a slot has opened") {
            try OpenVault(vault.probe(), .recoveryKey(secret([UInt8](repeating: 1, count: 20))))
        }
    }

    @Test func D06aSecondRescueReplacesNoManifestOfAFirst() throws {
        let earlier = vault.folder.appending(path: "manifest.rescued")
        try Data("of an index of another epoch".utf8).write(to: earlier)
        try Self.disturb("index-1.db", .replaced, in: vault.folder)
        expect(.filesExchanged) { try store.lookAfterFiles() }
        try store.end()
        #expect(try Data(contentsOf: earlier) == Data("of an index of another epoch".utf8))
        #expect(FileManager.default.fileExists(atPath: vault.folder.path + "/index-1.rescued.2"))
    }

    @Test func D06aSecondRescueReplacesNoFirst() throws {
        let earlier = vault.folder.appending(path: "index-1.rescued")
        try Data("somebody's notes".utf8).write(to: earlier)
        _ = try store.notes.create(NoteDraft(body: "the newest"))
        try Self.disturb("index-1.db", .replaced, in: vault.folder)
        expect(.filesExchanged) { try store.lookAfterFiles() }
        try store.end()
        #expect(try Data(contentsOf: earlier) == Data("somebody's notes".utf8))
        try putBack(from: vault.folder, number: ".2")
        try expectAllIsThere(["the newest"])
    }

    @Test(arguments: ["manifest", "lock", "header"], Way.allCases)
    func D06aSmallFileIsMadeAnewAndThatIsSaidOnce(name: String, way: Way) throws {
        _ = try store.notes.create(NoteDraft(body: "one"))
        try store.recordProgress()
        _ = try store.notes.create(NoteDraft(body: "two"))
        try Self.disturb(name, way, in: vault.folder)
        // The same bytes in another file are the same manifest and the same header.
        if way != .replaced || name == "lock" { expect(.fileMended) { try store.lookAfterFiles() } }
        try store.lookAfterFiles()
        _ = try store.notes.create(NoteDraft(body: "three"))
        #expect(FileManager.default.fileExists(atPath: vault.folder.path + "/" + name))
        let crashed = try TestVault(copying: vault)
        let opened = try crashed.open()
        #expect(try bodies(opened) == ["one", "two", "three"])
        try opened.end()
        try store.end()
        try expectAllIsThere(["one", "two", "three"])
    }

    @Test func D06anOlderManifestIsReplacedByOurs() throws {
        let older = try vault.bytes("manifest")
        _ = try store.notes.create(NoteDraft(body: "newer than that"))
        try store.recordProgress()
        try Data(older).write(to: vault.folder.appending(path: "put-back"))
        #expect(unsafe rename(vault.folder.path + "/put-back", vault.folder.path + "/manifest") == 0)
        expect(.fileMended) { try store.lookAfterFiles() }
        #expect(try vault.bytes("manifest") != older)
        try store.end()
        try expectAllIsThere(["newer than that"])
    }

    @Test func D06aFileThatIsMendedWhileNobodyAsksIsSaidToTheNextOne() throws {
        try Self.disturb("manifest", .removed, in: vault.folder)
        store.keepPlace()
        store.keepPlace()
        expect(.fileMended) { try store.lookAfterFiles() }
        try store.lookAfterFiles()
        try store.end()
    }

    @Test(arguments: [Way.removed, .replaced, .renamed])
    func D06WithoutItsLockFileAVaultIsStillTaken(way: Way) throws {
        try Self.disturb("lock", way, in: vault.folder)
        expect(.busy) { try vault.open() }
        // The one that has it makes the file anew, and holds that too.
        expect(.fileMended) { try store.lookAfterFiles() }
        let file = unsafe open(vault.folder.path + "/lock", O_RDWR)
        #expect(flock(file, LOCK_EX | LOCK_NB) != 0)
        close(file)
        expect(.busy) { try vault.open() }
        try store.end()
        try vault.open().end()
    }

    @Test func D06WhatAnotherMachineLeftIsKeptAndNamed() throws {
        let header = try vault.bytes("header")
        let manifest = try vault.bytes("manifest")
        try store.end()
        let names = [
            "index-1 (Ann's conflicted copy 2026-01-01).db", "index-1.sync-conflict-20260101-120000-ABCDEFG.db",
            "index-1 (1).db-wal",
        ]
        for name in names { try Data("notes".utf8).write(to: vault.folder.appending(path: name)) }
        try Data(header).write(to: vault.folder.appending(path: "header (conflicted copy 2026-01-01 120000)"))
        try Data(manifest).write(to: vault.folder.appending(path: "manifest-LAPTOP"))
        let again = try vault.open()
        let all = names + ["header (conflicted copy 2026-01-01 120000)", "manifest-LAPTOP"]
        #expect(again.checks.conflictedCopies() == all.sorted())
        let report = try check(again)
        #expect(report.authentic == ["header (conflicted copy 2026-01-01 120000)", "manifest-LAPTOP"])
        #expect(Set(all).isSubset(of: report.foreign))
        try again.end()
        for name in all { #expect(FileManager.default.fileExists(atPath: vault.folder.path + "/" + name)) }
    }
}
