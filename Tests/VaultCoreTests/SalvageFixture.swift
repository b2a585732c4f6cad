// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// A closed vault with everything that an index holds, to be copied and damaged: sixty notes, some of them long,
/// edited, private, in the trash, with attachments, with two heads, and an edit that was begun.
struct SalvageFixture: @unchecked Sendable {
    let vault: TestVault
    /// What each note that is not private says.
    let texts: [NoteID: String]
    let privateNotes: [NoteID: String]
    let draft: DraftID
    /// Whose attachment is thirty thousand bytes long.
    let attached: NoteID
    static let pageByteCount = 4096
    static let index = "index-1.db"

    static let shared: Result<SalvageFixture, any Error> = Result { try SalvageFixture() }

    private init() throws {
        vault = try TestVault()
        let store = try vault.open()
        var texts: [NoteID: String] = [:]
        for number in 0..<60 {
            var draft = NoteDraft(body: "Note \(number)\n" + String(repeating: "line \(number)\n", count: number * 12))
            draft.tags = ["tag\(number % 5)"]
            draft.notebook = number % 3 == 0 ? "Home" : ""
            let note = try store.notes.create(draft).id
            texts[note] = draft.body
            guard number % 7 == 0 else { continue }
            texts[note] = "Edited \(number)\n" + draft.body
            _ = try store.notes.edit(note) { $0.body = "Edited \(number)\n" + $0.body }
        }
        let ids = texts.keys.sorted { $0.text < $1.text }
        _ = try store.notes.setTrashed(ids[3], true)
        attached = ids[5]
        _ = try store.addAttachment("data.bin", [UInt8](repeating: 7, count: 30_000), to: ids[5])
        var privateNotes: [NoteID: String] = [:]
        for number in 0..<2 {
            let body = "Secret \(number)\nrosebud\n"
            let note = try store.notes.create(NoteDraft(body: body)).id
            try store.makePrivate(note)
            privateNotes[note] = body
        }
        var start = DraftStart()
        start.note = ids[8]
        start.base = try store.notes.note(ids[8]).revision
        let journal = try store.drafts.begin(start)
        try journal.save(Array("unfinished".utf8))
        draft = journal.id
        (self.texts, self.privateNotes) = (texts, privateNotes)
        try store.end()
    }

    var pageCount: Int { ((try? vault.bytes(Self.index).count) ?? 0) / Self.pageByteCount }

    /// A copy of it that is to be damaged.
    func copy() throws -> TestVault { try TestVault(copying: vault) }

    /// Whether each note says what it said, or is named as lost.
    func expectKept(
        _ store: OpenVault, _ report: RepairReport, mayLackNames: Bool = false, _ comment: Comment
    ) throws {
        let lost = Set(report.loss.notes.map(\.id))
        for (note, text) in texts where !lost.contains(note) {
            do {
                let body = try store.notes.note(note).body
                #expect(body == text, comment)
            } catch {
                guard mayLackNames, error.code == .notFound else { throw error }
                // Of which no row is left at all nobody knows the name; the report must not call itself complete then.
                #expect(report.endIsUnknown && !report.isComplete, comment)
            }
        }
        for note in privateNotes.keys where !lost.contains(note) {
            let isPrivate = try store.privateNotes.isPrivate(note)
            #expect(isPrivate || (mayLackNames && report.endIsUnknown), comment)
        }
        #expect(report.remaining.isEmpty, comment)
        #expect(try check(store).problems.isEmpty, comment)
    }
}

extension TestVault {
    /// Repairs it as its owner would, who has it locked.
    func repair() throws -> (report: RepairReport, store: OpenVault) {
        let repair = try VaultRepair(probe(), .recoveryKey(secret(Self.recoveryKey)))
        let report = try repair.run { _, _, _ in true }
        return (report, try repair.open())
    }

    /// Flips bits of a page of the index, from 1.
    func damage(page: Int) throws {
        try change(SalvageFixture.index) { $0[(page - 1) * SalvageFixture.pageByteCount + 1000] ^= 0x55 }
    }

    /// Names in its folder that begin so.
    func names(_ prefix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(prefix) }.sorted()
    }
}
