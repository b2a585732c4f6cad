// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// An index of schema 4, which had no folded texts, opens, whatever is wrong with a note or came in between.
struct UpgradeTests {
    private func open4(_ vault: inout TestVault, _ change: (Database) throws -> Void = { _ in }) throws -> OpenVault {
        let store = try vault.open()
        try store.write { transaction in
            try transaction.database.execute(sql: "DROP TABLE folded")
            try transaction.database.execute(sql: "UPDATE state SET schema = 4")
            try change(transaction.database)
        }
        try store.end()
        return try vault.open()
    }

    private func filled(_ vault: borrowing TestVault) throws -> [NoteID] {
        let store = try vault.open()
        var drafts = (0..<450).map { NoteDraft(body: "number\($0) Älter wörter") }
        drafts[3].tags = ["three"]
        _ = try store.imports.save(drafts, dryRun: false)
        let notes = try store.notes.list(NoteFilter(), offset: 0, limit: 1000).map(\.id)
        _ = try store.notes.setTrashed(notes[7], true)
        try store.end()
        return notes
    }

    private func counts(_ store: OpenVault) throws -> (schema: Int, texts: Int) {
        try store.read {
            (
                try IndexState.fetch($0.database).schema,
                try Int.fetchOne($0.database, sql: "SELECT count(*) FROM folded") ?? 0
            )
        }
    }

    @Test func theTextsAreThereAfterwards() throws {
        var vault = try TestVault()
        let notes = try filled(vault)
        let store = try open4(&vault)
        #expect(try counts(store) == (10, 450) && check(store).problems.isEmpty)
        #expect(
            try store.search.find("number449 alter", limit: 5, page: 1, snippetColumns: 40).hits.map(\.note.id) == [
                notes[0]
            ])
        _ = try store.notes.edit(notes[0]) { $0.body = "other" }
        #expect(try store.search.find("number449", limit: 5, page: 1, snippetColumns: 40).hits.isEmpty)
        #expect(try check(store).problems.isEmpty)
    }

    /// A program of before, in front of an index that a later one wrote: it says so, and changes nothing.
    @Test func anIndexOfALaterSchemaIsLeftAsItIs() throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "kept"))
        try store.write { try $0.database.execute(sql: "UPDATE state SET schema = \(Schema.version + 1)") }
        try store.end()
        let files = ["header", "header.2", "manifest", "manifest.2", "index-1.db", "index-1.map"]
        let before = try files.map { try vault.bytes($0) }
        for _ in 0..<2 { expect(.newerFormat) { _ = try vault.open() } }
        #expect(try files.map { try vault.bytes($0) } == before)
    }

    @Test func aNoteThatDoesNotOpenKeepsNoVaultShut() throws {
        var vault = try TestVault()
        let notes = try filled(vault)
        let store = try open4(&vault) { database in
            try database.execute(
                sql: "UPDATE revision SET sealed = zeroblob(length(sealed)) WHERE note = ?",
                arguments: [notes[5].bytes.blob])
            try database.execute(sql: "DELETE FROM revision WHERE note = ?", arguments: [notes[6].bytes.blob])
        }
        #expect(try counts(store) == (10, 450))
        let problems = try check(store).problems
        #expect(problems.contains(CheckProblem(kind: .revisionUnreadable, noteID: notes[5])))
        #expect(problems.contains(CheckProblem(kind: .revisionMissing, noteID: notes[6])))
        #expect(try store.search.find("number449", limit: 5, page: 1, snippetColumns: 40).hits.count == 1)
    }

    @Test func whatWasBegunIsBegunAnew() throws {
        var vault = try TestVault()
        _ = try filled(vault)
        let store = try open4(&vault) { database in
            try database.execute(sql: "CREATE TABLE folded(row INTEGER PRIMARY KEY, text TEXT NOT NULL)")
            try database.execute(sql: "INSERT INTO folded VALUES(1, 'old'), (9999, 'nobody')")
        }
        #expect(try counts(store) == (10, 450) && check(store).problems.isEmpty)
    }
}
