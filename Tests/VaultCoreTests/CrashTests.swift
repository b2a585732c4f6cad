// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// What was acknowledged survives: kill -9 at any moment, a disk that refuses in the middle (ThreatModel D01 and H10,
/// docs/sealed-sqlite.md §11).
struct CrashTests {
    private func bodies(_ store: OpenVault) throws -> Set<String> {
        let lists = try [NoteFilter(), .inTrash].flatMap { try store.notes.list($0, offset: 0, limit: 1000) }
        return try Set(lists.map { try store.notes.note($0.id).body })
    }

    @Test func everyAcknowledgedWriteSurvivesACrashRightAfterIt() throws {
        let vault = try TestVault()
        let store = try vault.open()
        var expected: Set<String> = []
        for step in 0..<24 {
            switch step % 6 {
            case 0, 1, 2:
                _ = try store.notes.create(NoteDraft(body: "note \(step)"))
                expected.insert("note \(step)")
            case 3:
                _ = try store.notes.edit(store.notes.resolve("note \(step - 1)")) { $0.body = "edited \(step)" }
                expected.remove("note \(step - 1)")
                expected.insert("edited \(step)")
            case 4:
                _ = try store.notes.setTrashed(store.notes.resolve("note \(step - 3)"), true)
                try store.recordProgress()
            default:
                #expect(try store.notes.purgeTrash(limit: 9) == 1)
                expected.remove("note \(step - 4)")
            }
            let crashed = try TestVault(copying: vault)
            let opened = try crashed.open()
            #expect(try bodies(opened) == expected, "step \(step)")
            if step % 6 == 5 { #expect(try check(opened).problems.isEmpty) }
            try opened.end()
        }
    }

    @Test func aCrashWhileALogIsWrittenShowsAStateThatWas() throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "vouched for"))
        try store.recordProgress()
        let synced = try vault.bytes("index-1.db-wal").count
        for number in 0..<4 { _ = try store.notes.create(NoteDraft(body: "after \(number)")) }
        let log = try vault.bytes("index-1.db-wal")
        for cut in stride(from: synced, to: log.count, by: 3001) {
            let crashed = try TestVault(copying: vault)
            try crashed.change("index-1.db-wal") { $0 = Array(log[..<cut]) }
            let opened = try crashed.open()
            let count = try opened.notes.counts().notes[.live]
            #expect(try bodies(opened) == Set(["vouched for"] + (0..<count - 1).map { "after \($0)" }), "cut at \(cut)")
            #expect(try check(opened).problems.isEmpty)
        }
    }

    /// Makes the next replacement of a file fail, as a disk would, until `body` is over.
    private func refusing(_ name: String, in vault: TestVault, _ body: () throws -> Void) throws {
        let blocker = vault.folder.appending(path: name + ".new")
        try FileManager.default.createDirectory(at: blocker.appending(path: "full"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: blocker) }
        try body()
    }

    @Test func H10aManifestThatCannotBeWrittenCostsNoNoteLater() throws {
        let vault = try TestVault()
        let store = try vault.open()
        for number in 0..<5 { _ = try store.notes.create(NoteDraft(body: "before \(number)")) }
        try store.recordProgress()
        // The log is emptied, then the manifest that should say so fails.
        try refusing("manifest", in: vault) { #expect(throws: VaultError.self) { try store.startNewLog(isOpen: true) } }
        let note = try? store.notes.create(NoteDraft(body: "after the disk has room again"))
        let crashed = try TestVault(copying: vault)
        let opened = try crashed.open()
        #expect(try opened.notes.counts().notes[.live] == (note == nil ? 5 : 6))
        #expect(try check(opened).problems.isEmpty)
        try opened.end()
    }

    @Test func H10aManifestThatCannotBeWrittenAtAllKeepsTheOldState() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "kept"))
        try refusing("manifest", in: vault) { () throws in
            #expect(throws: VaultError.self) { try store.recordProgress() }
            #expect(try store.notes.note(note.id).body == "kept")
            // Nobody would vouch for more.
            expect(.readOnly) { try store.notes.create(NoteDraft(body: "more")) }
            try store.end()
        }
        let again = try vault.open()
        #expect(try again.notes.note(note.id).body == "kept")
        #expect(try again.notes.counts().notes[.live] == 1)
        try again.end()
    }

    @Test func H10aHeaderThatCannotBeWrittenOpensForReading() throws {
        let vault = try TestVault()
        let whole = try vault.bytes("header")
        try FileManager.default.removeItem(at: vault.folder.appending(path: "header.2"))
        try refusing("header.2", in: vault) { () throws in
            let store = try vault.open()
            #expect(store.isReadOnly)
            #expect(try store.notes.counts().notes[.live] == 0)
            try store.end()
        }
        let store = try vault.open()
        #expect(!store.isReadOnly)
        #expect(try vault.bytes("header.2") == whole)
    }

    @Test func H10partOfAPageThatAFullDiskLeftInACheckpointIsWrittenAnewFromTheLog() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "still in the log"))
        let crashed = try TestVault(copying: vault)
        try crashed.change("index-1.db") { $0 += [UInt8](repeating: 7, count: 1000) }
        let opened = try crashed.open()
        #expect(try opened.notes.note(note.id).body == "still in the log")
        #expect(try check(opened).problems.isEmpty)
        try opened.end()
        try crashed.open().end()
    }

    @Test func whatACrashLeftOfAReplacementDoesNoHarm() throws {
        let vault = try TestVault()
        for name in ["manifest.new", "manifest.2.new", "header.new", "header.2.new"] {
            try Data("half".utf8).write(to: vault.folder.appending(path: name))
        }
        let store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "x"))
        try store.end()
        #expect(try vault.open().notes.note(note.id).body == "x")
    }

    @Test func lesson11theLogIsEmptyAfterCloseAndCutWhenItGrows() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "beside a lot"))
        #expect(try !vault.bytes("index-1.db-wal").isEmpty)
        try store.write {
            try $0.database.execute(sql: "CREATE TABLE pad(bytes BLOB); INSERT INTO pad VALUES(zeroblob(17000000))")
        }
        #expect(try vault.bytes("index-1.db-wal").count > Int(OpenVault.logByteCountMax))
        try store.recordProgress()
        #expect(try vault.bytes("index-1.db-wal").isEmpty)
        _ = try store.notes.edit(note.id) { $0.body = "another text" }
        let crashed = try TestVault(copying: vault)
        #expect(try crashed.open().notes.note(note.id).body == "another text")
        try store.end()
        #expect(try vault.bytes("index-1.db-wal").isEmpty)
    }
}
