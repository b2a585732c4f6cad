// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `StandardNotesImport` reads a decrypted backup of Standard Notes: a JSON file, alone or in a zip.
///
/// Tags name their notes and not the other way round, so it is read twice.
struct StandardNotesImport: ForeignImporter {
    private static let appKey = "org.standardnotes.sn"

    private var titles = NoteTitles()
    private var tagTitles: [String: String] = [:]
    private var tagParents: [String: String] = [:]
    private var tagsOfNotes: [String: [String]] = [:]
    private var delivered: Set<String> = []
    /// Where the backup broke off.
    private var fault: ImportFailure?
    private let kind: SourceKind

    init(_ kind: SourceKind) { self.kind = kind }

    static func recognition(of view: SourceView) -> Recognition {
        switch view.shape {
        case .tar: return .none
        case .folder:
            return view.files.contains { $0.name.hasPrefix("Standard Notes Backup and Import File") } ? .likely : .none
        case .zip:
            return view.entries.contains { SourceView.contains($0, Array("standard notes backup".utf8)) }
                ? .likely : .none
        case .file:
            // Managers of passwords have items too, and folders beside them.
            let isBackup =
                view.contains("\"content_type\"") || (view.contains("\"version\"") && !view.contains("\"folders\""))
            return view.isJSON && view.contains("\"items\"") && isBackup ? .likely : .none
        }
    }

    static func isEncrypted(_ view: SourceView) -> Bool {
        view.begin.first == 0x7B && view.contains("\"keyParams\"") && view.contains("\"content\":\"00")
    }

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        var hasBackup = false
        while let entry = try source.nextEntry() {
            if let refusal = entry.refusal {
                if pass == 0 { output.refuse(refusal, entry.path) }
                continue
            }
            let name = String(decoding: EntryPath.name(entry.path), as: UTF8.self).lowercased()
            // In a zip the same items stand a second time, each as a file of its own.
            let isNamedAsOne =
                !entry.path.contains(UInt8(ascii: "/")) && (name.hasSuffix(".txt") || name.hasSuffix(".json"))
            guard !hasBackup, kind == .file || isNamedAsOne else { continue }
            hasBackup = true
            try read(backup: source, entry, pass, output)
        }
        guard hasBackup else { throw ImportFailure(.malformedContainer) }
        if pass > 0, let fault { throw fault }
        return pass == 0
    }

    /// Reads the items of a backup; those before a break count.
    private mutating func read(
        backup source: any EntrySource, _ entry: SourceEntry, _ pass: Int, _ output: ImportOutput
    ) throws(ImportFailure) {
        var items = JSONItems("items", of: source)
        do throws(ImportFailure) {
            try read(&items, pass, output)
        } catch {
            guard error.reason == .malformedContainer, items.number > 0 else { throw error }
            fault = ImportFailure(.malformedContainer, path: entry.path + Array(": ".utf8) + items.place("item"))
        }
    }

    private mutating func read(_ items: inout JSONItems, _ pass: Int, _ output: ImportOutput) throws(ImportFailure) {
        while let element = try items.next() {
            guard case .value(let item) = element, let id = item["uuid"]?.text, !id.isEmpty, id.utf8.count <= 128 else {
                if pass == 0 { output.refuse(.damaged, items.place("item")) }
                continue
            }
            if item["deleted"]?.isTrue == true { continue }
            let type = item["content_type"]?.text ?? ""
            guard let content = item["content"], case .object = content else {
                if pass == 0, type == "Note" { output.found.notes += 1 }
                if pass == 0, type == "Note" || type == "Tag" { output.refuse(.encrypted, "\(type) \(id)".utf8) }
                continue
            }
            if pass == 0 {
                try survey(type, id, content, output)
            } else if type == "Note", delivered.insert(id).inserted {
                deliver(id, item, content, output)
            }
        }
    }

    private mutating func survey(_ type: String, _ id: String, _ content: JSONValue, _ output: ImportOutput)
        throws(ImportFailure)
    {
        let title = content["title"]?.text ?? ""
        switch type {
        case "Note":
            output.found.notes += 1
            try output.remember(byteCount: 2 * title.utf8.count)
            if !titles.add(key: id, title: MarkdownTitle.clean(title) ?? "") {
                output.refuse(.duplicate, "Note \(id)".utf8)
            }
        case "Tag":
            try output.remember(byteCount: title.utf8.count)
            tagTitles[id] = title
            for reference in content["references"]?.items ?? [] {
                guard let other = reference["uuid"]?.text else { continue }
                if reference["content_type"]?.text == "Tag" || reference["reference_type"]?.text == "TagToParentTag" {
                    tagParents[id] = other
                } else {
                    try output.remember(byteCount: id.utf8.count)
                    tagsOfNotes[other, default: []].append(id)
                    output.found.tags += 1
                }
            }
        case "SN|File", "File": output.refuse(.encrypted, "File \(id)".utf8)
        // Settings, themes, keys: nothing of the user's own.
        default: break
        }
    }

    private func tagPath(_ id: String) -> String {
        var parts: [String] = []
        var next: String? = id
        while let id = next, let title = tagTitles[id], parts.count < 16 {
            parts.append(title)
            next = tagParents[id]
        }
        return parts.reversed().joined(separator: "/")
    }

    private func deliver(_ id: String, _ item: JSONValue, _ content: JSONValue, _ output: ImportOutput) {
        var note = NoteAssembly(sourceKey: id)
        note.setTitle(content["title"]?.text ?? "")
        for tag in tagsOfNotes[id, default: []] { note.addTag(tagPath(tag)) }
        let app = content["appData"]?[Self.appKey]
        if app?["pinned"]?.isTrue == true { note.insert(.pinned) }
        if app?["archived"]?.isTrue == true { note.insert(.archived) }
        if content["trashed"]?.isTrue == true { note.insert(.trashed) }
        if content["starred"]?.isTrue == true { note.addTag("starred") }
        if content["protected"]?.isTrue == true { note.losses.add(.flagNotCarried, detail: "protected") }
        let updated = app?["client_updated_at"] ?? item["updated_at"]
        note.setTimes(
            created: Self.time(item["created_at"], "created", &note), updated: Self.time(updated, "updated", &note))
        let text = content["text"]?.text ?? ""
        let (body, original) = StandardNotesText.markdown(text, type: content["noteType"]?.text ?? "", &note, titles)
        if let original, let name = note.attach(key: "original/" + id, name: original) {
            output.attachment(key: "original/" + id, name: name, bytes: Array(text.utf8))
            note.losses.add(.originalKept)
        }
        note.setBody(body)
        output.deliver(note.finished())
    }

    /// Reads a time; nil also for 1970, which the program writes when it does not know one.
    private static func time(_ value: JSONValue?, _ name: String, _ note: inout NoteAssembly) -> Int64? {
        guard let value, value != .null else { return nil }
        guard let text = value.text, let time = MarkdownDate.milliseconds(text) else {
            note.losses.add(.dateReplaced, detail: name)
            return nil
        }
        return time == 0 ? nil : time
    }
}
