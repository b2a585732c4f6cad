// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// A check beside a writer: of one moment, in short steps, and to its end.
struct CheckMomentTests {
    private func vault(notes: Int) throws -> (vault: TestVault, store: OpenVault) {
        let vault = try TestVault()
        let store = try vault.open()
        for number in 0..<notes {
            _ = try store.notes.create(
                NoteDraft(body: "note \(number) quokka\n" + String(repeating: "words \(number) ", count: 200)))
        }
        return (vault, store)
    }

    @Test func aCheckComparesOneMomentWhateverIsWrittenMeanwhile() throws {
        let (vault, store) = try vault(notes: 300)
        let check = VaultCheck(store)
        var written = 0
        var steps = 0
        while try check.step() {
            steps += 1
            guard check.report.pages > 0, written < 400 else { continue }
            // After each of its steps: new notes, changed ones, an emptied log.
            _ = try store.notes.create(NoteDraft(body: "written meanwhile \(written)"))
            _ = try store.notes.edit(store.notes.resolve("note \(written % 300) quokka")) { $0.body += "more" }
            if written % 5 == 0 { try store.startNewLog(isOpen: true) }
            written += 1
        }
        #expect(check.report.problems.isEmpty, "\(check.report.problems)")
        #expect(written > 5 && steps > written)
        // It began once: what was written behind its moment is not in it.
        #expect(check.report.notes < 300 + written && check.report.notes >= 300)
        #expect(check.report.revisions < 300 + 2 * written)
        let after = try VaultCoreTests.check(store)
        #expect(after.problems.isEmpty && after.notes == 300 + written)
        try store.end()
        _ = vault
    }

    @Test func aCheckGoesOnThroughARotationAndAChangedNotePassword() throws {
        let full = try RotatingVault(notes: 30)
        let store = try full.vault.open()
        let check = VaultCheck(store)
        for _ in 0..<3 { _ = try check.step() }
        try RotatingVault.begin(store) { _ = try check.step() }
        try RotatingVault.finish(store) { _ = try check.step() }
        while try check.step() {}
        #expect(check.report.problems.isEmpty, "\(check.report.problems)")
        try store.end()
    }

    @Test func whatWasWrongAtThatMomentIsFoundThoughNotesAreWritten() throws {
        let fixture = try CheckFixture()
        try fixture.change("UPDATE note SET title = 'another' WHERE id = ?", [fixture.id(3)])
        let check = VaultCheck(fixture.store)
        while try check.step() { _ = try fixture.store.notes.create(NoteDraft(body: "meanwhile")) }
        #expect(check.report.problems.map(\.kind) == [.projection])
    }

    @Test func anAbandonedCheckEndsItsThread() throws {
        let (vault, store) = try vault(notes: 300)
        for steps in 0..<12 {
            let check = VaultCheck(store)
            for _ in 0..<steps { _ = try check.step() }
        }
        // The keys may go now.
        try store.end()
        try vault.open().end()
    }

    @Test func howTheLastCheckEndedIsRemembered() throws {
        let (vault, store) = try vault(notes: 3)
        #expect(store.checks.last == nil)
        store.checks.remember(LastCheck(made: 1_700_000_000_000, problems: 2))
        try store.end()
        let again = try vault.open()
        #expect(again.checks.last == LastCheck(made: 1_700_000_000_000, problems: 2))
        again.checks.remember(LastCheck(made: 1_700_000_001_000, problems: 0))
        #expect(again.checks.last?.problems == 0)
        #expect(try VaultCoreTests.check(again).problems.isEmpty)
        try again.end()
    }

    @Test func whatIsNotTheVaultsIsNamed() throws {
        let (vault, store) = try vault(notes: 2)
        #expect(try VaultCoreTests.check(store).foreign.isEmpty)
        let draft = try store.drafts.begin(DraftStart())
        _ = draft
        for name in ["letter.txt", "index-1.db.bak", "index-.db", ".hidden", "drafts/notes.md"] {
            let place = vault.folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data([1]).write(to: place)
        }
        let report = try VaultCoreTests.check(store)
        #expect(
            report.foreign == [".hidden", "drafts/notes.md", "index-.db", "index-1.db.bak", "letter.txt"]
                && report.problems.isEmpty)
        try store.end()
    }
}
