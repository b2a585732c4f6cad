// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `BookText` makes values of a book out of what services write.
enum BookText {
    private static let dayMilliseconds: Int64 = 86_400_000

    /// Makes one line: control characters and runs of blanks become one blank, outer ones go.
    static func line(_ text: String) -> String {
        guard let clean = MarkdownTitle.clean(text) else { return "" }
        return clean.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Reads "2023/01/31", "2023-01-31" or a date with a time, as days since 1970.
    ///
    /// - Returns: nil if it is no such day.
    static func day(_ text: String) -> UInt32? {
        guard let time = MarkdownDate.milliseconds(text.replacing("/", with: "-")), time >= 0 else { return nil }
        return UInt32(exactly: time / dayMilliseconds).flatMap { ParsedBook.days.contains($0) ? $0 : nil }
    }

    /// Decodes a cell as UTF-8, or as Windows-1252 if it is none, with line feeds at the ends of its lines.
    static func text(_ bytes: [UInt8], _ losses: inout MarkdownLosses) -> String {
        String(decoding: MarkdownText(bytes, &losses).bytes, as: UTF8.self)
    }

    /// Returns the parts of a list with commas, each on one line.
    static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { line(String($0)) }.filter { !$0.isEmpty }
    }

    /// Writes a number without the ".0" of a whole one.
    static func number(_ number: Double) -> String {
        Int64(exactly: number).map { String($0) } ?? String(number)
    }

    /// Makes a short name of a column: "My Review" is "my-review".
    static func name(_ column: String) -> String {
        let words = column.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return MarkdownTitle.cut(words.joined(separator: "-"), byteCountMax: Loss.detailByteCountMax)
    }

    /// Finds the first place of a text in another one, in as many steps as they have bytes.
    static func place(of wanted: String, in text: String) -> String.Index? {
        let (wanted, bytes) = (Array(wanted.utf8), Array(text.utf8))
        guard !wanted.isEmpty, wanted.count <= bytes.count else { return nil }
        // Where to go on after so many equal bytes (Knuth, Morris, Pratt).
        var (next, equal) = ([Int](repeating: 0, count: wanted.count), 0)
        for at in 1..<wanted.count {
            while equal > 0, wanted[at] != wanted[equal] { equal = next[equal - 1] }
            if wanted[at] == wanted[equal] { equal += 1 }
            next[at] = equal
        }
        equal = 0
        for at in bytes.indices {
            while equal > 0, bytes[at] != wanted[equal] { equal = next[equal - 1] }
            if bytes[at] == wanted[equal] { equal += 1 }
            if equal == wanted.count { return text.utf8.index(text.startIndex, offsetBy: at + 1 - wanted.count) }
        }
        return nil
    }

    /// Makes Markdown of HTML; a text without tags and references is left as it is.
    static func markdown(_ text: String, _ losses: inout MarkdownLosses) -> [UInt8] {
        guard isHTML(text) else { return Array(text.utf8) }
        let result = MarkupConverter.convert(Array(withParagraphs(text).utf8))
        for name in result.lost { losses.add(.unsupportedMarkup, detail: name) }
        if result.isDamaged { losses.add(.damagedMarkup) }
        return result.markdown
    }

    /// Returns whether a text has something that looks like a tag or a reference.
    private static func isHTML(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let lastEnd = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
        for at in bytes.indices where bytes[at] == UInt8(ascii: "<") || bytes[at] == UInt8(ascii: "&") {
            let isTag = bytes[at] == UInt8(ascii: "<")
            var name = bytes[(at + 1)...].prefix(32)
            if isTag, name.first == UInt8(ascii: "/") { name = name.dropFirst() }
            if !isTag, name.first == UInt8(ascii: "#") { name = name.dropFirst() }
            let word = name.prefix { isWord($0) }
            guard !word.isEmpty, let next = name[word.endIndex...].first else { continue }
            if !isTag, next == UInt8(ascii: ";") { return true }
            if isTag, " \n/>".utf8.contains(next), lastEnd >= word.endIndex { return true }
        }
        return false
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// Writes two line breaks in a row as a new paragraph, which services mean by it, and the line feeds of a text that
    /// has no blocks as breaks.
    private static func withParagraphs(_ text: String) -> String {
        let lower = text.lowercased()
        let hasBlocks = ["<br", "<p>", "<p ", "<div", "<li"].contains { lower.contains($0) }
        let text = hasBlocks ? text : text.replacing("\n", with: "<br>")
        var (result, breaks, blanks) = ("", 0, "")
        var rest = text[...]
        while let first = rest.first {
            if first == "<", let end = breakEnd(rest) {
                breaks += 1
                blanks = ""
                rest = rest[end...]
            } else if first.isWhitespace, breaks > 0 {
                blanks.append(first)
                rest = rest.dropFirst()
            } else {
                if breaks > 0 { result += (breaks > 1 ? "<p>" : "<br>") + blanks }
                (breaks, blanks) = (0, "")
                let next = rest.dropFirst().firstIndex { $0 == "<" } ?? rest.endIndex
                result += rest[..<next]
                rest = rest[next...]
            }
        }
        return result
    }

    /// Returns where a "<br>", "<br/>" or "<br />" ends that a text begins with.
    private static func breakEnd(_ text: Substring) -> Substring.Index? {
        guard text.prefix(3).lowercased() == "<br" else { return nil }
        let rest = text.dropFirst(3).drop { $0 == " " || $0 == "/" }
        return rest.first == ">" ? rest.index(after: rest.startIndex) : nil
    }
}
