// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `JoplinNote` makes a note of one of Joplin's.
enum JoplinNote {
    /// What has no place in a note and is kept at the head of its text.
    private static let keptKeys = [
        "source_url", "author", "latitude", "longitude", "altitude", "todo_due", "todo_completed",
    ]
    private static let htmlLanguage = "2"

    static func key(ofFile id: ForeignID) -> String { "resource/" + id.text }

    static func note(_ item: JoplinItem, _ id: ForeignID, _ index: JoplinIndex, _ losses: MarkdownLosses) -> ParsedNote
    {
        var note = NoteAssembly(sourceKey: id.text)
        note.losses = losses
        note.setTitle(item.title)
        note.setNotebook(index.notebook(item.identifier("parent_id")))
        for tag in index.tagNames(of: id) { note.addTag(tag) }
        note.setTimes(created: time(item, "created_time", &note), updated: time(item, "updated_time", &note))
        if let deleted = item["deleted_time"], deleted != "0" { note.insert(.trashed) }
        if item["is_conflict"] == "1" { note.losses.add(.flagNotCarried, detail: "conflict") }
        if item["markup_language"] == htmlLanguage { note.losses.add(.unsupportedMarkup, detail: "html") }
        var body = head(item, &note)
        // The first line would be a fence, which nobody wants to see as a title.
        if !body.isEmpty, note.note.title == nil { note.setTitle(MarkdownTitle.firstLine(of: item.body) ?? "") }
        if item["is_todo"] == "1" {
            let isDone = item["todo_completed"].map { $0 != "0" } ?? false
            body += Array("- [\(isDone ? "x" : " ")] \(MarkdownTitle.clean(item.title) ?? "")\n\n".utf8)
        }
        body += MarkdownLinks.replacing(in: Array(item.body)) { replacement($0, index, &note) }
        note.setBody(body)
        return note.finished()
    }

    /// Returns the user's own time where there is one. Joplin writes nothing, or 1970, for a time that it does not
    /// know.
    private static func time(_ item: JoplinItem, _ key: String, _ note: inout NoteAssembly) -> Int64? {
        guard let text = item["user_" + key] ?? item[key], text != "0" else { return nil }
        guard let time = MarkdownDate.milliseconds(text) else {
            note.losses.add(.dateReplaced, detail: key)
            return nil
        }
        return time == 0 ? nil : time
    }

    private static func head(_ item: JoplinItem, _ note: inout NoteAssembly) -> [UInt8] {
        var lines = ""
        for key in keptKeys {
            guard let value = item[key], !value.utf8.allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") })
            else { continue }
            lines +=
                "\(key): '\(value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'\n"
            note.losses.add(.unknownFrontMatterKey, detail: key)
        }
        return lines.isEmpty ? [] : Array("---\n\(lines)---\n".utf8)
    }

    private static func replacement(_ link: MarkdownLinks.Occurrence, _ index: JoplinIndex, _ note: inout NoteAssembly)
        -> [UInt8]?
    {
        switch link {
        case .wiki: return nil
        case .identifier(let digits):
            guard let id = ForeignID(digits), let name = attach(id, index, &note) else { return nil }
            return Array("att:\(name)".utf8)
        case .inline(let isEmbed, let text, let destination, _):
            guard destination.starts(with: ":/".utf8) else { return nil }
            let digits = destination.dropFirst(2).prefix { $0 != UInt8(ascii: "#") }
            guard let id = ForeignID(digits) else { return nil }
            let label = String(decoding: text, as: UTF8.self)
            if index.titles.title(of: id.text) != nil {
                if 2 + digits.count != destination.count { note.losses.add(.linkPartLost) }
                guard let target = index.titles.target(of: id.text) else { return nil }
                return note.link(to: id.text, target: target, label: label).map { Array($0.utf8) }
            }
            guard let name = attach(id, index, &note) else {
                note.losses.add(isEmbed || index.resource(id) != nil ? .attachmentMissing : .linkTargetMissing)
                return nil
            }
            return Array("\(isEmbed ? "!" : "")[\(label.isEmpty ? name : label)](att:\(name))".utf8)
        }
    }

    private static func attach(_ id: ForeignID, _ index: JoplinIndex, _ note: inout NoteAssembly) -> String? {
        guard index.isFile(id) else { return nil }
        return note.attach(key: key(ofFile: id), name: index.resource(id)?.name ?? id.text)
    }
}
