// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `EvernoteNote` is a note of Evernote while its elements come in; its files have been sent when it ends.
struct EvernoteNote {
    struct Resource {
        let key: String
        let hash: String
        var name: String
        var mediaType: String
        let isWhole: Bool
    }

    /// ENML is longer than its text; beyond this it is cut, and the note says so.
    static let contentByteCountMax = 32 << 20
    private static let endings = [
        "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "application/pdf": "pdf",
        "audio/mpeg": "mp3",
        "audio/wav": "wav", "audio/amr": "amr", "video/mp4": "mp4", "text/plain": "txt",
    ]

    var title = ""
    var created = ""
    var updated = ""
    var content: [UInt8] = []
    var isContentCut = false
    var tags: [String] = []
    var tasks: [(text: String, isDone: Bool)] = []
    var attributes: [(key: String, value: String)] = []
    var resources: [Resource] = []
    /// Chosen before the first file is sent.
    var key: String?

    /// The importer knows no better name than these two.
    var naturalKey: String { NoteAssembly.key(created + "/" + (MarkdownTitle.clean(title) ?? "")) }

    func parsed(key: String, notebook: String, _ titles: NoteTitles, _ output: ImportOutput) -> ParsedNote {
        var note = NoteAssembly(sourceKey: key)
        note.setTitle(title)
        note.setNotebook(notebook)
        for tag in tags { note.addTag(tag) }
        note.setTimes(
            created: Self.time(created, "created", .createdWithoutZone, &note),
            updated: Self.time(updated, "updated", .updatedWithoutZone, &note))
        var namesByHash: [String: (name: String, isPicture: Bool)] = [:]
        for resource in resources {
            if !resource.isWhole { note.losses.add(.attachmentDamaged) }
            guard let name = note.attach(key: resource.key, name: Self.name(resource)) else { continue }
            if namesByHash[resource.hash] == nil {
                namesByHash[resource.hash] = (name, resource.mediaType.hasPrefix("image/"))
            }
        }
        note.setBody(body(&note, namesByHash, titles, key, output))
        return note.finished()
    }

    private func body(
        _ note: inout NoteAssembly, _ files: [String: (name: String, isPicture: Bool)], _ titles: NoteTitles,
        _ key: String, _ output: ImportOutput
    ) -> [UInt8] {
        var shown: Set<String> = []
        var (linkTargets, isLinkMissing) = ([(key: String, target: String)](), false)
        var resolver = MarkupConverter.Resolver()
        resolver.media = { hash in
            guard let file = files[hash.lowercased()] else { return nil }
            shown.insert(hash.lowercased())
            return "\(file.isPicture ? "!" : "")[\(file.name)](att:\(file.name))"
        }
        resolver.link = { address, label in
            guard address.hasPrefix("evernote:") || address.hasPrefix("https://www.evernote.com/shard/") else {
                return nil
            }
            // A link names its note by the title alone; the identifier in it is nowhere in the file.
            let text = label.replacing("\\", with: "")
            guard let found = titles.key(titled: text), found.isUnique, let target = titles.target(of: found.key) else {
                isLinkMissing = true
                return label.isEmpty ? nil : label
            }
            linkTargets.append((found.key, target))
            return "[[\(target)]]"
        }
        let result = MarkupConverter.convert(content, resolver)
        for link in linkTargets { _ = note.link(to: link.key, target: link.target, label: "") }
        if isLinkMissing { note.losses.add(.linkTargetMissing) }
        var markdown = head(&note) + result.markdown
        for task in tasks { markdown += Array("- [\(task.isDone ? "x" : " ")] \(task.text)\n".utf8) }
        // A file that the text does not show is still the note's.
        for resource in resources where !shown.contains(resource.hash) {
            guard let file = files[resource.hash], shown.insert(resource.hash).inserted else { continue }
            markdown += Array("\n\(file.isPicture ? "!" : "")[\(file.name)](att:\(file.name))\n".utf8)
        }
        tell(result, &note, key, output)
        return markdown
    }

    /// Tells what the conversion lost, and the original if it did.
    private func tell(
        _ result: MarkupConverter.Result, _ note: inout NoteAssembly, _ key: String, _ output: ImportOutput
    ) {
        for name in result.lost {
            note.losses.add(name == "en-media" ? .attachmentMissing : .unsupportedMarkup, detail: name)
        }
        if result.isDamaged { note.losses.add(.damagedMarkup) }
        if result.hasEncryption { note.losses.add(.encryptedItem) }
        if isContentCut { note.losses.add(.bodyTooLong) }
        guard !result.lost.isEmpty || result.isDamaged || result.hasEncryption else { return }
        let original = "original/" + key
        guard let name = note.attach(key: MarkdownTitle.cut(original, byteCountMax: 1000), name: "original.enml") else {
            return
        }
        output.attachment(key: MarkdownTitle.cut(original, byteCountMax: 1000), name: name, bytes: content)
        note.losses.add(.originalKept)
    }

    private func head(_ note: inout NoteAssembly) -> [UInt8] {
        var lines = ""
        for (key, value) in attributes where Loss.isName(key) && !value.isEmpty {
            let clean = MarkdownTitle.clean(value) ?? ""
            lines += "\(key): '\(clean.replacing("'", with: "''"))'\n"
            note.losses.add(.unknownFrontMatterKey, detail: key)
        }
        return lines.isEmpty ? [] : Array("---\n\(lines)---\n".utf8)
    }

    /// Reads a time, and flags one that names no zone: Evernote writes UTC and says so; other programs that write its
    /// format may not.
    private static func time(_ text: String, _ name: String, _ flag: ParsedNote.Flags, _ note: inout NoteAssembly)
        -> Int64?
    {
        guard !text.isEmpty else { return nil }
        guard let time = MarkdownDate.local(text) else {
            note.losses.add(.dateReplaced, detail: name)
            return nil
        }
        if time.isLocal { note.insert(flag) }
        return time.milliseconds
    }

    private static func name(_ resource: Resource) -> String {
        if !resource.name.isEmpty { return resource.name }
        return endings[resource.mediaType].map { "attachment." + $0 } ?? "attachment"
    }
}
