// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// Finds "#tag" and embedded files in the text of a Markdown note, in one pass over its bytes.
///
/// A tag begins at the start of a line, after a blank, or right after another tag; so "x#y", "(#z)", "\#a" and "[[#b]]"
/// are none. Code is passed over. Each byte is looked at a bounded number of times, whatever the text.
struct MarkdownScanner {
    private let bytes: [UInt8]
    private var at: Int
    private var spans = MarkdownCodeSpans()
    /// Where the last tag ended.
    private var tagEnd = -1
    /// Where the target of an open "![[" or the words of an open "![" begin.
    private var wikiStart: Int?
    private var imageStart: Int?
    /// Embedded files that lie beside the note.
    private(set) var attachmentCount = 0

    /// - Parameter bytes: well-formed UTF-8 with LF at the ends of lines.
    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        at = start
    }

    mutating func scan(into tags: inout MarkdownTags, _ losses: inout MarkdownLosses) {
        guard bytes[at...].contains(UInt8(ascii: "#")) || bytes[at...].contains(UInt8(ascii: "!")) else { return }
        let start = at
        beginLine()
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\n"):
                at += 1
                beginLine()
            case UInt8(ascii: "`"): at = spans.end(ofSpanAt: at, in: bytes)
            case UInt8(ascii: "\\"): at += isNewline(at + 1) ? 1 : 2
            case UInt8(ascii: "!"): openEmbed()
            case UInt8(ascii: "]"): closeEmbed()
            case UInt8(ascii: "#"):
                let mayBegin = at == start || at == tagEnd || MarkdownTagText.isBlank(before: at, in: bytes)
                if mayBegin, !tags.isFull { takeTag(&tags, &losses) } else { at += 1 }
            default: at += 1
            }
        }
    }

    /// Passes over a block of code, if one begins here.
    private mutating func beginLine() {
        (wikiStart, imageStart) = (nil, nil)
        while let fence = MarkdownFence(at: at, in: bytes) { at = fence.end(in: bytes) }
    }

    private mutating func takeTag(_ tags: inout MarkdownTags, _ losses: inout MarkdownLosses) {
        let text = MarkdownTagText(at: at + 1, in: bytes)
        at = text.end
        guard let tag = text.tag else { return }
        tagEnd = text.end
        _ = tags.add(String(decoding: bytes[tag], as: UTF8.self), &losses)
    }

    private mutating func openEmbed() {
        at += 1
        guard byte(at) == UInt8(ascii: "[") else { return }
        at += 1
        if byte(at) == UInt8(ascii: "[") {
            at += 1
            wikiStart = at
        } else {
            imageStart = at
        }
    }

    private mutating func closeEmbed() {
        at += 1
        if let start = wikiStart, byte(at) == UInt8(ascii: "]") {
            if MarkdownEmbed.isFile(wiki: bytes[start..<(at - 1)]) { attachmentCount += 1 }
            wikiStart = nil
            at += 1
        } else if imageStart != nil, byte(at) == UInt8(ascii: "(") {
            if MarkdownEmbed.isFile(destination: bytes[(at + 1)...]) { attachmentCount += 1 }
            imageStart = nil
            at += 1
        }
    }

    private func byte(_ place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }
    private func isNewline(_ place: Int) -> Bool { byte(place) == UInt8(ascii: "\n") }
}
