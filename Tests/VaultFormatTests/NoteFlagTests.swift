// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

/// The flags of a note, written down by hand from docs/format.md §9.
@Suite struct NoteFlagTests {
    @Test func eachFlagHasItsBitAndItsName() {
        #expect(NoteFlag.byBit.map(\.rawValue) == [1, 2, 4, 8])
        #expect(NoteFlag.byBit.map(\.name) == ["trashed", "pinned", "archived", "template"])
        #expect(NoteRecord.Flags([.trashed, .pinned, .archived, .template]).rawValue == 15)
    }

    @Test func exportsHaveTheirOrder() {
        #expect(NoteFlag.allCases.map(\.name) == ["pinned", "archived", "trashed", "template"])
    }

    @Test func marksSayNothingOfThePlace() {
        #expect(NoteFlag.marks == [.pinned])
        #expect(NoteRecord.Flags([.trashed, .pinned, .archived, .template]).marks == .pinned)
    }
}
