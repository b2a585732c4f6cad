// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// A folder of Obsidian: notes in Markdown, files beside them, folders as notebooks.
///
/// It is read four times: which notes and files there are; which files the notes show; those files; the notes.
struct ObsidianImport: ForeignImporter {
    /// Drawings and boards: files that are notes to Obsidian.
    private static let ownKinds: Set<String> = ["canvas", "excalidraw", "base"]
    private static let contentByteCountMax = 16 << 20

    private var index = ObsidianIndex()
    private var shown: Set<String> = []
    private var known: Set<String> = []

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        var seen: Set<String> = []
        while let entry = try source.nextEntry() {
            if let refusal = entry.refusal {
                if pass == 0 { output.refuse(refusal, entry.path) }
                continue
            }
            // `.obsidian`, `.trash`, `.git`: the programs' own.
            if entry.path.split(separator: UInt8(ascii: "/")).contains(where: { $0.first == UInt8(ascii: ".") }) { continue }
            guard let path = String(validating: entry.path, as: UTF8.self) else {
                if pass == 0 { output.refuse(.unsafePath, entry.path) }
                continue
            }
            guard seen.insert(path.lowercased()).inserted else {
                if pass == 0 { output.refuse(.duplicate, entry.path) }
                continue
            }
            try take(entry, path, source, pass, output)
        }
        return pass < 3
    }

    private mutating func take(
        _ entry: SourceEntry, _ path: String, _ source: any EntrySource, _ pass: Int, _ output: ImportOutput
    ) throws(ImportFailure) {
        if MarkdownPath.isMarkdown(entry.path) {
            if pass != 2 { try take(note: entry, path, source, pass, output) }
            return
        }
        let isOwn = Self.ownKinds.contains(EntryPath.ending(entry.path))
        switch pass {
        case 0:
            if EntryPath.ending(entry.path) == "mdenc" { return output.refuse(.encrypted, entry.path) }
            try output.remember(byteCount: 3 * path.utf8.count)
            index.add(path, title: isOwn ? ObsidianIndex.name(path) : nil)
            output.found.attachments += 1
            if isOwn { output.found.notes += 1 }
        case 2:
            guard shown.contains(path) || isOwn else {
                if EntryPath.ending(entry.path) != "mdenc" { output.refuse(.notUsed, entry.path) }
                return
            }
            try output.attachment(key: path, name: ObsidianIndex.name(path), entry, source)
        case 3: if isOwn { output.deliver(Self.wrapper(path, entry)) }
        default: break
        }
    }

    private mutating func take(
        note entry: SourceEntry, _ path: String, _ source: any EntrySource, _ pass: Int, _ output: ImportOutput
    ) throws(ImportFailure) {
        guard let content = try source.readAll(max: Self.contentByteCountMax), !source.isCutShort,
            let file = try? ForeignFile(path: entry.path, modified: entry.modified ?? .min, content: content)
        else {
            if pass == 0 { output.refuse(source.isCutShort ? .damaged : .tooLarge, entry.path) }
            return
        }
        switch pass {
        case 0:
            try output.remember(byteCount: 5 * path.utf8.count)
            index.add(path, title: ObsidianNote.title(of: file, MarkdownNote.parse(file)))
            output.found.notes += 1
            if known.insert(ObsidianIndex.folder(path)).inserted, path.contains("/") { output.found.notebooks += 1 }
        case 1:
            let note = ObsidianNote(file, index)
            for file in note.files where shown.insert(file).inserted { try output.remember(byteCount: file.utf8.count) }
            let parsed = note.finished()
            output.found.tags += UInt64(parsed.tags.count)
            output.found.links += UInt64(parsed.links.count)
        default: output.deliver(ObsidianNote(file, index).finished())
        }
    }

    /// A note that holds nothing but a file.
    private static func wrapper(_ path: String, _ entry: SourceEntry) -> ParsedNote {
        var note = NoteAssembly(sourceKey: path)
        let name = ObsidianIndex.name(path)
        note.setTitle(name)
        note.setNotebook(ObsidianIndex.folder(path))
        note.setTimes(created: nil, updated: entry.modified)
        if let attached = note.attach(key: path, name: name) { note.setBody(Array("[\(attached)](att:\(attached))\n".utf8)) }
        note.losses.add(.originalKept)
        return note.finished()
    }
}
