// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText
internal import VaultFormat

/// What the index makes of a note's record: titles, snippets and the folded text that search looks in.
struct NoteText {
    let title: String
    let snippet: String
    let foldedTitle: [UInt8]
    let foldedBody: [UInt8]

    init(_ record: NoteRecord) {
        title = NoteTitle.display(title: record.title, body: record.body)
        snippet = Snippet.plain(title: record.title, body: record.body)
        foldedTitle = TextFold.fold(title)
        foldedBody = TextFold.fold(record.body)
    }

    /// What goes into the search table. The title stands apart from the body by a line feed, which no folded query holds.
    var indexed: [UInt8] { foldedTitle + [0x0A] + foldedBody }

    /// Titles are looked up by this; longer ones share a key and are compared whole.
    var titleKey: [UInt8] { Array(foldedTitle.prefix(64)) }
}
