// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// A folder of Markdown and text files, with the other files that the notes show or link to.
///
/// Notes are what `vault-parse markdown` makes of them, to the byte, except where a link leads to a file that becomes an attachment. It is read
/// four times: which other files there are; which of them the notes name; those files; the notes.
struct MarkdownFolderImport: ForeignImporter {
    private static let contentByteCountMax = 16 << 20
    private static let noteEndings: Set<String> = ["md", "markdown", "txt"]

    private var index = ObsidianIndex()
    private var shown: Set<String> = []

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        while let entry = try source.nextEntry() {
            if let refusal = entry.refusal {
                if pass == 0 { output.refuse(refusal, entry.path) }
            } else if Self.noteEndings.contains(EntryPath.ending(entry.path)) {
                if pass != 2 { try take(note: entry, source, pass, output) }
            } else if let path = String(validating: entry.path, as: UTF8.self) {
                try take(file: entry, path, source, pass, output)
            } else if pass == 0 {
                // No text can name it.
                output.found.attachments += 1
            }
        }
        return pass < 3
    }

    private mutating func take(
        file entry: SourceEntry, _ path: String, _ source: any EntrySource, _ pass: Int, _ output: ImportOutput
    ) throws(ImportFailure) {
        if pass == 0 {
            try output.remember(byteCount: 3 * path.utf8.count)
            index.add(path, title: nil)
            output.found.attachments += 1
        } else if pass == 2, shown.contains(path) {
            try output.attachment(key: path, name: ObsidianIndex.name(path), entry, source)
        }
    }

    private mutating func take(
        note entry: SourceEntry, _ source: any EntrySource, _ pass: Int, _ output: ImportOutput
    ) throws(ImportFailure) {
        guard let content = try source.readAll(max: Self.contentByteCountMax), !source.isCutShort,
            let file = try? ForeignFile(path: entry.path, modified: entry.modified ?? .min, content: content)
        else {
            if pass == 0 { output.refuse(source.isCutShort ? .damaged : .tooLarge, entry.path) }
            return
        }
        switch pass {
        case 0: output.found.notes += 1
        case 1:
            let note = MarkdownFolderNote(file, index)
            for file in note.files where shown.insert(file).inserted { try output.remember(byteCount: file.utf8.count) }
            output.found.tags += UInt64(note.finished().tags.count)
        default: output.deliver(MarkdownFolderNote(file, index).finished())
        }
    }
}
