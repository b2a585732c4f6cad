// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `FrontMatter` makes what stands before the text of an exported Markdown file. The keys are those that Obsidian and
/// Joplin know, and our own import.
enum FrontMatter {
    /// Most bytes of a list of files: readers take front matter up to some size. Files that are not listed are the
    /// note's by the folder that they lie in.
    private static let listByteCountMax = 8 << 10

    /// Returns the front matter of a note.
    ///
    /// - Parameter files: attachments to list, as paths from the note's folder.
    /// - Returns: two fences with the properties between them, and one empty line, which is no part of the text.
    static func bytes(of note: ExportedNote, listing files: [String] = []) -> [UInt8] {
        var yaml = YAMLText()
        yaml.line("---")
        if note.titleIsSet { yaml.line("title: ", note.title) }
        yaml.line("created: ", date: note.created)
        yaml.line("updated: ", date: note.modified)
        if !note.tags.isEmpty {
            yaml.line("tags:")
            for tag in note.tags { yaml.line("  - ", tag) }
        }
        yaml.line("id: ", note.id)
        for flag in NoteFlag.allCases where note.flags.contains(flag) { yaml.line(flag.name + ": true") }
        if let place = note.bookPlace {
            yaml.line("book: ", place.title)
            if let chapter = place.chapter { yaml.line("chapter: ", chapter) }
        }
        if let source = note.source { yaml.line("imported-from: ", source) }
        list(files, &yaml)
        yaml.line("---")
        return yaml.bytes + [UInt8(ascii: "\n")]
    }

    /// Writes files as links that Obsidian follows, where a name can stand in one.
    private static func list(_ files: [String], _ yaml: inout YAMLText) {
        guard !files.isEmpty else { return }
        yaml.line("attachments:")
        let start = yaml.bytes.count
        for file in files where yaml.bytes.count - start < listByteCountMax {
            yaml.line("  - ", file.contains { "[]|#^".contains($0) } ? file : "[[\(file)]]")
        }
    }
}

/// `YAMLText` writes texts as double-quoted YAML scalars on one line: whatever is in them, they stay one value
/// (ThreatModel H11).
///
/// Escaped are also signs that careful readers refuse to see even in quotes: breaks of YAML 1.1, "&" where an anchor
/// could begin, and brackets once there are many. Source: yaml.org/spec/1.2.2, §7.3.1.
private struct YAMLText {
    /// Brackets that stay readable in one document.
    private static let bracketCountMax = 16
    private var bracketCount = 0
    private(set) var bytes: [UInt8] = []

    /// Adds a line of known text.
    mutating func line(_ text: String) {
        bytes += text.utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Adds a line of known text with a value behind it.
    mutating func line(_ start: String, _ value: String) {
        bytes += start.utf8
        quote(value)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Adds a line with a date, which needs no quotes.
    mutating func line(_ start: String, date: Int64) {
        bytes += start.utf8
        bytes += RFC3339.text(date).utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
            case "\n": bytes += "\\n".utf8
            case "\t": bytes += "\\t".utf8
            case "&": bytes += "\\x26".utf8
            case "[", "{":
                bracketCount += 1
                if bracketCount > Self.bracketCountMax { escape(scalar) } else { bytes.append(UInt8(ascii: scalar)) }
            case " "..."~": bytes.append(UInt8(ascii: scalar))
            case _ where Self.isUnprintable(scalar): escape(scalar)
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        let (sign, digitCount) = scalar.value <= 0xFF ? ("x", 2) : scalar.value <= 0xFFFF ? ("u", 4) : ("U", 8)
        let digits = String(scalar.value, radix: 16, uppercase: true)
        bytes += ("\\" + sign + String(repeating: "0", count: digitCount - digits.utf8.count) + digits).utf8
    }

    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
        default: scalar.properties.generalCategory == .format
        }
    }
}
