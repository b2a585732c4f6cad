// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What stands before the text of an exported Markdown file. The keys are those that Obsidian and Joplin know, and our own import.
enum FrontMatter {
    /// - Returns: two fences with the properties between them, and one empty line, which is no part of the text.
    static func bytes(of note: ExportedNote) -> [UInt8] {
        var yaml = YAMLText()
        yaml.line("---")
        if note.titleIsSet { yaml.line("title: ", note.title) }
        yaml.line("created: ", date: note.created)
        yaml.line("updated: ", date: note.modified)
        if !note.tags.isEmpty {
            yaml.line("tags:")
            for tag in note.tags { yaml.line("  - ", tag) }
        }
        yaml.line("id: ", note.id)
        if note.isPinned { yaml.line("pinned: true") }
        if note.isArchived { yaml.line("archived: true") }
        if note.isTrashed { yaml.line("trashed: true") }
        if note.isTemplate { yaml.line("template: true") }
        if let source = note.source { yaml.line("imported-from: ", source) }
        yaml.line("---")
        return yaml.bytes + [UInt8(ascii: "\n")]
    }
}
