// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// The text of a note by the editor that it was written in.
enum StandardNotesText {
    /// - Returns: Markdown, and the name of the original where it has to be kept.
    static func markdown(
        _ text: String, type: String, _ note: inout NoteAssembly, _ titles: NoteTitles
    ) -> (body: [UInt8], original: String?) {
        switch type {
        case "super":
            var bubbles: [String] = []
            let lexical = LexicalText(text) { id in
                bubbles.append(id)
                // Stands in for the link until the note can be asked for it.
                return titles.target(of: id).map { "[[\($0)]]" }
            }
            guard let lexical else {
                note.losses.add(.damagedMarkup)
                return (Array(text.utf8), nil)
            }
            for id in bubbles {
                if let target = titles.target(of: id) {
                    _ = note.link(to: id, target: target, label: "")
                } else {
                    note.losses.add(.linkTargetMissing)
                }
            }
            for kind in lexical.lost.sorted() { note.losses.add(.unsupportedMarkup, detail: kind) }
            return (Array(lexical.markdown.utf8), "original.json")
        case "rich-text":
            let result = MarkupConverter.convert(Array(text.utf8))
            for name in result.lost { note.losses.add(.unsupportedMarkup, detail: name) }
            if result.isDamaged { note.losses.add(.damagedMarkup) }
            return (result.markdown, "original.html")
        case "", "plain-text", "markdown", "code", "unknown": return (Array(text.utf8), nil)
        // Tables, tasks and one-time codes are JSON: the text is all of it.
        default:
            note.losses.add(.unsupportedMarkup, detail: type)
            return (Array(text.utf8), nil)
        }
    }
}
