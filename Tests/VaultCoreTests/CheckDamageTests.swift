// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// `vault check` of an index with a page that does not open: it goes on, and names what lay there and nothing else.
struct CheckDamageTests {
    /// A vault in one file, without a log, with texts on pages of their own.
    private final class Fixture {
        let vault: TestVault
        var notes: [NoteID] = []
        private(set) var pageCount = 0

        init() throws {
            vault = try TestVault()
            let store = try vault.open()
            for number in 0..<40 {
                var draft = NoteDraft(
                    body: "Note \(number)\n" + String(repeating: "words of \(number) ", count: number % 4 * 160 + 20))
                draft.tags = ["tag\(number % 3)"]
                notes.append(try store.notes.create(draft).id)
            }
            for note in notes.prefix(5) { _ = try store.notes.edit(note) { $0.body += "\nedited" } }
            try store.end()
            pageCount = try vault.bytes("index-1.db").count / 4096
        }

        func damage(_ page: Int) throws { try vault.change("index-1.db") { $0[(page - 1) * 4096 + 100] ^= 1 } }
    }

    /// By trying each: notes whose shown revision does not open, and notes of which any does not.
    private func lost(_ store: OpenVault, _ notes: [NoteID]) throws -> (shown: Set<NoteID>, any: Set<NoteID>) {
        var (shown, any): (Set<NoteID>, Set<NoteID>) = ([], [])
        for note in notes {
            // Where it cannot be said how a note is sealed, nothing of it opens, and nothing of it is damaged.
            guard let listed = try? store.history.listed(of: note), (try? store.privateNotes.isPrivate(note)) != nil
            else { continue }
            if listed.first?.summary == nil { shown.insert(note) }
            if listed.contains(where: { $0.summary == nil }) { any.insert(note) }
        }
        return (shown, any)
    }

    @Test func A08eachPageThatDoesNotOpenIsReportedWithWhatLayOnItAndNothingElse() throws {
        let fixture = try Fixture()
        let copy = try TestVault(copying: fixture.vault, sharingPins: true)
        var openedCount = 0
        // Every seventh page, so that tables, their indexes and long rows all have their turn.
        for page in stride(from: 2, through: fixture.pageCount, by: 7) {
            try fixture.vault.putBack(copy)
            try fixture.damage(page)
            // Where the page is needed to open at all, there is nothing to check.
            guard let store = try? fixture.vault.open() else { continue }
            defer { try? store.end() }
            openedCount += 1
            let report = try check(store)
            #expect(report.problems.contains { $0.kind == .page }, "page \(page)")
            let (shown, any) = try lost(store, fixture.notes)
            let kinds: Set<CheckProblem.Kind> = [.revisionUnreadable, .revisionMissing]
            let named = Set(report.problems.filter { kinds.contains($0.kind) }.compactMap(\.noteID))
            #expect(named == any, "page \(page): \(report.problems)")
            #expect(Set(report.lostTexts.keys) == shown, "page \(page)")
            #expect(!report.problems.contains { $0.kind == .revisionUnknown }, "page \(page)")
        }
        #expect(openedCount > 4)
    }

    @Test(arguments: ["revision", "note", "noteTag", "entry", "folded"])
    func A08aDamagedFirstPageOfATableEndsOnlyThatTablesPart(table: String) throws {
        let fixture = try Fixture()
        let store = try fixture.vault.open()
        let root = try #require(
            try store.read {
                try Int.fetchOne(
                    $0.database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])
            })
        try store.startNewLog(isOpen: true)
        try fixture.damage(root)
        let report = try check(store)
        #expect(report.problems.contains { $0.kind == .page })
        #expect(report.problems.contains { $0.kind != .page && $0.kind != .structure }, "\(table): \(report.problems)")
        #expect((report.revisions > 0) == (table != "revision"))
        #expect((report.notes > 0) == (table != "note"))
        if table == "note" {
            let named = Set(report.problems.filter { $0.kind == .projection }.compactMap(\.noteID))
            #expect(named == Set(fixture.notes), "the chain knows which notes there are")
        }
        if table == "revision" {
            let named = Set(report.problems.filter { $0.kind == .revisionUnreadable }.compactMap(\.noteID))
            #expect(named == Set(fixture.notes))
        }
    }

    @Test func everyProblemOfAListIsMendedByRepairAndOfATextByWhatOpens() throws {
        let fixture = try CheckFixture()
        try fixture.change("UPDATE note SET title = 'other' WHERE id = ?", [fixture.id(5)])
        try fixture.change(
            "UPDATE revision SET sealed = zeroblob(200) WHERE rowid = (SELECT max(rowid) FROM revision WHERE note = ?)",
            [fixture.id(0)])
        try fixture.change("UPDATE revision SET sealed = zeroblob(200) WHERE note = ?", [fixture.id(3)])
        let report = try check(fixture.store)
        var mends: [NoteID: CheckProblem.Mend] = [:]
        for problem in report.problems { if let note = problem.noteID { mends[note] = report.mend(of: problem) } }
        #expect(mends == [fixture.notes[5]: .repair, fixture.notes[0]: .revert(1), fixture.notes[3]: .remove])
    }

    @Test func whatCannotBeReachedIsPassedOverAndTheRestIsNot() throws {
        let walk = TableWalk(table: "t", key: "k", end: 100_000)
        let hidden: [ClosedRange<Int64>] = [5...9, 400...3000, 3002...3002]
        let keys = Set(Int64(1)...4000)
        func read(_ first: Int64) throws(VaultError) -> Int64? {
            if hidden.contains(where: { $0.contains(first) }) { throw VaultError(.integrity) }
            return keys.contains(first) ? first : nil
        }
        var (last, seen): (Int64, Set<Int64>) = (0, [])
        for _ in 0..<5000 {
            let at = last
            let found = try walk.next(after: at, read)
            guard let key = found.key else { break }
            seen.insert(key)
            last = key
        }
        #expect(seen == keys.filter { key in !hidden.contains { $0.contains(key) } })
    }
}
