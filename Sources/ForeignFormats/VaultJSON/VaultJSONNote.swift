// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// A note as a document has it, without its attachments' contents.
///
/// Spec: docs/export-json.md §3.
struct VaultJSONNote {
    private static let titleByteCountMax = 64 << 10
    private static let notebookByteCountMax = 2 * ParsedNote.notebookByteCountMax
    private static let tagByteCountMax = 1024
    private static let members: Set<String> = [
        "id", "title", "titleIsSet", "body", "tags", "notebook", "created", "modified", "pinned", "archived", "trashed",
        "template", "private",
        "revisions", "attachments",
    ]
    private static let flagNames: [String: ParsedNote.Flags] = [
        "pinned": .pinned, "archived": .archived, "trashed": .trashed, "template": .template,
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
    private var seen: Set<String> = []
    /// A member is there twice, or is not what it has to be.
    var isDamaged = false

    /// Whether it is a note of schema 1.
    var isWhole: Bool { !isDamaged && seen.isSuperset(of: Self.members) && VaultJSONForm.isNoteID(id) }

    /// Takes note that a member comes.
    mutating func begin(_ key: String) {
        guard Self.members.contains(key) || key == "source" else { return }
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
        default:
            guard let flag = Self.flagNames[key] else { return try json.skipValue() }
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
