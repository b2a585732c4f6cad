// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `VaultJSONNote` is a note as a document has it, without its attachments' contents.
///
/// Spec: docs/export-json.md §3.
struct VaultJSONNote {
    private static let titleByteCountMax = 64 << 10
    private static let notebookByteCountMax = 2 * ParsedNote.notebookByteCountMax
    private static let tagByteCountMax = 1024
    /// What every note of schema 1 has.
    private static let members: Set<String> = [
        "id", "title", "titleIsSet", "body", "tags", "notebook", "created", "modified", "pinned", "archived", "trashed",
        "template", "private",
        "revisions", "attachments",
    ]

    private(set) var id = ""
    private(set) var title = ""
    private(set) var notebook = ""
    private(set) var tags: [String] = []
    private(set) var titleIsSet = false
    private(set) var isTitleCut = false
    private(set) var body: [UInt8] = []
    private(set) var created = ""
    private(set) var modified = ""
    private(set) var flags: ParsedNote.Flags = []
    private(set) var isPrivate = false
    private(set) var hasSource = false
    private(set) var revisionCount = 0
    private(set) var isTextExact = true
    private(set) var book: VaultJSONBook?
    private(set) var place: ParsedPlace?
    private var seen: Set<String> = []
    /// A member is there twice, or is not what it has to be.
    var isDamaged = false

    /// Whether it is a note of schema 1.
    var isWhole: Bool { !isDamaged && seen.isSuperset(of: Self.members) && VaultJSONForm.isNoteID(id) }

    /// Takes note that a member comes.
    mutating func begin(_ key: String) {
        guard
            Self.members.contains(key) || ["source", "book", "inBook"].contains(key)
                || ParsedNote.Flags.named[key] != nil
        else { return }
        if !seen.insert(key).inserted { isDamaged = true }
    }

    /// Reads the value of a member other than `attachments`; one that is not known is passed over.
    mutating func read(_ key: String, _ json: JSONStream) throws(ImportFailure) {
        switch key {
        case "id": id = try text(json, max: 64).string
        case "title":
            let text = try text(json, max: Self.titleByteCountMax)
            (title, isTitleCut) = (text.string, text.isCut)
        case "titleIsSet": titleIsSet = try flag(json)
        // A few bytes too many, so that what cuts it knows that there was more.
        case "body": body = try text(json, max: ParsedNote.bodyByteCountMax + 4).bytes
        case "tags": try readTags(json)
        case "notebook": notebook = try text(json, max: Self.notebookByteCountMax).string
        case "created": created = try text(json, max: 64).string
        case "modified": modified = try text(json, max: 64).string
        case "private": isPrivate = try flag(json)
        case "source": hasSource = try !text(json, max: 4).bytes.isEmpty
        case "revisions": try countRevisions(json)
        case "book": book = try VaultJSONBook(json)
        case "inBook": place = try ParsedPlace(json)
        default:
            guard let flag = ParsedNote.Flags.named[key] else { return try json.skipValue() }
            if try self.flag(json) { flags.insert(flag) }
        }
    }

    private mutating func text(_ json: JSONStream, max: Int) throws(ImportFailure) -> JSONStream.Text {
        guard let text = try json.text(max: max) else {
            isDamaged = true
            return JSONStream.Text()
        }
        if !text.isExact { isTextExact = false }
        return text
    }

    private mutating func flag(_ json: JSONStream) throws(ImportFailure) -> Bool {
        guard let flag = try json.bool() else {
            isDamaged = true
            return false
        }
        return flag
    }

    private mutating func readTags(_ json: JSONStream) throws(ImportFailure) {
        guard try beginList(json) else { return }
        while try json.element() {
            let tag = try text(json, max: Self.tagByteCountMax).string
            // One more than a note can have, so that the loss is told.
            if tags.count <= ParsedNote.tagCountMax { tags.append(tag) }
        }
    }

    private mutating func countRevisions(_ json: JSONStream) throws(ImportFailure) {
        guard try beginList(json) else { return }
        while try json.element() {
            try json.skipValue()
            revisionCount += 1
        }
    }

    /// Opens a list that is the next value.
    ///
    /// - Returns: false if the next value is no list; then it was passed over.
    mutating func beginList(_ json: JSONStream) throws(ImportFailure) -> Bool {
        guard try json.isNext("[") else {
            isDamaged = true
            try json.skipValue()
            return false
        }
        try json.open("[")
        return true
    }
}

