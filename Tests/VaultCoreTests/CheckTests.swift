// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// `vault check`: clean where all is well, and every kind of change found. Changes are made through the store's own connection: each
/// page is authentic, as an old page put back would be.
struct CheckTests {
    private let vault: TestVault
    private let store: VaultStore
    private let notes: [NoteID]

    init() throws {
        vault = try TestVault()
        store = try vault.open()
        var notes: [NoteID] = []
        for number in 0..<6 {
            var draft = NoteDraft(body: "Note \(number)\nwith some words")
            draft.tags = ["tag\(number)"]
            notes.append(try store.create(draft).id)
        }
        _ = try store.edit(notes[0]) { $0.body = "Edited\nother words" }
        _ = try store.setTrashed(notes[1], true)
        _ = try store.setTrashed(notes[2], true)
        _ = try store.purgeTrash(limit: 1)
        self.notes = notes
    }

    private func change(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
        try store.write { try $0.execute(sql: sql, arguments: arguments) }
    }

    private func id(_ index: Int) -> Data { notes[index].bytes.blob }
    private func problems() throws -> Set<CheckProblem.Kind> { Set(try check(store).problems.map(\.kind)) }

    @Test func aVaultInOrderHasNoProblems() throws {
        let report = try check(store)
        #expect(report.problems.isEmpty)
        #expect(report.notes == 5 && report.revisions == 7 && report.entries == 10)
        #expect(report.pages > 10)
        #expect(try problems().isEmpty, "twice is as good as once")
    }

    @Test func A08aDeletedRevisionIsMissed() throws {
        try change("DELETE FROM revision WHERE note = ?", [id(3)])
        #expect(try check(store).problems.contains(CheckProblem(kind: .revisionMissing, noteID: notes[3])))
    }

    @Test func A08anOldRevisionThatIsMissingIsMissedToo() throws {
        try change("DELETE FROM revision WHERE rowid = (SELECT min(rowid) FROM revision WHERE note = ?)", [id(0)])
        #expect(try check(store).problems == [CheckProblem(kind: .revisionMissing, noteID: notes[0])])
    }

    @Test func A08aHiddenNoteIsMissed() throws {
        try change("DELETE FROM note WHERE id = ?", [id(4)])
        #expect(try problems() == [.projection, .counters])
    }

    @Test func A08aPurgedNoteThatIsPutBackIsSeen() throws {
        let record = NoteRecord(noteID: notes[1], created: 0, modified: 0, body: "resurrected")
        let purged = try store.read { database in
            try Row.fetchAll(database, sql: "SELECT bytes FROM entry").map { try Entry(parsing: $0.bytes("bytes")) }
        }.filter { entry in [notes[1], notes[2]].contains(entry.noteID) && entry.operation == .create }
        for entry in purged {
            let count = try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM revision WHERE id = ?", arguments: [entry.revisionID.bytes.blob]) }
            guard count == 0 else { continue }
            var old = record
            old.noteID = entry.noteID
            let sealed = try store.records.seal(old, revision: entry.revisionID)
            try change("INSERT INTO revision VALUES(?, ?, ?)", [entry.revisionID.bytes.blob, entry.noteID.bytes.blob, sealed.blob])
        }
        #expect(try problems() == [.revisionUnknown])
    }

