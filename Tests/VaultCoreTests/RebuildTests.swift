// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import VaultCore

/// Making lists and words anew while the vault is used: the old ones serve until the new ones are whole, and no change
/// is lost.
struct RebuildTests {
    private static let noteCount = 230
    private let vault: TestVault
    private let store: OpenVault

    init() throws {
        vault = try TestVault()
        store = try vault.open()
        _ = try store.imports.save((0..<Self.noteCount).map { NoteDraft(body: "note number \($0)") }, dryRun: false)
    }

    private func found(_ query: String) throws -> Int {
        for _ in 0..<20 {
            let page = try store.search.find(query, limit: 1000, page: 1, snippetColumns: 40)
            if !page.isCutShort { return page.hits.count }
        }
        return -1
    }

    @Test func lesson17aStepMakesAtMostTwoHundredNotesAndReadsGoOn() throws {
        let rebuild = IndexRebuild(store)
        var last = 0
        var steps = 0
        while try rebuild.step() {
            #expect(rebuild.count - last <= 200)
            last = rebuild.count
            steps += 1
            #expect(try store.notes.list(NoteFilter(), offset: 0, limit: 1).count == 1)
            #expect(try found("\"note number 17\"") == 11)
        }
        #expect(last == Self.noteCount && steps > 2)
        #expect(try check(store).problems.isEmpty)
    }

    @Test func changesBetweenTheStepsAreInTheNewIndex() throws {
        let rebuild = IndexRebuild(store)
        let notes = try store.notes.list(NoteFilter(), offset: 0, limit: 1000).map(\.id)
        #expect(try rebuild.step() && rebuild.step() && rebuild.step())
        let created = try store.notes.create(NoteDraft(body: "written meanwhile"))
        _ = try store.notes.edit(notes[3]) { $0.body = "edited meanwhile" }
        _ = try store.notes.setTrashed(notes[4], true)
        _ = try store.notes.setTrashed(notes[5], true)
        #expect(try store.notes.purgeTrash(limit: 1) == 1)
        while try rebuild.step() {}
        #expect(try store.notes.counts().notes[.live] == Self.noteCount - 1 && store.notes.counts().notes[.trash] == 1)
        #expect(try store.notes.list(NoteFilter(), offset: 0, limit: 2).map(\.id).contains(created.id))
        #expect(try found("meanwhile") == 2)
        #expect(try check(store).problems.isEmpty)
    }

    @Test func changesAfterEveryStepDoNotKeepItFromEnding() throws {
        let rebuild = IndexRebuild(store)
        var steps = 0
        while try rebuild.step() {
            _ = try store.notes.create(NoteDraft(body: "between \(steps)"))
            steps += 1
            try #require(steps < 100)
        }
        #expect(try store.notes.counts().notes[.live] == Self.noteCount + steps)
        #expect(try found("between") == steps)
        #expect(try check(store).problems.isEmpty)
    }

    @Test func aCrashBetweenTheStepsLeavesTheOldIndexAndALaterRebuildEnds() throws {
        let rebuild = IndexRebuild(store)
        #expect(try rebuild.step() && rebuild.step() && rebuild.step())
        let crashed = try TestVault(copying: vault)
        let opened = try crashed.open()
        #expect(try opened.notes.counts().notes[.live] == Self.noteCount)
        #expect(try check(opened).problems.isEmpty)
        #expect(try opened.checks.rebuildIndex() == Self.noteCount)
        #expect(try check(opened).problems.isEmpty)
        _ = try opened.notes.create(NoteDraft(body: "and on"))
        #expect(try check(opened).problems.isEmpty)
        try opened.end()
    }
}
