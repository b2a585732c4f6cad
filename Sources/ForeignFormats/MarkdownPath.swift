// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// What a file's path says of its note. The bytes are anybody's: file names on Linux need not be UTF-8.
enum MarkdownPath {
    static func isMarkdown(_ path: [UInt8]) -> Bool {
        guard let dot = name(of: path).lastIndex(of: UInt8(ascii: ".")) else { return false }
        let ending = path[path.index(after: dot)...].map { byte in
            byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
        }
        return ending.elementsEqual("md".utf8) || ending.elementsEqual("markdown".utf8)
    }

    /// The folders with "/" between them, cut at a character if there is no room.
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

    /// The file's name without its ending.
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
