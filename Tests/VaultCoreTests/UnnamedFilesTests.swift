// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SealedSQLite
import Testing
import VaultFormat

@testable import VaultCore

/// Files of drafts and attachments whose rows an accepted loss, or an older state, has taken away: they stay while an
/// index that names them may still be brought back.
struct UnnamedFilesTests {
    private let vault: TestVault
    private let store: OpenVault

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    /// A draft and an attachment.
    private func addFiles(to note: NoteID) throws {
        try store.drafts.begin(DraftStart()).save(Array("nowhere else".utf8))
        _ = try store.addAttachment("photo", [UInt8](repeating: 7, count: 100), to: note)
    }

    /// The vault as a crash leaves it, and where its log had its end before the draft and the attachment.
    private func crashed() throws -> (vault: TestVault, end: Int) {
        let note = try store.notes.create(NoteDraft(body: "kept")).id
        let end = Int(store.database.storage.durableLogByteCount)
        try addFiles(to: note)
        try store.recordProgress()
        return (try TestVault(copying: vault, sharingPins: true), end)
    }

    /// Files in `drafts/` and `objects/`.
    private func files(_ vault: TestVault) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: vault.folder.path).filter { name in
            // The folders' names are shorter than the files'.
            let isLong = (name.split(separator: "/").last?.count ?? 0) > 31
            return isLong && (name.hasPrefix("drafts/") || name.hasPrefix("objects/"))
        }.sorted()
    }

    /// What an unlock and a check do to files that no row names.
    private func tidy(_ store: OpenVault) throws -> CheckReport {
        try store.drafts.sweep()
        return try check(store)
    }

    @Test func filesOfLostChangesStayWhileTheDamagedLogDoes() throws {
        let (vault, end) = try crashed()
        let before = try files(vault)
        #expect(before.count == 2)
        try vault.change("index-1.db-wal") { $0[end + 100] ^= 1 }
        var opened = try vault.open(acceptLoss: true)
        let kept = try #require(opened.loss?.keptLog)
        #expect(try opened.drafts.all().isEmpty, "its row is lost")
        for _ in 0..<2 {
            let report = try tidy(opened)
            #expect(report.problems.isEmpty && report.orphans == 1 && report.unnamedFilesStay == .file(kept))
            #expect(try files(vault) == before)
            try opened.end()
            opened = try vault.open()
        }
        // Its owner has no more use for it.
        try vault.remove(kept)
        let report = try tidy(opened)
        #expect(report.orphans == 1 && report.unnamedFilesStay == nil)
        let left = try files(vault)
        #expect(left.count == 1 && left.allSatisfy { $0.hasPrefix("objects/quarantine/") })
        try opened.end()
    }

    @Test func filesOfLostChangesStayInTheSessionThatAcceptedTheLoss() throws {
        let (vault, _) = try crashed()
        let before = try files(vault)
        try vault.change("index-1.db-wal") { $0 = [] }
        let opened = try vault.open(acceptLoss: true)
        #expect(opened.loss != nil && opened.loss?.keptLog == nil)
        #expect(try tidy(opened).unnamedFilesStay == .opening)
        #expect(try files(vault) == before)
        try opened.end()
    }

    @Test func filesOfANewerStateStayInTheSessionThatAcceptedAnOlderOne() throws {
        let note = try store.notes.create(NoteDraft(body: "kept")).id
        try store.startNewLog(isOpen: false)
        let names = ["manifest", "manifest.2", "index-1.db", "index-1.db-wal"]
        let older = try names.map { try vault.bytes($0) }
        try addFiles(to: note)
        try store.end()
        let before = try files(vault)
        for (name, bytes) in zip(names, older) {
            let file = vault.folder.appending(path: name)
            try Data(bytes).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
        expect(.rollback) { try vault.open() }
        let opened = try vault.open(acceptRollback: true)
        #expect(try tidy(opened).unnamedFilesStay == .opening)
        #expect(try files(vault) == before)
        try opened.end()
    }

    @Test func whatLiesInQuarantineIsNotRemovedWhileARescuedIndexDoes() throws {
        let note = try store.notes.create(NoteDraft(body: "kept")).id
        _ = try store.addAttachment("photo", [1, 2, 3], to: note)
        let folder = vault.folder.appending(path: "objects/quarantine")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = folder.appending(path: String(repeating: "ab", count: 32))
        try Data("an object".utf8).write(to: file)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -40 * 86_400)], ofItemAtPath: file.path)
        let rescued = vault.folder.appending(path: "index-1.rescued")
        try Data("an index".utf8).write(to: rescued)
        #expect(try check(store).removed == 0)
        try FileManager.default.removeItem(at: rescued)
        #expect(try check(store).removed == 1)
        try store.end()
    }

    @Test func aRotationLeavesFilesThatADamagedIndexMayName() throws {
        try store.end()
        let rotating = try RotatingVault()
        let kept = rotating.vault.folder.appending(path: "index-1.db.damaged-20260101T000000Z")
        try Data("an index".utf8).write(to: kept)
        let name = String(repeating: "ab", count: 32)
        let folder = rotating.vault.folder.appending(path: "objects/ab")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data("an object".utf8).write(to: folder.appending(path: name))
        let opened = try rotating.vault.open()
        try RotatingVault.begin(opened)
        try RotatingVault.finish(opened)
        #expect(!opened.isRotating && opened.header.epoch == 2)
        try opened.end()
        #expect(FileManager.default.fileExists(atPath: folder.path + "/" + name))
        #expect(FileManager.default.fileExists(atPath: kept.path))
    }

    @Test(arguments: [
        ("index-1.db-wal.damaged-20260101T000000Z", true), ("index-3.db.damaged-20260101T000000Z", true),
        ("index-1.db.repaired", true), ("index-12.rescued", true), ("index-1.rescued.2", true),
        ("manifest.rescued", true), ("index-1.db", false), ("index-1.db-wal", false), ("index-1.db.aside", false),
        ("lock", false), ("rescued", false), ("damaged", false),
    ])
    func whichFilesSpeakForOthers(name: String, isReason: Bool) {
        #expect(UnnamedFilesStay.isReason(name) == isReason)
    }
}
