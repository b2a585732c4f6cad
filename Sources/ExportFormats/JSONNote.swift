// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A note as a JSON object, up to its attachments: those are written one by one, because their contents are not in
/// memory.
///
/// Spec: docs/export-json.md §3.
enum JSONNote {
    /// - Returns: the object, open, with the list of attachments open in it.
    static func head(of note: ExportedNote) -> [UInt8] {
        var json = JSONText()
        json.open("{")
        json.member("id", note.id)
        json.member("title", note.title)
        json.member("titleIsSet", note.titleIsSet)
        json.member("body", note.body)
        json.member("tags", note.tags)
        json.member("notebook", note.notebook)
        json.member("created", date: note.created)
        json.member("modified", date: note.modified)
        json.member("pinned", note.isPinned)
        json.member("archived", note.isArchived)
        json.member("trashed", note.isTrashed)
        json.member("template", note.isTemplate)
        json.member("private", note.isPrivate)
        if let source = note.source { json.member("source", source) }
        json.key("revisions")
        json.open("[")
        for revision in note.revisions { write(revision, &json) }
        json.close("]")
        json.key("attachments")
        json.open("[")
        return json.bytes
    }

    /// - Parameter file: path of the content beside the document; nil if it follows in the object.
    /// - Returns: the object; if `file` is nil, open in the string of the member "base64".
    static func head(of attachment: ExportedAttachment, file: String?) -> [UInt8] {
        var json = JSONText()
        json.open("{")
        json.member("id", attachment.id)
        json.member("name", attachment.name)
        json.member("mediaType", attachment.mediaType)
        json.member("kind", attachment.kind)
        json.member("caption", attachment.caption)
        json.member("byteCount", attachment.byteCount)
        json.member("created", date: attachment.created)
        if let file {
            json.member("file", file)
            json.close("}")
            return json.bytes
        }
        json.key("base64")
        return json.bytes + [UInt8(ascii: "\"")]
    }

    private static func write(_ revision: ExportedRevision, _ json: inout JSONText) {
        json.open("{")
        json.member("id", revision.id)
        json.member("modified", date: revision.modified)
        json.member("operation", revision.operation)
        json.member("title", revision.title)
        json.member("body", revision.body)
        json.member("tags", revision.tags)
        json.member("notebook", revision.notebook)
        json.close("}")
    }
}
