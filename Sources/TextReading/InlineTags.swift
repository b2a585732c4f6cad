// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `InlineTags` finds tags in a text: `#work`, `#work/urgent`. Blocks of code, code within a line, headings
/// and whatever begins within a word, such as the end of an address, have none.
public enum InlineTags {
    /// The longest one, in bytes; a longer word is none.
    private static let byteCountMax = 128
    /// Of a longer text none is read, and of any no more than so many: it may come from anybody.
    private static let textByteCountMax = 1 << 20
    private static let tagCountMax = 256

    /// Returns them as they are written, without `#`, in their order.
    public static func of(_ text: String) -> [String] {
        guard text.utf8.count <= textByteCountMax, text.utf8.contains(UInt8(ascii: "#")) else { return [] }
        var tags: [String] = []
        var known: Set<String> = []
        var fence: UInt8?
        var wasBlank = true
        // By bytes: a text is looked at whenever it is written.
        for whole in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = whole.last == 0x0D ? whole.dropLast() : whole
            let body = line.drop { $0 == 0x20 }
            if let open = fence {
                if isFence(body, open) { fence = nil }
                continue
            }
            // A row of code between such marks opens nothing.
            if let mark = body.first, isFence(body, mark), mark != tick || !body.dropFirst(3).contains(tick) {
                fence = mark
                continue
            }
            // Four blanks behind an empty line make a block of code.
            let isCode = wasBlank && (line.count - body.count >= 4 || line.first == 0x09)
            wasBlank = body.isEmpty || isCode
            guard line.contains(mark), !isCode, !isHeading(body) else { continue }
            var found: [String] = []
            collect(from: Substring(line), into: &found)
            for tag in found where known.insert(tag).inserted { tags.append(tag) }
            guard tags.count < tagCountMax else { break }
        }
        return tags
    }

    private static let tick = UInt8(ascii: "`")
    private static let mark = UInt8(ascii: "#")

    private static func isFence(_ line: Substring.UTF8View, _ sign: UInt8) -> Bool {
        (sign == tick || sign == UInt8(ascii: "~")) && line.starts(with: [sign, sign, sign])
    }

    /// One to six `#` and a blank.
    private static func isHeading(_ line: Substring.UTF8View) -> Bool {
        let count = line.prefix { $0 == mark }.count
        guard (1...6).contains(count) else { return false }
        let next = line.dropFirst(count).first
        return next == nil || next == 0x20 || next == 0x09
    }

    private static func collect(from line: Substring, into tags: inout [String]) {
        guard line.utf8.contains(UInt8(ascii: "#")) else { return }
        var before: Character = " "
        var isInCode = false
        var index = line.startIndex
        while index < line.endIndex {
            let character = line[index]
            let next = line.index(after: index)
            if character == "`" { isInCode.toggle() }
            guard character == "#", !isInCode, before.isWhitespace || "([{,;\"'".contains(before) else {
                (before, index) = (character, next)
                continue
            }
            var word = line[next...].prefix { isPart($0) }
            let end = word.endIndex
            while let last = word.last, "-/".contains(last) { word.removeLast() }
            // A number is a place in a list or an issue; `#` once more, or a bracket, is something else.
            let isTag = word.contains(where: \.isLetter) && word.utf8.count <= byteCountMax && word.first != "/"
            if isTag, end == line.endIndex || line[end] != "#" { tags.append(String(word)) }
            before = "#"
            index = max(end, next)
        }
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "_" || character == "/"
    }
}
