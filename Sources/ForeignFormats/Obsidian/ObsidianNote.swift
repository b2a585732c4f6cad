// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// Makes a note of one of Obsidian's: Markdown with front matter, links to files by their names, and embeds.
struct ObsidianNote {
    private let index: ObsidianIndex
    private let path: String
    private var note: NoteAssembly
    /// Paths of the other files that the text names; only these are asked for in the first reading.
    private(set) var files: Set<String> = []

    /// - Parameter file: its path is UTF-8.
    init(_ file: ForeignFile, _ index: ObsidianIndex) {
        var parsed = MarkdownNote.parse(file)
        path = parsed.sourceKey
        if parsed.title == nil { parsed.title = Self.title(of: file, parsed) }
        if parsed.updated == nil, ParsedNote.times.contains(file.modified) { parsed.updated = file.modified }
        note = NoteAssembly(parsed, without: .attachmentNotImported)
        self.index = index
        let body = MarkdownLinks.replacing(in: Array(parsed.body.utf8)) { link in replacement(link).map { Array($0.utf8) } }
        note.setBody(body)
    }

    func finished() -> ParsedNote { note.finished() }

    /// Obsidian calls a note what its file is called.
    static func title(of file: ForeignFile, _ parsed: ParsedNote) -> String {
        parsed.title ?? MarkdownTitle.clean(MarkdownPath.stem(of: file.path)) ?? "?"
    }

    private mutating func replacement(_ link: MarkdownLinks.Occurrence) -> String? {
        switch link {
        case .identifier: return nil
        case .wiki(let isEmbed, let content):
            let bar = content.firstIndex(of: UInt8(ascii: "|"))
            // In a table the bar is written "\|".
            var target = content[..<(bar ?? content.endIndex)]
            if bar != nil, target.last == UInt8(ascii: "\\") { target.removeLast() }
            let label = bar.map { String(decoding: content[content.index(after: $0)...], as: UTF8.self) }
            return resolved(target, label: label, isEmbed: isEmbed)
        case .inline(let isEmbed, let text, let destination):
            guard isEmbed ? MarkdownEmbed.isFile(destination: destination) : Self.isLocal(destination) else { return nil }
            return resolved(Self.unescaped(destination)[...], label: String(decoding: text, as: UTF8.self), isEmbed: isEmbed)
        }
    }

    private mutating func resolved(_ target: ArraySlice<UInt8>, label: String?, isEmbed: Bool) -> String? {
        let hash = target.firstIndex(of: UInt8(ascii: "#"))
        let name = MarkdownTitle.clean(String(decoding: target[..<(hash ?? target.endIndex)], as: UTF8.self)) ?? ""
        if name.isEmpty {
            note.losses.add(.linkPartLost)
            return label ?? hash.map { String(decoding: target[($0 + 1)...], as: UTF8.self) }
        }
        guard let found = index.find(name, from: ObsidianIndex.folder(path)) else {
            note.losses.add(MarkdownEmbed.isFile(wiki: target) ? .attachmentMissing : .linkTargetMissing)
            return nil
        }
        if !found.isUnique { note.losses.add(.ambiguousLink) }
        guard let title = index.titles.title(of: found.path) else { return file(found.path, label: label, isEmbed: isEmbed) }
        if hash != nil { note.losses.add(.linkPartLost) }
        if isEmbed { note.losses.add(.noteShownAsLink) }
        guard let goal = index.titles.target(of: found.path) else { return nil }
        return note.link(to: found.path, target: goal, label: label ?? (name == title ? title : name))
    }

    private mutating func file(_ file: String, label: String?, isEmbed: Bool) -> String? {
        files.insert(file)
        guard let name = note.attach(key: file, name: ObsidianIndex.name(file)) else { return nil }
        // "|300" and "|300x200" are sizes.
        let isSize = label.map { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "x") } } ?? false
        if isSize { note.losses.add(.unsupportedMarkup, detail: "size") }
        let caption = (isSize ? nil : label)?.filter { $0 != "[" && $0 != "]" } ?? ""
        return "\(isEmbed ? "!" : "")[\(caption.isEmpty ? name : caption)](att:\(name))"
    }

    /// Neither an address with a scheme nor a place in this text.
    static func isLocal(_ destination: ArraySlice<UInt8>) -> Bool {
        guard let first = destination.first, first != UInt8(ascii: "#"), !destination.starts(with: "//".utf8) else { return false }
        return !destination.prefix(64).contains(UInt8(ascii: ":"))
    }

    /// "%20" is a blank.
    static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
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
