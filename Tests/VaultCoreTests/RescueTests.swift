// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import SealedSQLite
import Testing
import VaultFormat

@testable import VaultCore

/// What was rescued of an open vault is enough to open it, and is not lost in its turn (docs/format.md §14).
struct RescueTests {
    private let vault: TestVault
    private let store: OpenVault

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    private func bodies(_ store: OpenVault) throws -> Set<String> {
        try Set(store.notes.list(NoteFilter(), offset: 0, limit: 1000).map { try store.notes.note($0.id).body })
    }

    private func putBack(from folder: URL, _ pairs: [(String, String)]) throws {
        for (from, to) in pairs {
            let target = vault.folder.appending(path: to)
            try? FileManager.default.moveItem(at: target, to: vault.folder.appending(path: to + ".aside"))
            try FileManager.default.moveItem(at: folder.appending(path: from), to: target)
        }
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: vault.folder.appending(path: name).path)
    }

    @Test func D06aFolderThatIsGoneIsMadeAgainOfWhatWasRescuedAlone() throws {
        _ = try store.notes.create(NoteDraft(body: "from a folder that is no more"))
        try FileManager.default.removeItem(at: vault.folder)
        expect(.filesGone) { try store.notes.create(NoteDraft(body: "never acknowledged")) }
        try store.end()
        try FileManager.default.createDirectory(
            at: vault.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try putBack(
            from: URL(filePath: vault.pins.folder + "/rescued"),
            [("index-1.rescued", "index-1.db"), ("manifest.rescued", "manifest"), ("header.rescued", "header")])
        let again = try vault.open()
        #expect(try bodies(again) == ["from a folder that is no more"])
        try again.end()
    }

    @Test func D06whenEverythingInTheFolderIsRemovedItsHeaderIsWrittenAnew() throws {
        _ = try store.notes.create(NoteDraft(body: "kept"))
        for name in try FileManager.default.contentsOfDirectory(atPath: vault.folder.path) {
            try FileManager.default.removeItem(at: vault.folder.appending(path: name))
        }
        expect(.filesExchanged) { try store.lookAfterFiles() }
        try store.end()
        #expect(exists("header"))
        // Nobody else can put an older page into what was rescued.
        #expect(try store.manifestFile.opened(vault.bytes("manifest.rescued"))?.map != nil)
        try putBack(from: vault.folder, [("index-1.rescued", "index-1.db"), ("manifest.rescued", "manifest")])
        let again = try vault.open()
        #expect(try bodies(again) == ["kept"])
        try again.end()
    }

    @Test(arguments: ["index-1.rescued", "manifest.rescued"])
    func D06whatWasRescuedAndIsRemovedIsWrittenAgain(name: String) throws {
        _ = try store.notes.create(NoteDraft(body: "rescued twice"))
        try FileManager.default.removeItem(at: vault.folder.appending(path: "index-1.db"))
        expect(.filesExchanged) { try store.lookAfterFiles() }
        try FileManager.default.removeItem(at: vault.folder.appending(path: name))
        // At the next request, or at the end.
        try? store.close()
        try? FileManager.default.removeItem(at: vault.folder.appending(path: "index-1.db-wal"))
        let (index, manifest) = exists("index-1.rescued.2") ? (".rescued.2", ".rescued.2") : (".rescued", ".rescued")
        try putBack(from: vault.folder, [("index-1" + index, "index-1.db"), ("manifest" + manifest, "manifest")])
        let again = try vault.open()
        #expect(try bodies(again) == ["rescued twice"])
        try again.end()
    }

    @Test(arguments: [false, true]) func D06theSecondManifestIsMadeAnewToo(isOlder: Bool) throws {
        let older = try vault.bytes("manifest.2")
        _ = try store.notes.create(NoteDraft(body: "one"))
        try store.recordProgress()
        try FileManager.default.removeItem(at: vault.folder.appending(path: "manifest.2"))
        if isOlder { try Data(older).write(to: vault.folder.appending(path: "manifest.2")) }
        expect(.fileMended) { try store.lookAfterFiles() }
        #expect(try vault.bytes("manifest.2") != older)
        try store.lookAfterFiles()
        try store.end()
    }

    @Test func D06anAttachmentWhoseFileIsMovedAwayBeforeItsRowIsNotAcknowledged() throws {
        let note = try store.notes.create(NoteDraft(body: "holds a file")).id
        let file = try store.attachments.newObject(for: note)
        let sealed = try OpenVault.seal([UInt8](repeating: 7, count: 1000), file)
        #expect(store.objects.remove(file.object))
        let details = AttachmentDetails(
            kind: .file, name: "gone", mediaType: "application/octet-stream", byteCount: 0, created: 1)
        expect(.objectGone) { try store.attachments.add([(file, sealed, details)], to: note) }
        #expect(try store.attachments.all(of: note).isEmpty)
        try store.end()
    }

    @Test func D07whatWasWrittenIsReadUnderItsName() throws {
        _ = try store.notes.create(NoteDraft(body: "read back"))
        let storage = store.database.storage
        #expect(storage.isReadInPlace)
        let log = vault.folder.appending(path: "index-1.db-wal")
        let bytes = try Data(contentsOf: log)
        // The same length and another end, as of an older copy.
        try FileManager.default.removeItem(at: log)
        try (bytes.dropLast(64) + Data(count: 64)).write(to: log)
        #expect(!storage.isReadInPlace)
        try FileManager.default.removeItem(at: log)
        #expect(!storage.isReadInPlace)
        try? store.close()
    }
}
