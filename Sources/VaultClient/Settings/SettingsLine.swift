// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SettingsLine` is a line `name = value # comment` of config.toml, as far as it can be read by itself.
///
/// It may be wrong about lines within a text of several lines; the result of an edit is parsed again and compared, so
/// that cannot do harm.
struct SettingsLine {
    /// Parts of the name: `lock.idle` has two.
    let path: [String]
    private let before: Substring
    private let after: Substring

    init?(_ text: String) {
        guard let mark = Self.firstIndex(of: "=", in: text[...]), let path = Self.path(text[..<mark]) else {
            return nil
        }
        let rest = text[text.index(after: mark)...]
        var end = Self.firstIndex(of: "#", in: rest) ?? rest.endIndex
        while end > rest.startIndex, rest[rest.index(before: end)].isWhitespace { end = rest.index(before: end) }
        self.path = path
        before = text[...mark]
        after = rest[end...]
    }

    func replacingValue(with value: String) -> String { before + " " + value + after }

    /// Returns the table that `[a.b]` begins; nil for any other line.
    static func header(_ text: String) -> [String]? {
        let line = code(text)
        guard line.first == "[", line.last == "]", line.dropFirst().first != "[" else { return nil }
        return path(line.dropFirst().dropLast())
    }

    static func isHeader(_ text: String) -> Bool { code(text).first == "[" }

    /// Returns whether the line is blank, or only a comment.
    static func isEmpty(_ text: String) -> Bool { code(text).isEmpty }

    private static func code(_ text: String) -> Substring {
        trimmed(text[..<(firstIndex(of: "#", in: text[...]) ?? text.endIndex)])
    }

    /// Returns a dotted name; its parts bare or in quotation marks. Nil for anything else.
    private static func path(_ text: Substring) -> [String]? {
        var parts: [String] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            var name = trimmed(part)
            if let quote = name.first, quote == "\"" || quote == "'" {
                guard name.count >= 2, name.last == quote else { return nil }
                name = name.dropFirst().dropLast()
            }
            guard !name.isEmpty, name.utf8.allSatisfy({ isBare($0) }) else { return nil }
            parts.append(String(name))
        }
        return parts
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
            || byte == 0x2D
    }

    /// Returns the first such character outside quotation marks.
    private static func firstIndex(of wanted: Character, in text: Substring) -> Substring.Index? {
        var quote: Character?
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if let open = quote {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\", open == "\"" {
                    isEscaped = true
                } else if character == open {
                    quote = nil
                }
            } else if character == wanted {
                return index
            } else if character == "\"" || character == "'" {
                quote = character
            }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace ?? false { text = text.dropLast() }
        return text
    }
}

/// `SettingSpan` reads lengths of time in settings: those of the command line (`TimeSpan`), and weeks and years, which
/// are 7 and 365 days.
enum SettingSpan {
    /// Returns a length of time in seconds; nil for text that is not one, for 0, and above 100 years.
    static func seconds(_ text: String) -> UInt32? {
        if let value = TimeSpan.seconds(text) { return value }
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty, digits.count <= 5, let number = UInt32(String(decoding: digits, as: UTF8.self)),
            number > 0
        else { return nil }
        let days: UInt32
        switch text.dropFirst(digits.count) {
        case "d": days = number
        case "w": days = number * 7
        case "y": days = number * 365
        default: return nil
        }
        return days <= 36_500 ? days * 86_400 : nil
    }

    /// Returns the shortest text that `seconds` reads back.
    static func text(seconds: UInt32) -> String {
        func isWhole(_ size: UInt32) -> Bool { seconds >= size && seconds % size == 0 }
        if isWhole(31_536_000) { return "\(seconds / 31_536_000)y" }
        if isWhole(86_400) { return "\(seconds / 86_400)d" }
        if isWhole(3600) { return "\(seconds / 3600)h" }
        if isWhole(60) { return "\(seconds / 60)m" }
        return "\(seconds)s"
    }
}
