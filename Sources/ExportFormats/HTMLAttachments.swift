// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `HTMLAttachments` writes one note's attachments in an HTML page: each content stands there once, at most, however
/// often the text refers to it.
final class HTMLAttachments {
    private let note: ExportedNote
    private let content: AttachmentContent
    private let byteCountMax: UInt64
    private var shown: Set<Int> = []
    /// Contents that were too large for the page.
    private(set) var leftOutCount = 0

    /// Pictures that browsers draw; in `img`, SVG runs nothing.
    private static let pictureTypes: Set = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml",
    ]

    init(_ note: ExportedNote, byteCountMax: UInt64, content: @escaping AttachmentContent) {
        self.note = note
        self.byteCountMax = byteCountMax
        self.content = content
    }

    /// Writes what stands in the text in place of a reference: the picture the first time, else a link to the list
    /// below the note.
    func show(_ place: Int, words: String, isPicture: Bool, in output: ByteOutput) throws {
        let attachment = note.attachments[place]
        let label = words.isEmpty ? attachment.name : words
        if isPicture, isDrawn(attachment), shown.insert(place).inserted {
            return try writePicture(attachment, label, in: output)
        }
        try output.write("<a href=\"#a-\(note.id)-\(place)\">\(HTMLText.escaped(label))</a>")
    }

    /// Writes the list below the note.
    func writeList(in output: ByteOutput) throws {
        guard !note.attachments.isEmpty else { return }
        try output.write("<ul class=\"attachments\">\n")
        for (place, attachment) in note.attachments.enumerated() {
            try output.write("<li id=\"a-\(note.id)-\(place)\">")
            let isHeld = attachment.byteCount <= byteCountMax
            if !isHeld { leftOutCount += 1 }
            if isHeld, isDrawn(attachment) {
                if shown.insert(place).inserted { try writePicture(attachment, attachment.name, in: output) }
                try output.write(HTMLText.escaped(attachment.name))
            } else if isHeld {
                try writeDownload(attachment, in: output)
            } else {
                try output.write("\(HTMLText.escaped(attachment.name)) (not in this page)")
            }
            try output.write(" · \(HTMLText.escaped(facts(of: attachment)))</li>\n")
        }
        try output.write("</ul>\n")
    }

    private func facts(of attachment: ExportedAttachment) -> String {
        let facts = [
            attachment.kind, attachment.mediaType, "\(attachment.byteCount) bytes", RFC3339.text(attachment.created),
            attachment.caption,
        ]
        return facts.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private func isDrawn(_ attachment: ExportedAttachment) -> Bool {
        attachment.byteCount <= byteCountMax && Self.pictureTypes.contains(attachment.mediaType)
    }

    private func writePicture(_ attachment: ExportedAttachment, _ label: String, in output: ByteOutput) throws {
        // The type is one of the known ones, so it needs no escape.
        try output.write("<img alt=\"\(HTMLText.escaped(label))\" src=\"data:\(attachment.mediaType);base64,")
        try writeContent(of: attachment, in: output)
        try output.write("\">")
    }

    /// Writes a link that saves an attachment. Whatever it is, it is never shown: a page in it would run as if it were
    /// ours.
    private func writeDownload(_ attachment: ExportedAttachment, in output: ByteOutput) throws {
        let name = HTMLText.escaped(attachment.name)
        try output.write("<a download=\"\(name)\" href=\"data:application/octet-stream;base64,")
        try writeContent(of: attachment, in: output)
        try output.write("\">\(name)</a>")
    }

    private func writeContent(of attachment: ExportedAttachment, in output: ByteOutput) throws {
        var counter = ContentCounter(byteCount: attachment.byteCount)
        var text = Base64Text()
        try content(attachment.id) { piece in
            try counter.take(piece.count)
            try text.add(piece, to: output)
        }
        try counter.end()
        try text.end(to: output)
    }
}

/// `HTMLText` makes text that is nothing but text to a browser, between tags and in quoted attributes alike.
enum HTMLText {
    static func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
        for byte in bytes { append(byte, to: &text) }
    }

    static func append(_ byte: UInt8, to text: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "<"): text += "&lt;".utf8
        case UInt8(ascii: ">"): text += "&gt;".utf8
        case UInt8(ascii: "&"): text += "&amp;".utf8
        case UInt8(ascii: "\""): text += "&quot;".utf8
        case UInt8(ascii: "'"): text += "&#39;".utf8
        case UInt8(ascii: "\n"), UInt8(ascii: "\t"): text.append(byte)
        // No HTML has these, not even escaped.
        case 0..<0x20, 0x7F: text += "\u{FFFD}".utf8
        default: text.append(byte)
        }
    }

    static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 { append(byte, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