extension VaultJSONNote {
    /// Makes the note that is imported.
    ///
    /// - Parameter attachments: in their order; their contents have been delivered.
    func parsed(_ attachments: VaultJSONAttachments, _ titles: NoteTitles, _ output: ImportOutput) -> ParsedNote {
        var note = NoteAssembly(sourceKey: id)
        if titleIsSet { note.setTitle(title) }
        if titleIsSet, isTitleCut || title.utf8.count > ParsedNote.titleByteCountMax { note.losses.add(.titleTooLong) }
        for tag in tags { note.addTag(tag) }
        note.setNotebook(notebook)
        note.setTimes(created: Self.time(created, "created", &note), updated: Self.time(modified, "modified", &note))
        note.insert(flags)
        // Stored under a password again, or not at all.
        if isPrivate { note.insert(.isPrivate) }
        if hasSource { note.losses.add(.flagNotCarried, detail: "source") }
        if revisionCount > 0 { note.losses.add(.historyNotCarried, detail: String(revisionCount)) }
        if !isTextExact { note.losses.add(.textDamaged) }
        if attachments.isCut { note.losses.add(.tooManyExtras) }
        let names = Self.attach(attachments.list, &note)
        let text = VaultJSONBody(body)
        output.found.links += text.addLinks(titles, &note)
        note.setBody(text.renaming(names))
        if let book { for loss in book.losses.list { note.losses.add(loss.code, detail: loss.detail) } }
        var parsed = note.finished()
        let cover = attachments.list.first { $0.id == book?.cover }?.name
        parsed.book = book?.parsed(coverName: cover.map { names[$0] ?? $0 })
        if parsed.book == nil { parsed.place = place }
        return parsed
    }

    /// Gives the note its attachments.
    ///
    /// - Returns: what the text has to call them, where that is something else than before.
    private static func attach(_ attachments: [VaultJSONAttachment], _ note: inout NoteAssembly) -> [String: String] {
        var names: [String: String] = [:]
        for attachment in attachments {
            guard attachment.state != .missing else {
                note.losses.add(.attachmentMissing)
                continue
            }
            if attachment.state == .damaged { note.losses.add(.attachmentDamaged) }
            if !attachment.isKindKnown { note.losses.add(.flagNotCarried, detail: "kind") }
            // Where two have one name, the text means the first.
            if let name = note.attach(key: attachment.id, name: attachment.name), names[attachment.name] == nil {
                names[attachment.name] = name
            }
        }
        return names.filter { $0.key != $0.value }
    }

    private static func time(_ text: String, _ name: String, _ note: inout NoteAssembly) -> Int64? {
        guard let time = MarkdownDate.milliseconds(text) else {
            note.losses.add(.dateReplaced, detail: name)
            return nil
        }
        return time
    }
}

/// `VaultJSONBody` is the text of a note: it is taken over as it is, but for attachments that had to get another name.
private struct VaultJSONBody {
    private static let mark = Array("](att:".utf8)
    private static let wikiMark = Array("[[".utf8)
    /// How many closing brackets are looked at for one name.
    private static let closingCountMax = 8

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Names the notes that the text leads to. One that is meant by its identifier gets another identifier where it is
    /// stored.
    ///
    /// - Returns: how many such links there are; each of a note's targets counts once.
    func addLinks(_ titles: NoteTitles, _ note: inout NoteAssembly) -> UInt64 {
        guard contains(Self.wikiMark) else { return 0 }
        var targets: Set<String> = []
        _ = MarkdownLinks.replacing(in: bytes) { occurrence in
            guard case .wiki(_, let content) = occurrence else { return nil }
            let part = content.prefix { $0 != UInt8(ascii: "|") }
            guard let target = MarkdownTitle.clean(String(decoding: part, as: UTF8.self)), !targets.contains(target)
            else { return nil }
            if titles.title(of: target) != nil {
                targets.insert(target)
                _ = note.link(to: target, target: target, label: "")
            } else if let found = titles.key(titled: target) {
                targets.insert(target)
                // A title of several notes means here what it meant there, whichever that is.
                if found.isUnique { _ = note.link(to: found.key, target: target, label: "") }
            } else if VaultJSONForm.isNoteID(target) {
                note.losses.add(.linkTargetMissing)
            }
            return nil
        }
        return UInt64(targets.count)
    }

    /// Returns the text with new names for attachments.
    ///
    /// - Parameter names: new names by the old ones.
    func renaming(_ names: [String: String]) -> [UInt8] {
        guard !names.isEmpty else { return bytes }
        var result: [UInt8] = []
        var (at, copied) = (0, 0)
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "]"), bytes[at...].starts(with: Self.mark),
                let found = name(at: at + Self.mark.count, names)
            else {
                at += 1
                continue
            }
            result += bytes[copied..<(at + Self.mark.count)]
            result += found.name.utf8
            (at, copied) = (found.end, found.end)
        }
        return result + bytes[copied...]
    }

    /// Returns the new name for the old one that begins at a place, and where that ends. An old name may hold brackets
    /// itself, so the next few are tried.
    private func name(at start: Int, _ names: [String: String]) -> (name: String, end: Int)? {
        var closings = 0
        var at = start
        let limit = min(bytes.count, start + 4096)
        while at < limit, bytes[at] != UInt8(ascii: "\n"), closings < Self.closingCountMax {
            if bytes[at] == UInt8(ascii: ")") {
                closings += 1
                if let name = names[String(decoding: bytes[start..<at], as: UTF8.self)] { return (name, at) }
            }
            at += 1
        }
        return nil
    }

    private func contains(_ mark: [UInt8]) -> Bool {
        var last: UInt8 = 0
        for byte in bytes {
            if last == mark[0], byte == mark[1] { return true }
            last = byte
        }
        return false
    }
}
