// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// A note of a Markdown folder whose links to files beside it become links to its attachments. Everything else stays as it stands.
struct MarkdownFolderNote {
    private let index: ObsidianIndex
    private let folder: String
    private var note: NoteAssembly
    /// Paths of the files that the text names.
    private(set) var files: Set<String> = []

    init(_ file: ForeignFile, _ index: ObsidianIndex) {
        self.index = index
        var parsed = MarkdownNote.parse(file)
        // Without a word in the text, the file's own time says when it was last changed.
        if parsed.updated == nil, ParsedNote.times.contains(file.modified) { parsed.updated = file.modified }
        folder = String(validating: file.path, as: UTF8.self).map { ObsidianIndex.folder($0) } ?? ""
        note = NoteAssembly(parsed, without: .attachmentNotImported)
        guard MarkdownPath.isMarkdown(file.path) else { return }
        let bytes = Array(parsed.body.utf8)
        let replaced = MarkdownLinks.replacing(in: bytes) { link in replacement(link).map { Array($0.utf8) } }
        if replaced != bytes { note.setBody(replaced) }
    }

    func finished() -> ParsedNote { note.finished() }

    private mutating func replacement(_ link: MarkdownLinks.Occurrence) -> String? {
        switch link {
        case .identifier: return nil
        case .wiki(let isEmbed, let content):
            let target = content.prefix { $0 != UInt8(ascii: "|") && $0 != UInt8(ascii: "#") }
            guard MarkdownEmbed.isFile(wiki: target) else { return nil }
            let label = content.dropFirst(target.count + 1)
            return resolved(Array(target), label: String(decoding: label, as: UTF8.self), isEmbed: isEmbed)
        case .inline(let isEmbed, let text, let destination):
            guard isEmbed ? MarkdownEmbed.isFile(destination: destination) : ObsidianNote.isLocal(destination) else { return nil }
            return resolved(ObsidianNote.unescaped(destination), label: String(decoding: text, as: UTF8.self), isEmbed: isEmbed)
        }
    }

    private mutating func resolved(_ target: [UInt8], label: String, isEmbed: Bool) -> String? {
        let path = target.prefix { $0 != UInt8(ascii: "#") }
        guard let text = String(validating: path, as: UTF8.self), let found = index.find(text, from: folder) else {
            if isEmbed { note.losses.add(.attachmentMissing) }
            return nil
        }
        if !found.isUnique { note.losses.add(.ambiguousLink) }
        files.insert(found.path)
        guard let name = note.attach(key: found.path, name: ObsidianIndex.name(found.path)) else { return nil }
        let isSize = !label.isEmpty && label.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "x") }
        let caption = isSize ? "" : label.filter { $0 != "[" && $0 != "]" }
        return "\(isEmbed ? "!" : "")[\(caption.isEmpty && !isEmbed ? name : caption)](att:\(name))"
    }
}
