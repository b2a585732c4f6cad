// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// `vault check`: clean where all is well; revisions, chain and pages that were removed, put in or put back are found.
struct CheckTests {
    private let fixture: CheckFixture

    init() throws { fixture = try CheckFixture() }

    @Test func aVaultInOrderHasNoProblems() throws {
        let report = try check(fixture.store)
        #expect(report.problems.isEmpty)
        #expect(report.notes == 5 && report.revisions == 7 && report.entries == 10)
        #expect(report.pages > 10)
        #expect(try fixture.problems().isEmpty, "twice is as good as once")
    }

    @Test func A08aDeletedRevisionIsMissed() throws {
        try fixture.change("DELETE FROM revision WHERE note = ?", [fixture.id(3)])
        #expect(
            try check(fixture.store).problems.contains(CheckProblem(kind: .revisionMissing, noteID: fixture.notes[3])))
    }

    @Test func A08anOldRevisionThatIsMissingIsMissedToo() throws {
        try fixture.change(
            "DELETE FROM revision WHERE rowid = (SELECT min(rowid) FROM revision WHERE note = ?)", [fixture.id(0)])
        #expect(try check(fixture.store).problems == [CheckProblem(kind: .revisionMissing, noteID: fixture.notes[0])])
    }

    @Test func A08aNoteThatCannotBeReadIsNotSaidToHaveWrongWordsToo() throws {
        try fixture.change("UPDATE revision SET sealed = zeroblob(200) WHERE note = ?", [fixture.id(4)])
        #expect(try fixture.problems() == [.revisionUnreadable])
    }

    @Test func A08aHiddenNoteIsMissed() throws {
        try fixture.change("DELETE FROM note WHERE id = ?", [fixture.id(4)])
        #expect(try fixture.problems() == [.projection, .counters, .words])
    }

    @Test func A08aPurgedNoteThatIsPutBackIsSeen() throws {
        let record = NoteRecord(noteID: fixture.notes[1], created: 0, modified: 0, body: "resurrected")
        let purged = try fixture.store.read { index in
            try Row.fetchAll(index.database, sql: "SELECT bytes FROM entry").map {
                try Entry(parsing: $0.bytes("bytes"))
            }
        }.filter { entry in [fixture.notes[1], fixture.notes[2]].contains(entry.noteID) && entry.operation == .create }
        for entry in purged {
            let sql = "SELECT count(*) FROM revision WHERE id = ?"
            let count = try fixture.store.read {
                try Int.fetchOne($0.database, sql: sql, arguments: [entry.revisionID.bytes.blob])
            }
            guard count == 0 else { continue }
            var old = record
            old.noteID = entry.noteID
            let sealed = try fixture.store.records.seal(old, revision: entry.revisionID)
            try fixture.change(
                "INSERT INTO revision VALUES(?, ?, ?, 0)",
                [entry.revisionID.bytes.blob, entry.noteID.bytes.blob, sealed.blob])
        }
        #expect(try fixture.problems() == [.revisionUnknown])
    }

    @Test func anOldHeadPutBackIsSeen() throws {
        let older = try #require(
            try fixture.store.read {
                try Row.fetchOne(
                    $0.database, sql: "SELECT id FROM revision WHERE note = ? ORDER BY rowid",
                    arguments: [fixture.id(0)])
            })
        try fixture.change("UPDATE note SET head = ? WHERE id = ?", [older.bytes("id").blob, fixture.id(0)])
        #expect(try fixture.problems().contains(.projection))
        #expect(try fixture.store.checks.rebuildIndex() == 5)
        #expect(try fixture.problems().isEmpty)
        #expect(try fixture.store.notes.note(fixture.notes[0]).title == "Edited")
    }

    @Test func aRevisionThatNobodyWroteIsSeen() throws {
        let revision = try RevisionID([UInt8](repeating: 9, count: 16))
        let sealed = try fixture.store.records.seal(
            NoteRecord(noteID: fixture.notes[3], created: 0, modified: 0, body: "forged"), revision: revision)
        try fixture.change(
            "INSERT INTO revision VALUES(?, ?, ?, 0)", [revision.bytes.blob, fixture.id(3), sealed.blob])
        #expect(try check(fixture.store).problems == [CheckProblem(kind: .revisionUnknown, noteID: fixture.notes[3])])
    }

    @Test func aRevisionThatDoesNotOpenIsSeen() throws {
        try fixture.change("UPDATE revision SET sealed = zeroblob(length(sealed)) WHERE note = ?", [fixture.id(5)])
        #expect(try fixture.problems().contains(.revisionUnreadable))
    }

    @Test(arguments: [
        "DELETE FROM entry WHERE sequence = 4", "DELETE FROM entry WHERE sequence = 10",
        "DELETE FROM entry WHERE sequence = 1",
        "UPDATE entry SET bytes = (SELECT bytes FROM entry WHERE sequence = 3) WHERE sequence = 2",
        "UPDATE entry SET bytes = substr(bytes, 1, length(bytes) - 1) WHERE sequence = 5",
        "UPDATE state SET chain = zeroblob(32)",
        "UPDATE state SET sequence = sequence + 1",
    ])
    func aCutChainIsSeen(sql: String) throws {
        try fixture.change(sql)
        #expect(try fixture.problems().contains(.chain))
    }

    @Test func anOldStateOfTheWholeIndexWithinASessionIsSeenByItsPages() throws {
        try fixture.store.startNewLog(isOpen: true)
        let number = try #require(
            try fixture.store.read {
                try Int.fetchOne($0.database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'entry'")
            })
        try fixture.vault.change("index-1.db") { $0[(number - 1) * 4096 + 10] ^= 1 }
        // Where the page is needed to begin at all, the check ends with damage instead of a list.
        do { #expect(try fixture.problems().contains(.page)) } catch let error as VaultError {
            #expect(error.code == .integrity)
        }
    }

    @Test func aDamagedHeaderCopyIsSeen() throws {
        try fixture.vault.change("header.2") { $0[80] ^= 1 }
        #expect(try fixture.problems() == [.headerCopy])
        try FileManager.default.removeItem(at: fixture.vault.folder.appending(path: "header.2"))
        #expect(try fixture.problems() == [.headerCopy])
    }
}
