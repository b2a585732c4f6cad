// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `MarkdownFolderNote` is a note of a folder whose links to notes and files of the folder lead there afterwards.
/// Everything else stays as it stands.
struct MarkdownFolderNote {
    private let index: ObsidianIndex
    private let style: MarkdownFolderImport.Style
    private let folder: String
    private var note: NoteAssembly
    /// Places of the files that it has.
    private(set) var files: Set<Int> = []

    init(_ file: ForeignFile, _ index: ObsidianIndex, _ style: MarkdownFolderImport.Style) {
        self.index = index
        self.style = style
        let read = MarkdownNote.read(file)
        var parsed = read.note
        // Without a word in the text, the file's own time says when it was last changed.
        if parsed.updated == nil, ParsedNote.times.contains(file.modified) { parsed.updated = file.modified }
        let path = String(validating: file.path, as: UTF8.self)
        folder = path.map { ObsidianIndex.folder($0) } ?? ""
        note = NoteAssembly(parsed, without: .attachmentNotImported)
        for listed in read.names.attachments {
            if let found = index.find(listed, from: folder, .relativePath) {
                _ = attach(found.place)
            } else {
                note.losses.add(.attachmentMissing)
            }
        }
        if MarkdownPath.isMarkdown(file.path) {
            let bytes = Array(parsed.body.utf8)
            let replaced = MarkdownLinks.replacing(in: bytes) { link in replacement(link).map { Array($0.utf8) } }
            if replaced != bytes { note.setBody(replaced) }
        }
        // What lies in the folder that is the note's own is the note's, whether its text names it or not.
        for own in path.flatMap({ index.place(of: $0) }).map({ index.files(of: $0) }) ?? [] { _ = attach(own) }
    }

    func finished() -> ParsedNote { note.finished() }

    private mutating func attach(_ place: Int) -> String? {
        let path = index.path(place)
        guard let name = note.attach(key: path, name: ObsidianIndex.name(path)) else { return nil }
        files.insert(place)
        return name
    }

    private mutating func replacement(_ link: MarkdownLinks.Occurrence) -> String? {
        switch link {
        case .identifier: return nil
        case .wiki(let isEmbed, let content): return wiki(content, isEmbed: isEmbed)
        case .inline(let isEmbed, let text, let destination, let hasTitle):
            guard MarkdownEmbed.isFile(destination: destination) else { return nil }
            let path = destination.prefix { $0 != UInt8(ascii: "#") }
            let target = String(decoding: Self.unescaped(path), as: UTF8.self)
            guard let found = index.find(target, from: folder, style == .obsidian ? .relativeOrAnywhere : .relativePath)
            else {
                note.losses.add(isEmbed ? .attachmentMissing : .linkUnresolved)
                return nil
            }
            if !found.isUnique { note.losses.add(.ambiguousLink) }
            if hasTitle { note.losses.add(.linkTitleLost) }
            if path.count < destination.count { note.losses.add(.linkPartLost) }
            let label = String(decoding: text, as: UTF8.self)
            if index.isNote(found.place) { return noteLink(found.place, label: label, isEmbed: isEmbed) }
            return fileLink(found.place, isEmbed: isEmbed) { name in label.isEmpty && !isEmbed ? name : label }
        }
    }

    /// Replaces what stands in "[[…]]": "Name", "Name#Place", "Name|words", "image.png|300".
    private mutating func wiki(_ content: ArraySlice<UInt8>, isEmbed: Bool) -> String? {
        let bar = content.firstIndex(of: UInt8(ascii: "|"))
        var target = content[..<(bar ?? content.endIndex)]
        // In a table the bar is written "\|".
        let isInTable = bar != nil && target.last == UInt8(ascii: "\\")
        if isInTable { target.removeLast() }
        let label = bar.map { String(decoding: content[content.index(after: $0)...], as: UTF8.self) }
        let name = MarkdownTitle.clean(String(decoding: target.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)) ?? ""
        let part = target.firstIndex(of: UInt8(ascii: "#")).map {
            String(decoding: target[target.index(after: $0)...], as: UTF8.self)
        }
        guard !name.isEmpty else {
            // A place in this very text: it stays as it is.
            note.losses.add(.linkPartKept)
            return nil
        }
        // "C# notes" is a name with the sign in it.
        let whole = MarkdownTitle.clean(String(decoding: target, as: UTF8.self)) ?? name
        guard let (found, place) = find(whole, name, part) else {
            note.losses.add(isEmbed && MarkdownEmbed.isFile(wiki: target) ? .attachmentMissing : .linkUnresolved)
            return nil
        }
        if !found.isUnique { note.losses.add(.ambiguousLink) }
        if place != nil { note.losses.add(label == nil ? .linkPartKept : .linkPartLost) }
        if index.isNote(found.place) {
            if label == nil, place == nil, isTarget(name: whole, of: found.place) {
                return keep(found.place, isEmbed: isEmbed)
            }
            return noteLink(found.place, label: label ?? place.map { "\(name) > \($0)" } ?? whole, isEmbed: isEmbed)
        }
        return fileLink(found.place, isEmbed: isEmbed) { fileName in
            guard let label else { return place.map { "\(fileName)#\($0)" } ?? fileName }
            // A size is no caption: Obsidian reads it behind a bar in such a link too.
            return Self.isSize(label) && isEmbed ? "\(fileName)\(isInTable ? "\\|" : "|")\(label)" : label
        }
    }

    private func find(_ whole: String, _ name: String, _ part: String?) -> (ObsidianIndex.Found, place: String?)? {
        if let found = index.find(whole, from: folder, .name) { return (found, place: nil) }
        guard let part, let found = index.find(name, from: folder, .name) else { return nil }
        return (found, place: part)
    }

    /// Returns whether the words of a link are what leads to the note in the vault too.
    private func isTarget(name: String, of place: Int) -> Bool { index.target(place).lowercased() == name.lowercased() }

    /// Records where a link leads, and leaves its text as it is.
    private mutating func keep(_ place: Int, isEmbed: Bool) -> String? {
        if isEmbed { note.losses.add(.noteShownAsLink) }
        _ = note.link(to: index.path(place), target: index.target(place), label: "")
        return nil
    }

    private mutating func noteLink(_ place: Int, label: String, isEmbed: Bool) -> String? {
        guard let link = note.link(to: index.path(place), target: index.target(place), label: label) else {
            // Two notes have its title, and its path cannot stand in a link.
            note.losses.add(.ambiguousLink)
            return nil
        }
        if isEmbed { note.losses.add(.noteShownAsLink) }
        return (isEmbed ? "!" : "") + link
    }

    private mutating func fileLink(_ place: Int, isEmbed: Bool, _ words: (String) -> String) -> String? {
        guard let name = attach(place) else { return nil }
        return "\(isEmbed ? "!" : "")[\(words(name))](att:\(name))"
    }

    private static func isSize(_ label: String) -> Bool {
        !label.isEmpty && label.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "x") }
    }

    /// Undoes the escapes of a link's target: "%20" is a blank.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var at = bytes.startIndex
        while at < bytes.endIndex {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.endIndex,
                let value = UInt8(String(decoding: bytes[(at + 1)...(at + 2)], as: UTF8.self), radix: 16)
            {
                result.append(value)
                at += 3
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return result
    }
}
