// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `MarkdownNames` holds what a Markdown file says of itself that other notes of its folder may name, and which files
/// it says are its own.
struct MarkdownNames {
    /// The title as a list shows it: the one of the front matter, else the file's name, else the first line.
    var title = ""
    /// Other names of the note.
    var aliases: [String] = []
    /// The heading that its text begins with, if it does: nb and others call a note by it in links.
    var heading: String?
    /// The identifier that our own export wrote (docs/export.md).
    var ownID: String?
    /// Files of the note, as our own export lists those that the text does not mention.
    var attachments: [String] = []

    static let aliasCountMax = 64

    /// Returns a title for a note whose file has this name.
    ///
    /// The name is the title, so that links by it lead there. Only where our own export made the name of the note's
    /// first line, the note goes on without a title of its own.
    ///
    /// - Returns: nil for a note that is called by its first line.
    static func title(fromFile stem: String, isOwnExport: Bool, firstLine: String?) -> String? {
        guard let name = MarkdownTitle.clean(stem) else { return nil }
        return isOwnExport && isMade(name, from: firstLine) ? nil : name
    }

    /// Returns whether an export may have made the name of the line: letters and digits are left in it as they are, all
    /// else may have become "_", its end may be cut off, and a number may stand behind it.
    private static func isMade(_ name: String, from line: String?) -> Bool {
        guard let line else { return name.hasPrefix("Untitled") }
        let letters = signs(of: line)
        return [name, withoutNumber(name)].contains { stem in
            let own = signs(of: stem)
            return own == letters || (stem.utf8.count >= shortestCutByteCount && letters.starts(with: own))
        }
    }

    /// Shorter names than this were not cut.
    private static let shortestCutByteCount = 80

    private static func signs(of text: String) -> [Unicode.Scalar] {
        text.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    /// Returns "Plan" for "Plan (2)".
    private static func withoutNumber(_ name: String) -> String {
        guard name.last == ")", let open = name.lastIndex(of: "("), open > name.startIndex else { return name }
        let digits = name[name.index(after: open)...].dropLast()
        guard !digits.isEmpty, digits.allSatisfy(\.isNumber) else { return name }
        return String(name[..<open])
    }
}

/// `MarkdownPath` says what a file's path says of its note. The bytes are anybody's: file names on Linux need not be
/// UTF-8.
enum MarkdownPath {
    static func isMarkdown(_ path: [UInt8]) -> Bool {
        guard let dot = name(of: path).lastIndex(of: UInt8(ascii: ".")) else { return false }
        let ending = path[path.index(after: dot)...].map { byte in
            byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
        }
        return ending.elementsEqual("md".utf8) || ending.elementsEqual("markdown".utf8)
    }

    /// Returns the folders with "/" between them, cut at a character if there is no room.
    static func notebook(of path: [UInt8], _ losses: inout MarkdownLosses) -> String {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        let folder = path[..<slash]
        let text = String(validating: folder, as: UTF8.self)
        if text == nil { losses.add(.pathNotUTF8) }
        let notebook = text ?? String(decoding: folder, as: UTF8.self)
        guard notebook.utf8.count > ParsedNote.notebookByteCountMax else { return notebook }
        losses.add(.notebookTooLong)
        return MarkdownTitle.cut(notebook, byteCountMax: ParsedNote.notebookByteCountMax)
    }

    /// Returns the file's name without its ending.
    static func stem(of path: [UInt8]) -> String {
        let name = name(of: path)
        let end = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        return String(decoding: name[..<end], as: UTF8.self)
    }

    private static func name(of path: [UInt8]) -> ArraySlice<UInt8> {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path[...] }
        return path[path.index(after: slash)...]
    }
}
