// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultCrypto
import VaultFormat

@testable import SealedSQLite
@testable import VaultCore

/// A vault whose index rots is repaired from its own cells.
struct RepairTests {
    private let fixture: SalvageFixture

    init() throws { fixture = try SalvageFixture.shared.get() }

    @Test func aVaultWithoutDamageIsLeftAsItIs() throws {
        let vault = try fixture.copy()
        let before = try vault.bytes(SalvageFixture.index)
        let (report, store) = try vault.repair()
        #expect(report.hasFoundNothing && report.isComplete && report.kept == nil)
        try store.end()
        #expect(try vault.bytes(SalvageFixture.index) == before)
    }

    /// Every twelfth page, so that tables of all kinds are hit; `make rot` hits all.
    @Test(arguments: 0..<3) func eachDamagedPageCostsWhatLayInIt(_ turn: Int) throws {
        for page in stride(from: 1 + 12 * turn, through: fixture.pageCount, by: 36) {
            let vault = try fixture.copy()
            try vault.damage(page: page)
            let (report, store) = try vault.repair()
            #expect(report.isRebuilt && report.lostPages == 1, "page \(page)")
            try fixture.expectKept(store, report, "page \(page)")
            // One page holds the rows of a few notes, not of many.
            #expect(report.loss.notes.count < 40, "page \(page)")
            try store.end()
            #expect(try vault.names("index-1.db.damaged-").count == 1)
            let again = try vault.open()
            #expect(try check(again).foreign.isEmpty)
            try again.end()
        }
    }

