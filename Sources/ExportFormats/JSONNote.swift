// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `JSONNote` writes a note as a JSON object, up to its attachments: those are written one by one, because their
/// contents are not in memory.
///
/// Spec: docs/export-json.md §3.
enum JSONNote {
    /// Returns the object of a note up to its attachments.
    ///
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
        for flag in NoteFlag.allCases { json.member(flag.name, note.flags.contains(flag)) }
        json.member("private", note.isPrivate)
        if let source = note.source { json.member("source", source) }
        if let book = note.book { JSONBook.write(book, &json) }
        if let place = note.bookPlace { JSONBook.write(place, &json) }
        json.key("revisions")
        json.open("[")
        for revision in note.revisions { write(revision, &json) }
        json.close("]")
        json.key("attachments")
        json.open("[")
        return json.bytes
    }

    /// Returns the object of an attachment, up to its content.
    ///
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

/// `JSONText` is a JSON text that is put together piece by piece (RFC 8259), without white space.
///
/// Escaped beyond what the RFC asks: all control characters, the line ends of older JavaScript, byte order marks, and
/// "<", so that no reader stumbles and no page ends where the text is put into one.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    /// Whether a comma belongs before the next member or element.
    private var needsComma = false

    mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    mutating func key(_ key: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes += key.utf8
        bytes += "\":".utf8
        needsComma = false
    }

    mutating func member(_ key: String, _ text: String) {
        self.key(key)
        string(text)
    }

    mutating func member(_ key: String, _ number: some BinaryInteger) {
        self.key(key)
        literal(String(number))
    }

    mutating func member(_ key: String, _ isTrue: Bool) {
        self.key(key)
        literal(isTrue ? "true" : "false")
    }

    /// Adds a member with a date, milliseconds since 1970, as RFC 3339.
    mutating func member(_ key: String, date: Int64) { member(key, RFC3339.text(date)) }

    mutating func member(_ key: String, _ texts: [String]) {
        self.key(key)
        open("[")
        for text in texts { string(text) }
        close("]")
    }

    mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let source = Array(text.utf8)
        bytes.reserveCapacity(bytes.count + source.count + 64)
        var at = 0
        while at < source.count {
            let start = at
            while at < source.count, Self.isPlain(source[at]) { at += 1 }
            bytes += source[start..<at]
            guard at < source.count else { break }
            switch source[at] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), source[at]]
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\t"): bytes += "\\t".utf8
            case 0..<0x20, 0x7F, UInt8(ascii: "<"): escape(UInt16(source[at]))
            default: other(source, at)
            }
            at += 1
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            && byte != UInt8(ascii: "<")
    }

    /// Adds a byte of a longer character. What is escaped is escaped at its last byte.
    private mutating func other(_ source: [UInt8], _ at: Int) {
        bytes.append(source[at])
        if at >= 1, source[at - 1] == 0xC2, source[at] < 0xA0 { return replaceLast(2, UInt16(source[at])) }
        guard at >= 2 else { return }
        switch (source[at - 2], source[at - 1], source[at]) {
        case (0xE2, 0x80, 0xA8): replaceLast(3, 0x2028)
        case (0xE2, 0x80, 0xA9): replaceLast(3, 0x2029)
        case (0xEF, 0xBB, 0xBF): replaceLast(3, 0xFEFF)
        default: break
        }
    }

    private mutating func replaceLast(_ byteCount: Int, _ unit: UInt16) {
        bytes.removeLast(byteCount)
        escape(unit)
    }

    private mutating func escape(_ unit: UInt16) {
        bytes += "\\u".utf8
        Identifier.appendByte(UInt8(truncatingIfNeeded: unit >> 8), &bytes)
        Identifier.appendByte(UInt8(truncatingIfNeeded: unit), &bytes)
    }

    private mutating func literal(_ text: String) {
        separate()
        bytes += text.utf8
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }
}
