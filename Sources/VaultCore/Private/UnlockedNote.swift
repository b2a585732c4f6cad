// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText
internal import VaultFormat

/// A private note that is unlocked: what the lists do not have of it.
struct UnlockedNote {
    let row: Int64
    let record: NoteRecord

    var id: NoteID { record.noteID }
    var place: NotePlace { NotePlace(record.flags) }
    var title: String { NoteText.title(record) }
}

/// What the tables of names say of an ordinary note, said of a private one's content in memory.
extension UnlockedNote {
    /// Whether it has a tag, or one below it.
    func isTagged(_ key: [UInt8]) -> Bool { record.tags.contains { TagKey.isAtOrBelow(TagKey.bytes($0), key) } }

    /// Whether it lies in a notebook, or one below it.
    func isIn(notebook path: String) -> Bool {
        TagKey.isAtOrBelow(Array(record.notebook.utf8), Array(path.utf8)) && !record.notebook.isEmpty
    }
}
