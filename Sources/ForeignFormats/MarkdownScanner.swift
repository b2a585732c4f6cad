// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `MarkdownScanner` finds "#tag" and embedded files in the text of a Markdown note, in one pass over its bytes.
///
/// A tag begins at the start of a line, after a blank, or right after another tag; so "x#y", "(#z)", "\#a" and "[[#b]]"
/// are not tags. Code is passed over. Each byte is looked at a bounded number of times, whatever the text.
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

    /// Begins a pass over a text, from a place on.
    ///
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

/// `MarkdownTagText` holds the characters of a tag in the text: letters, digits and marks of any script, symbols such
/// as emoji, "_", "-", and "/" between the parts of a nested tag.
///
/// At least one of them is not a digit, so "#123" is not a tag and "#fff" is. Source: Obsidian's help, "Tags", tag
/// format.
private struct MarkdownTagText {
    /// The tag without "#" and outer "/"; nil if it is not a tag.
    let tag: Range<Int>?
    /// Where the text goes on.
    let end: Int

    /// Finds the tag behind a "#".
    ///
    /// - Parameter start: the byte after "#".
    init(at start: Int, in bytes: [UInt8]) {
        var at = start
        var (hasContent, hasNonDigit) = (false, false)
        scan: while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                (hasContent, hasNonDigit) = (true, true)
            case UInt8(ascii: "0")...UInt8(ascii: "9"): hasContent = true
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "/"): hasNonDigit = true
            case 0..<0x80: break scan
            default:
                guard let scalar = Self.scalar(at: at, in: bytes), Self.isOfTag(scalar) else { break scan }
                hasContent = true
                if scalar.properties.generalCategory != .decimalNumber { hasNonDigit = true }
                at += UTF8.width(scalar) - 1
            }
            at += 1
        }
        end = at
        var range = start..<at
        while let first = range.first, bytes[first] == UInt8(ascii: "/") { range.removeFirst() }
        while let last = range.last, bytes[last] == UInt8(ascii: "/") { range.removeLast() }
        tag = hasContent && hasNonDigit && !range.isEmpty ? range : nil
    }

    /// Returns whether a place is at the start of a line or after a blank, the wide and the unbreakable ones included.
    static func isBlank(before at: Int, in bytes: [UInt8]) -> Bool {
        guard at > 0 else { return true }
        switch bytes[at - 1] {
        case UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): return true
        case 0xA0: return at >= 2 && bytes[at - 2] == 0xC2
        case 0x80: return at >= 3 && bytes[at - 2] == 0x80 && bytes[at - 3] == 0xE3
        default: return false
        }
    }

    private static func isOfTag(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        case .decimalNumber, .letterNumber, .otherNumber, .otherSymbol, .modifierSymbol: true
        // Joiners bind the letters of Persian and Indian words and the parts of an emoji.
        default: scalar.value == 0x200C || scalar.value == 0x200D
        }
    }

    private static func scalar(at start: Int, in bytes: [UInt8]) -> Unicode.Scalar? {
        String(decoding: bytes[start..<min(start + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
    }
}

/// `MarkdownEmbed` tells files beside a note from other notes and from the network.
enum MarkdownEmbed {
    /// Longest target that is looked at, in bytes: the longest path of Linux.
    private static let targetByteCountMax = 4096
    private static let endingByteCountMax = 8

    /// Returns whether a target of "[[…]]" is a file: "img.png|300" is a file; "Other note#Part" is a note.
    static func isFile(wiki target: ArraySlice<UInt8>) -> Bool {
        guard target.count <= targetByteCountMax else { return false }
        let path = target.prefix { $0 != UInt8(ascii: "|") && $0 != UInt8(ascii: "#") }
        guard let dot = path.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let ending = path[path.index(after: dot)...]
        guard (1...endingByteCountMax).contains(ending.count), ending.allSatisfy(isAlphanumeric) else { return false }
        let lower = ending.map { $0 | 0x20 }
        return !lower.elementsEqual("md".utf8) && !lower.elementsEqual("markdown".utf8)
    }

    /// Returns whether the destination of an embed is a file beside the note.
    ///
    /// - Parameter rest: what follows "](".
    static func isFile(destination rest: ArraySlice<UInt8>) -> Bool {
        let start = rest.prefix(64).drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "<") }
        guard let first = start.first, first != UInt8(ascii: ")"), first != UInt8(ascii: "\n"),
            first != UInt8(ascii: "#")
        else { return false }
        // "https:" and "data:" are elsewhere or here already; "//host" is the network.
        if start.starts(with: "//".utf8) { return false }
        let scheme = start.prefix { isAlphanumeric($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        return scheme.count < 2 || start.dropFirst(scheme.count).first != UInt8(ascii: ":")
            || scheme.elementsEqual("file".utf8)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
