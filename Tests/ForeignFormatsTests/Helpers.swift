// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol

func parse(_ text: String, path: String = "note.md") throws -> ParsedNote {
    try parse(bytes: Array(text.utf8), path: path)
}

func parse(bytes: [UInt8], path: String = "note.md") throws -> ParsedNote {
    MarkdownNote.parse(try ForeignFile(path: Array(path.utf8), modified: 0, content: bytes))
}

func codes(_ note: ParsedNote) -> [Loss.Code] { note.losses.map(\.code) }

/// Whether a value keeps every promise of `ParsedNote`: if it does, its record is read back as the same value.
func isWithinCaps(_ note: ParsedNote) -> Bool { (try? ParsedNote(parsing: note.encoded)) == note }
