// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MarkdownTitle` makes titles, which are one line: no control characters, no blanks around.
enum MarkdownTitle {
    /// Longest title that is made from a line of text, in characters.
    private static let lineCharacterCountMax = 200

    /// Makes a title of a text: control characters become blanks, and outer blanks go.
    ///
    /// - Returns: nil if nothing is left.
    static func clean(_ text: String) -> String? {
        var title = ""
        for scalar in text.unicodeScalars { title.unicodeScalars.append(isControl(scalar) ? " " : scalar) }
        let trimmed = trimmed(title)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Returns whether a title has control characters: around it they are blanks; within it they are something lost.
    static func hasControlCharacters(_ text: String) -> Bool { trimmed(text).unicodeScalars.contains(where: isControl) }

    /// Returns the first line that is not blank, without the signs of a heading.
    static func firstLine(of bytes: ArraySlice<UInt8>) -> String? {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let hashes = line.prefix { $0 == UInt8(ascii: "#") }
            let isHeading = (1...6).contains(hashes.count) && line.dropFirst(hashes.count).first == UInt8(ascii: " ")
            let content = isHeading ? line.dropFirst(hashes.count) : line
            if let title = clean(String(String(decoding: content, as: UTF8.self).prefix(lineCharacterCountMax))) {
                return cut(title, byteCountMax: 4 * lineCharacterCountMax)
            }
        }
        return nil
    }

    /// Returns the longest beginning that fits and ends between two characters.
    static func cut(_ text: String, byteCountMax: Int) -> String {
        guard text.utf8.count > byteCountMax else { return text }
        var result = String.UnicodeScalarView()
        var byteCount = 0
        for scalar in text.unicodeScalars {
            byteCount += UTF8.width(scalar)
            guard byteCount <= byteCountMax else { break }
            result.append(scalar)
        }
        return String(result)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}
