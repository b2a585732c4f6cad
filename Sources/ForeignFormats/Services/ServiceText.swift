// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `ServiceText` makes texts of a service fit to be shown and kept: without signs that turn the direction of what
/// stands around them, without controls, and not longer than a record has room for.
enum ServiceText {
    /// Returns one line; a line feed and a tabulator become blanks.
    static func line(_ value: JSONValue?, max: Int) -> String {
        cut(plain(value?.text ?? "", keepsLines: false).split(separator: " ").joined(separator: " "), max)
    }

    /// Returns the lines of a list of texts, each once and none empty; one text counts as a list.
    static func lines(_ value: JSONValue?) -> [String] {
        var lines: [String] = []
        guard let value else { return [] }
        for item in value.text == nil ? value.items : [value] where lines.count < ParsedBook.nameCountMax {
            let text = line(item, max: ParsedBook.nameByteCountMax)
            if !text.isEmpty, !lines.contains(text) { lines.append(text) }
        }
        return lines
    }

    /// Returns a description as Markdown. Its pictures and the targets of its links are left out: a note that is looked
    /// at would ask strangers for them.
    static func description(_ value: JSONValue?) -> String {
        guard let text = value?.text else { return "" }
        var resolver = MarkupConverter.Resolver()
        resolver.takesPictures = false
        resolver.link = { _, label in label }
        let markdown = MarkupConverter.convert(Array(text.utf8), resolver).markdown
        let lines = plain(String(decoding: markdown, as: UTF8.self), keepsLines: true)
        return cut(lines.hasSuffix("\n") ? String(lines.dropLast()) : lines, descriptionByteCountMax)
    }

    /// Longer than any description of a book, in bytes.
    private static let descriptionByteCountMax = 64 << 10

    private static func plain(_ text: String, keepsLines: Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where keepsLines: result.append(scalar)
            case 9, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: result.append(" ")
            case 0..<0x20, 0x7F...0x9F: break
            // Marks, embeddings, overrides and isolates; what has no width and no meaning in a name.
            case 0x061C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: break
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// Returns the whole characters that fit.
    private static func cut(_ text: String, _ max: Int) -> String {
        guard text.utf8.count > max else { return text }
        var count = 0
        let fitting = text.prefix { character in
            count += String(character).utf8.count
            return count <= max
        }
        return String(fitting)
    }
}
