// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ForeignRecords

/// Reads a Markdown or plain text file into a note. Any bytes give a note: what cannot be understood stays text.
///
/// A name that ends in .md or .markdown, in any case, is Markdown: front matter and tags in the text are read. Every
/// other file is plain text: all of it is the body.
public enum MarkdownNote {
    /// - Parameter file: at most `ForeignFile.byteCountMax` bytes, untrusted.
    /// - Returns: a note whose every field is within the caps of `ParsedNote`.
    public static func parse(_ file: ForeignFile) -> ParsedNote {
        var note = ParsedNote(sourceKey: file.sourceKey)
        var losses = MarkdownLosses()
        note.notebook = MarkdownPath.notebook(of: file.path, &losses)
        let text = MarkdownText(file.content, &losses)
        if MarkdownPath.isMarkdown(file.path) {
            fill(&note, from: text.bytes, stem: MarkdownPath.stem(of: file.path), &losses)
        } else {
            setBody(&note, text.bytes[...], &losses)
        }
        note.losses = losses.list
        return note
    }

    private static func fill(_ note: inout ParsedNote, from bytes: [UInt8], stem: String, _ losses: inout MarkdownLosses) {
        var tags = MarkdownTags()
        var bodyStart = 0
        var kept: [UInt8] = []
        switch MarkdownFrontMatter.split(bytes) {
        case .absent: break
        case .tooLong: losses.add(.frontMatterInvalid)
        case .found(let yaml, let afterwards):
            if let properties = MarkdownProperties(yaml: Array(bytes[yaml]), tags: &tags, &losses) {
                note.title = properties.title
                note.created = properties.created
                note.updated = properties.updated
                note.flags = properties.flags
                kept = properties.kept
                bodyStart = afterwards
            } else {
                losses.add(.frontMatterInvalid)
            }
        }
        scan(bytes, from: bodyStart, into: &tags, &losses)
        note.tags = tags.list
        if kept.isEmpty {
            setBody(&note, bytes[bodyStart...], &losses)
        } else {
            // The first line is now a fence, which nobody wants to see as a title: say what it would have been.
            note.title = note.title ?? MarkdownTitle.firstLine(of: bytes[bodyStart...]) ?? MarkdownTitle.clean(stem)
            let fence = Array("---\n".utf8)
            setBody(&note, (fence + kept + fence + bytes[bodyStart...])[...], &losses)
        }
    }

    private static func scan(
        _ bytes: [UInt8], from start: Int, into tags: inout MarkdownTags, _ losses: inout MarkdownLosses
    ) {
        var scanner = MarkdownScanner(bytes, from: start)
        scanner.scan(into: &tags, &losses)
        if scanner.attachmentCount > 0 { losses.add(.attachmentNotImported, detail: String(scanner.attachmentCount)) }
    }

    private static func setBody(_ note: inout ParsedNote, _ bytes: ArraySlice<UInt8>, _ losses: inout MarkdownLosses) {
        var end = bytes.endIndex
        if bytes.count > ParsedNote.bodyByteCountMax {
            losses.add(.bodyTooLong)
            end = bytes.startIndex + ParsedNote.bodyByteCountMax
            // Not in the middle of a character: its later bytes are 10xxxxxx.
            while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        }
        note.body = String(decoding: bytes[..<end], as: UTF8.self)
    }
}