    @Test func anOldHeadPutBackIsSeen() throws {
        let older = try #require(
            try store.read { try Row.fetchOne($0, sql: "SELECT id FROM revision WHERE note = ? ORDER BY rowid", arguments: [id(0)]) })
        try change("UPDATE note SET head = ? WHERE id = ?", [older.bytes("id").blob, id(0)])
        #expect(try problems().contains(.projection))
        #expect(try store.rebuildIndex() == 5)
        #expect(try problems().isEmpty)
        #expect(try store.note(notes[0]).title == "Edited")
    }

    @Test func aRevisionThatNobodyWroteIsSeen() throws {
        let revision = try RevisionID([UInt8](repeating: 9, count: 16))
        let sealed = try store.records.seal(NoteRecord(noteID: notes[3], created: 0, modified: 0, body: "forged"), revision: revision)
        try change("INSERT INTO revision VALUES(?, ?, ?)", [revision.bytes.blob, id(3), sealed.blob])
        #expect(try check(store).problems == [CheckProblem(kind: .revisionUnknown, noteID: notes[3])])
    }

    @Test func aRevisionThatDoesNotOpenIsSeen() throws {
        try change("UPDATE revision SET sealed = zeroblob(length(sealed)) WHERE note = ?", [id(5)])
        #expect(try problems().contains(.revisionUnreadable))
    }

    @Test(arguments: [
        "title = 'Other'", "snippet = ''", "titleKey = x'00'", "notebook = 'Elsewhere'", "tags = 'other'", "modified = modified + 1",
        "created = 0", "byteCount = 1", "source = 'x'",
    ])
    func aListThatSaysOtherThanTheRevisionIsSeenAndMended(assignment: String) throws {
        try change("UPDATE note SET \(assignment) WHERE id = ?", [id(5)])
        #expect(try check(store).problems == [CheckProblem(kind: .projection, noteID: notes[5])])
        _ = try store.rebuildIndex()
        #expect(try problems().isEmpty)
    }

    @Test func aTagThatIsMissingOrTooManyIsSeenAndMended() throws {
        for sql in ["DELETE FROM noteTag WHERE note = ?", "INSERT INTO noteTag VALUES(x'7878', ?)"] {
            try change(sql, [id(5)])
            #expect(try problems() == [.projection], "\(sql)")
            _ = try store.rebuildIndex()
            #expect(try problems().isEmpty)
        }
    }

    @Test func missingWordsAreSeenAndMended() throws {
        try change("INSERT INTO search(search) VALUES('delete-all')")
        #expect(try problems() == [.words])
        _ = try store.rebuildIndex()
        #expect(try problems().isEmpty)
        #expect(try store.search("some words", limit: 9, page: 1, snippetColumns: 60).hits.count == 3)
    }

    @Test(arguments: ["live = live + 1", "trashed = 0"])
    func wrongCountersAreSeenAndMended(assignment: String) throws {
        try change("UPDATE state SET \(assignment)")
        #expect(try problems() == [.counters])
        _ = try store.rebuildIndex()
        #expect(try problems().isEmpty)
    }

    @Test(arguments: [
        "DELETE FROM entry WHERE sequence = 4", "DELETE FROM entry WHERE sequence = 10", "DELETE FROM entry WHERE sequence = 1",
        "UPDATE entry SET bytes = (SELECT bytes FROM entry WHERE sequence = 3) WHERE sequence = 2",
        "UPDATE entry SET bytes = substr(bytes, 1, length(bytes) - 1) WHERE sequence = 5", "UPDATE state SET chain = zeroblob(32)",
        "UPDATE state SET sequence = sequence + 1",
    ])
    func aCutChainIsSeen(sql: String) throws {
        try change(sql)
        #expect(try problems().contains(.chain))
    }

    @Test func anOldStateOfTheWholeIndexWithinASessionIsSeenByItsPages() throws {
        try store.startNewLog(isOpen: true)
        let number = try #require(try store.read { try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'entry'") })
        try vault.change("index-1.db") { $0[(number - 1) * 4096 + 10] ^= 1 }
        #expect(try problems().contains(.page))
    }

    @Test func aDamagedHeaderCopyIsSeen() throws {
        try vault.change("header.2") { $0[80] ^= 1 }
        #expect(try problems() == [.headerCopy])
        try FileManager.default.removeItem(at: vault.folder.appending(path: "header.2"))
        #expect(try problems() == [.headerCopy])
    }

    @Test func rebuildingKeepsEveryNoteAndItsWords() throws {
        let before = try store.list(NoteFilter(), offset: 0, limit: 100)
        let trash = NoteFilter.inTrash
        let trashedBefore = try store.list(trash, offset: 0, limit: 100)
        #expect(try store.rebuildIndex() == 5)
        #expect(try store.list(NoteFilter(), offset: 0, limit: 100) == before)
        #expect(try store.list(trash, offset: 0, limit: 100) == trashedBefore)
        #expect(try store.search("other words", limit: 9, page: 1, snippetColumns: 60).hits.map(\.note.id) == [notes[0]])
        _ = try store.edit(notes[0]) { $0.body = "again" }
        #expect(try store.search("other words", limit: 9, page: 1, snippetColumns: 60).hits.isEmpty)
        #expect(try problems().isEmpty)
    }
}

extension NoteFilter {
    static var inTrash: NoteFilter {
        var filter = NoteFilter()
        filter.trashed = true
        return filter
    }
}

/// Runs a whole check.
func check(_ store: VaultStore) throws -> CheckReport {
    let check = VaultCheck(store)
    while try check.step() {}
    return check.report
}
