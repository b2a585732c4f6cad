// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText
internal import VaultFormat

/// An `UnlockedNote` is a private note that is unlocked: what the lists do not have of it.
struct UnlockedNote {
    let row: Int64
    let record: NoteRecord

    var id: NoteID { record.noteID }
    var place: NotePlace { NotePlace(record.flags) }
    var title: String { NoteText.title(record) }
}

/// These functions say of a private note's content in memory what the tables of names say of an ordinary note.
extension UnlockedNote {
    /// Returns whether it has a tag, or one below it.
    func isTagged(_ key: [UInt8]) -> Bool { record.tags.contains { TagKey.isAtOrBelow(TagKey.bytes($0), key) } }

    /// Returns whether it lies in a notebook, or one below it.
    func isIn(notebook path: String) -> Bool {
        TagKey.isAtOrBelow(Array(record.notebook.utf8), Array(path.utf8)) && !record.notebook.isEmpty
    }
}
