// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `InlineTags` finds tags that stand in a text: `#work`, `#work/urgent`. Blocks of code, code within a line, headings
/// and whatever begins within a word, such as the end of an address, have none.
public enum InlineTags {
    /// The longest one, in bytes; a longer word is none.
    private static let byteCountMax = 128

    /// Returns them as they are written, without `#`, in their order.
    public static func of(_ text: String) -> [String] {
        guard text.utf8.contains(UInt8(ascii: "#")) else { return [] }
        var tags: [String] = []
        var fence: Substring?
        var wasBlank = true
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let body = line.drop { $0 == " " }
            if let open = fence {
                if body.hasPrefix(open) { fence = nil }
                continue
            }
            if let mark = ["```", "~~~"].first(where: body.hasPrefix) {
                fence = mark[...]
                continue
            }
            // Four blanks behind an empty line make a block of code.
            let isCode = wasBlank && (line.hasPrefix("    ") || line.hasPrefix("\t"))
            wasBlank = body.isEmpty || isCode
            guard !isCode, !isHeading(body) else { continue }
            collect(from: line, into: &tags)
        }
        return tags
    }

    /// One to six `#` and a blank.
    private static func isHeading(_ line: Substring) -> Bool {
        let marks = line.prefix { $0 == "#" }.count
        guard (1...6).contains(marks) else { return false }
        let rest = line.dropFirst(marks)
        return rest.isEmpty || rest.first == " " || rest.first == "\t"
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
