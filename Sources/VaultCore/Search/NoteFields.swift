// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText
internal import VaultFormat

/// `NoteFields` is what a filter looks at before any text: a note's fields as the lists have them, or, of a private
/// note that is unlocked, as its record has them.
struct NoteFields {
    let row: Int64
    let id: PackedID
    let place: NotePlace
    let isPinned: Bool
    let features: NoteFeatures
    let created: Int64
    let modified: Int64
    let byteCount: Int64
    let title: String
    let notebook: String
    /// Joined by line feeds.
    let tags: String

    /// Returns the columns that `init` reads. A million titles take time: they are read where they are asked for.
    ///
    /// - Parameter withNames: notebook and tags.
    static func columns(withTitle: Bool, withNames: Bool) -> String {
        "note.row, id, place, pinned, features, created, modified, byteCount, \(withTitle ? "title" : "''"), \(withNames ? "notebook, tags" : "'', ''")"
    }

    /// Reads the fields of a row.
    ///
    /// - Parameter row: of `columns`.
    init(_ row: RowReader) throws {
        self.row = try row.integer(0)
        id = try row.id(1)
        guard let place = NotePlace(rawValue: try row.integer(2)) else { throw VaultError(.integrity) }
        self.place = place
        isPinned = try row.integer(3) != 0
        features = NoteFeatures(rawValue: try row.integer(4))
        created = try row.integer(5)
        modified = try row.integer(6)
        byteCount = try row.integer(7)
        title = try row.text(8)
        notebook = try row.text(9)
        tags = try row.text(10)
    }

    init(_ note: UnlockedNote) {
        let record = note.record
        row = note.row
        id = PackedID(note.id)
        place = note.place
        isPinned = record.flags.contains(.pinned)
        features = ProjectedNote(record: record, isPrivate: true).features(NoteLinks(record))
        created = record.created
        modified = record.modified
        byteCount = Int64(record.body.utf8.count)
        title = note.title
        notebook = record.notebook
        tags = record.tags.joined(separator: "\n")
    }

    func holds(_ condition: NoteQuery.Condition, _ sets: NoteSets) -> Bool {
        switch condition {
        case .text, .title: true
        case .tag(let tag): isTagged(tag)
        case .notebook(let path): !notebook.isEmpty && TagKey.isAtOrBelow(TextFold.fold(notebook), path)
        case .created(let range): range.contains(created)
        case .modified(let range): range.contains(modified)
        case .has(let feature): has(feature, sets)
        case .state(let state): isIn(state, sets)
        case .book, .chapter: sets.ofBooks(condition)?.contains(id) == true
        }
    }

    /// Returns whether it has a tag, or one below it.
    func isTagged(_ key: [UInt8]) -> Bool {
        eachTag { TagKey.isAtOrBelow($0, key) }
    }

    /// Returns whether it has this very tag.
    func hasTag(_ tag: String) -> Bool { eachTag { $0 == TagKey.bytes(tag) } }

    private func eachTag(_ holds: ([UInt8]) -> Bool) -> Bool {
        !tags.isEmpty && tags.utf8.split(separator: 0x0A).contains { holds(TagKey.bytes(String(Substring($0)))) }
    }

    private func has(_ feature: NoteQuery.Feature, _ sets: NoteSets) -> Bool {
        switch feature {
        case .link: features.contains(.link)
        case .title: features.contains(.title)
        case .attachment: features.contains(.attachment)
        case .tag: !tags.isEmpty
        case .notebook: !notebook.isEmpty
        case .draft: sets.drafts.contains(id)
        case .conflict: sets.forks.contains(id)
        }
    }

    private func isIn(_ state: NoteQuery.State, _ sets: NoteSets) -> Bool {
        switch state {
        case .live: place == .live
        case .book: place == .book
        case .flag(.pinned): isPinned
        case .flag(.trashed): place == .trash
        case .flag(.archived): place == .archive
        case .flag(.template): place == .template
        case .draft: sets.drafts.contains(id)
        case .conflict: sets.forks.contains(id)
        case .isPrivate: features.contains(.isPrivate)
        case .upload(let state): sets.uploads.map { $0[id] == state } ?? false
        }
    }
}
