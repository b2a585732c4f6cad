// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What the names in a folder say of the program that wrote it.
struct FolderLayout {
    private(set) var markdownCount = 0
    private(set) var textCount = 0
    /// `<32 hexadecimal digits>.md`.
    private(set) var joplinCount = 0
    /// `YYYY/MM/DD.txt`.
    private(set) var journalCount = 0
    /// `notes-000001.json`.
    private(set) var exportCount = 0
    private(set) var enexCount = 0
    private(set) var passCount = 0
    private(set) var hasStandardNotes = false

    init(_ paths: [[UInt8]]) {
        for path in paths {
            let parts = path.split(separator: 0x2F).map { String(decoding: $0, as: UTF8.self) }
            guard let name = parts.last else { continue }
            if name.hasPrefix("Standard Notes Backup and Import File") { hasStandardNotes = true }
            let (stem, ending) = Self.split(name)
            switch ending {
            case "md", "markdown":
                markdownCount += 1
                if stem.utf8.count == 32, stem.allSatisfy({ $0.isASCII && $0.isHexDigit }) { joplinCount += 1 }
            case "txt":
                textCount += 1
                if parts.count == 3, Self.isNumber(parts[0], 4), Self.isNumber(parts[1], 2), Self.isNumber(stem, 2) {
                    journalCount += 1
                }
            case "json": if stem.hasPrefix("notes-"), Self.isNumber(String(stem.dropFirst(6)), 6) { exportCount += 1 }
            case "enex": enexCount += 1
            case "gpg", "age": passCount += 1
            default: break
            }
        }
    }

    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: ".") else { return (name, "") }
        return (String(name[..<dot]), name[name.index(after: dot)...].lowercased())
    }

    private static func isNumber(_ text: String, _ count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
