// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// An open vault with an edited, a trashed and a purged note, to be changed behind the chain's back. Changes are made
/// through the store's own connection: each page is authentic, as an old page put back would be.
final class CheckFixture {
    let vault: TestVault
    let store: OpenVault
    let notes: [NoteID]

    init() throws {
        vault = try TestVault()
        store = try vault.open()
        var notes: [NoteID] = []
        for number in 0..<6 {
            var draft = NoteDraft(body: "Note \(number)\nwith some words")
            draft.tags = ["tag\(number)"]
            notes.append(try store.notes.create(draft).id)
        }
        _ = try store.notes.edit(notes[0]) { $0.body = "Edited\nother words" }
        _ = try store.notes.setTrashed(notes[1], true)
        _ = try store.notes.setTrashed(notes[2], true)
        _ = try store.notes.purgeTrash(limit: 1)
        self.notes = notes
    }

    func change(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
        try store.write { try $0.database.execute(sql: sql, arguments: arguments) }
    }

    func id(_ index: Int) -> Data { notes[index].bytes.blob }
    func problems() throws -> Set<CheckProblem.Kind> { Set(try check(store).problems.map(\.kind)) }
}

extension NoteFilter {
    static var inTrash: NoteFilter {
        var filter = NoteFilter()
        filter.place = .trash
        return filter
    }
}

/// Runs a whole check.
func check(_ store: OpenVault) throws -> CheckReport {
    let check = VaultCheck(store)
    while try check.step() {}
    return check.report
}
