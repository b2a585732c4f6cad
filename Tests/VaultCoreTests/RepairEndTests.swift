// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import SealedSQLite
@testable import VaultCore

/// A repair is complete only where the newest counters prove that nothing followed what was found.
struct RepairEndTests {
    private let fixture: SalvageFixture

    init() throws { fixture = try SalvageFixture.shared.get() }

    /// The first page of a table's tree: of a small one its only page.
    private func page(of table: String, in vault: TestVault) throws -> Int {
        let store = try vault.open()
        defer { try? store.end() }
        return try #require(
            try store.read {
                try Int.fetchOne(
                    $0.database, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [table])
            })
    }

    /// The fixture's vault, with one note more.
    private func newer() throws -> TestVault {
        let vault = try fixture.copy()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "newer"))
        try store.end()
        return vault
    }

    @Test func withoutCountersTheEndIsNotKnown() throws {
        let vault = try fixture.copy()
        try vault.damage(page: page(of: "state", in: vault))
        let (report, store) = try vault.repair()
        #expect(report.isRebuilt && report.endIsUnknown && !report.isComplete)
        try fixture.expectKept(store, report, "state")
    }

    @Test func X30anOlderIndexWithoutItsCountersIsNoCompleteRepair() throws {
        let vault = try newer()
        let statePage = try page(of: "state", in: vault)
        let old = try fixture.vault.bytes(SalvageFixture.index)
        try vault.change(SalvageFixture.index) { $0 = old }
        try vault.damage(page: statePage)
        let (report, store) = try vault.repair()
        #expect(report.endIsUnknown && !report.isComplete)
        try store.end()
    }

    @Test func countersThatWerePutBackDoNotMakeAnOlderIndexComplete() throws {
        let vault = try newer()
        let statePage = try page(of: "state", in: vault)
        let old = try fixture.vault.bytes(SalvageFixture.index)
        let range = (statePage - 1) * SalvageFixture.pageByteCount..<statePage * SalvageFixture.pageByteCount
        try vault.change(SalvageFixture.index) { $0.replaceSubrange(range, with: old[range]) }
        let (report, store) = try vault.repair()
        #expect(report.isRebuilt && report.endIsUnknown && !report.isComplete)
        try store.end()
    }

    /// As a sync program leaves them that carries an index and another machine's manifest.
    @Test func X30anIndexOfAnotherMomentThanItsManifestLosesNoNote() throws {
        let vault = try newer()
        let other = try fixture.copy()
        var store = try other.open()
        for number in 0..<40 { _ = try store.notes.create(NoteDraft(body: "elsewhere \(number)")) }
        try store.end()
        let index = try other.bytes(SalvageFixture.index)
        try vault.change(SalvageFixture.index) { $0 = index }
        let (report, repaired) = try vault.repair()
        store = repaired
        #expect(report.isRebuilt && report.endIsUnknown && !report.isComplete && report.oldPages > 0)
        #expect(report.loss.notes.filter { $0.kind == .gone }.isEmpty)
        #expect(report.notes == fixture.texts.count + fixture.privateNotes.count + 40)
        try fixture.expectKept(store, report, "an index of another moment")
        try store.end()
    }

    @Test func withoutAnythingThatVouchesForTheIndexTheEndIsNotKnown() throws {
        let vault = try fixture.copy()
        for name in ManifestFile.names { try FileManager.default.removeItem(at: vault.folder.appending(path: name)) }
        let (report, store) = try vault.repair()
        #expect(report.endIsUnknown && !report.isComplete)
        try store.end()
    }

    @Test func attachmentsOfPrivateNotesCountWhenTheirRowsAreLost() throws {
        let vault = try fixture.copy()
        let store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "with a file")).id
        _ = try store.addAttachment("hidden.bin", [UInt8](repeating: 9, count: 20_000), to: note)
        try store.makePrivate(note)
        try store.end()
        for table in ["attachment", "attachmentSpare"] { try vault.damage(page: page(of: table, in: vault)) }
        let (report, again) = try vault.repair()
        #expect(report.loss.notes.contains { $0.id == fixture.attached && $0.kind == .attachment })
        #expect(report.loss.attachments == 1 && !report.isComplete)
        try again.end()
    }
}