    @Test func aLostFirstPageCostsNothing() throws {
        let vault = try fixture.copy()
        try vault.damage(page: 1)
        #expect(throws: VaultError(.integrity)) { try vault.open() }
        let (report, store) = try vault.repair()
        #expect(report.loss.isNone && report.isComplete)
        try fixture.expectKept(store, report, "page 1")
        #expect(try store.content(store.attachments.find("data.bin", of: fixture.attached)).count == 30_000)
        let draft = try store.drafts.withText(#require(try store.drafts.all().first))
        #expect(draft.id == fixture.draft && draft.text?.body == Array("unfinished".utf8))
        for (note, text) in fixture.privateNotes {
            try store.openPrivate(note)
            #expect(try store.notes.note(note).body == text)
        }
        // Its history goes on: what was done last can be undone.
        #expect(report.loss.historyIsNew == false)
    }

    @Test func withoutAnyInteriorPageEverythingIsThere() throws {
        let vault = try fixture.copy()
        let pages = try interiorPages(vault)
        #expect(!pages.isEmpty)
        for page in pages { try vault.damage(page: page) }
        let (report, store) = try vault.repair()
        // Interior pages of tables have no rows.
        #expect(report.loss.isNone)
        try fixture.expectKept(store, report, "interior pages")
    }

    private func interiorPages(_ vault: TestVault) throws -> [Int] {
        let store = try vault.open()
        defer { try? store.end() }
        return (2...fixture.pageCount).filter { store.database.storage.openedPage(UInt32($0))?[0] == 0x05 }
    }

    @Test(arguments: [1, 5000, 40_960]) func aFileThatWasCutIsRepaired(_ byteCount: Int) throws {
        let vault = try fixture.copy()
        try vault.change(SalvageFixture.index) { $0.removeLast(byteCount) }
        let (report, store) = try vault.repair()
        #expect(report.isRebuilt)
        // Ten pages may hold all that there was of a note.
        try fixture.expectKept(store, report, mayLackNames: byteCount > 4096, "cut by \(byteCount)")
    }

    @Test func withoutManifestTheIndexIsStillReadAsFarAsItIsThere() throws {
        let vault = try fixture.copy()
        for name in ManifestFile.names { try FileManager.default.removeItem(at: vault.folder.appending(path: name)) }
        let (report, store) = try vault.repair()
        #expect(report.loss.isNone)
        try fixture.expectKept(store, report, "no manifest")
    }

    @Test func whatWasPurgedOrThinnedDoesNotComeBack() throws {
        let vault = try fixture.copy()
        let store = try vault.open()
        let note = try #require(fixture.texts.keys.max { $0.text < $1.text })
        _ = try store.notes.setTrashed(note, true)
        while try store.notes.purgeTrash(limit: 10) > 0 {}
        // The old pages are still in the file, the new ones in the log.
        let crashed = try TestVault(copying: vault)
        try crashed.damage(page: 1)
        try crashed.damage(page: 2)
        try crashed.change("index-1.db-wal") { $0[72 + 500] ^= 1 }
        let (report, again) = try crashed.repair()
        #expect(report.loss.notes.allSatisfy { $0.id != note })
        #expect(throws: (any Error).self) { try again.notes.note(note) }
    }

    @Test func damageInTheLogIsMadeGoodFromOlderPages() throws {
        let vault = try fixture.copy()
        let store = try vault.open()
        let note = try #require(fixture.texts.keys.min { $0.text < $1.text })
        _ = try store.notes.edit(note) { $0.body = "written last" }
        let crashed = try TestVault(copying: vault)
        // The first frame of the log.
        try crashed.change("index-1.db-wal") { $0[72 + 500] ^= 1 }
        #expect(throws: VaultError(.integrity)) { try crashed.open() }
        let (report, again) = try crashed.repair()
        #expect(report.isRebuilt && report.remaining.isEmpty)
        let text = try again.notes.note(note).body
        #expect(text == "written last" || report.loss.notes.contains { $0.id == note } || report.lostChanges > 0)
        for (other, body) in fixture.texts where other != note {
            let isNamed = report.loss.notes.contains { $0.id == other }
            #expect(try isNamed || again.notes.note(other).body == body)
        }
    }

    @Test func anIndexThatWasPutBackIsNoCompleteRepair() throws {
        let vault = try fixture.copy()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "newer"))
        try store.end()
        let old = try fixture.vault.bytes(SalvageFixture.index)
        try vault.change(SalvageFixture.index) { $0 = old }
        let (report, again) = try vault.repair()
        #expect(report.lostChanges > 0 && !report.isComplete)
        try again.end()
    }

    @Test func aRepairedVaultIsWrittenToAndRepairedAgain() throws {
        let vault = try fixture.copy()
        try vault.damage(page: 3)
        let (_, store) = try vault.repair()
        let note = try store.notes.create(NoteDraft(body: "after the repair")).id
        try store.end()
        try vault.damage(page: 2)
        let (report, again) = try vault.repair()
        #expect(try again.notes.note(note).body == "after the repair")
        #expect(report.remaining.isEmpty)
        #expect(try vault.names("index-1.db.damaged-").count == 2)
    }

    /// An index that is missing, empty, zeroed, or has no page that opens.
    @Test(arguments: 0..<4) func anIndexOfWhichNothingIsLeftIsRefusedBeforeAnythingIsChanged(_ kind: Int) throws {
        let vault = try fixture.copy()
        switch kind {
        case 0: try FileManager.default.removeItem(at: vault.folder.appending(path: SalvageFixture.index))
        case 1: try vault.change(SalvageFixture.index) { $0.removeAll() }
        case 2: try vault.change(SalvageFixture.index) { $0 = $0.map { _ in 0 } }
        default: for page in 1...fixture.pageCount { try vault.damage(page: page) }
        }
        let names = try vault.names("")
        let manifest = try vault.bytes(ManifestFile.names[0])
        #expect(throws: VaultError(.nothingLeft)) { try vault.repair() }
        #expect(try vault.names("").filter { $0 != "lock" } == names.filter { $0 != "lock" })
        #expect(try vault.bytes(ManifestFile.names[0]) == manifest)
    }

    /// The index may only be somewhere else, so its place is left free; a salvage takes what the log holds.
    @Test func ofALogWithoutItsIndexNoVaultIsMadeInItsPlace() throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "in the log"))
        let crash = try TestVault(copying: vault)
        try store.end()
        try crash.remove(SalvageFixture.index)
        do {
            _ = try crash.repair()
            Issue.record("it was repaired")
        } catch let error as VaultError { #expect(error.code == .nothingLeft && error.found ?? 0 > 72) }
        #expect(try !crash.names("").contains { $0.contains(".repaired") || $0 == SalvageFixture.index })
    }

    @Test func aFileSizeThatIsALieEndsNoProgram() {
        #expect(VaultRepair.roomNeeded(.max, log: .max) > 1 << 60)
        #expect(VaultRepair.roomNeeded(8 << 20, log: 0) == 10 << 20)
    }
}
