// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What stands before the text of an exported Markdown file. The keys are those that Obsidian and Joplin know, and our
/// own import.
enum FrontMatter {
    /// So much of a list of files: readers take front matter up to some size. Files that are not listed are the note's
    /// by the folder that they lie in.
    private static let listByteCountMax = 8 << 10

    /// - Parameter files: attachments to list, as paths from the note's folder.
    /// - Returns: two fences with the properties between them, and one empty line, which is no part of the text.
    static func bytes(of note: ExportedNote, listing files: [String] = []) -> [UInt8] {
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
        list(files, &yaml)
        yaml.line("---")
        return yaml.bytes + [UInt8(ascii: "\n")]
    }

    /// As links that Obsidian follows, where a name can stand in one.
    private static func list(_ files: [String], _ yaml: inout YAMLText) {
        guard !files.isEmpty else { return }
        yaml.line("attachments:")
        let start = yaml.bytes.count
        for file in files where yaml.bytes.count - start < listByteCountMax {
            yaml.line("  - ", file.contains { "[]|#^".contains($0) } ? file : "[[\(file)]]")
        }
    }
}
