// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ForeignRecords

/// A small generator whose numbers are the same in every run, so that a failure can be had again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        // SplitMix64; source: Steele, Lea, Flood, OOPSLA 2014.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

func parse(_ text: String, path: String = "note.md") throws -> ParsedNote {
    try parse(bytes: Array(text.utf8), path: path)
}

func parse(bytes: [UInt8], path: String = "note.md") throws -> ParsedNote {
    MarkdownNote.parse(try ForeignFile(path: Array(path.utf8), modified: 0, content: bytes))
}

func codes(_ note: ParsedNote) -> [Loss.Code] { note.losses.map(\.code) }

/// Whether a value keeps every promise of `ParsedNote`: if it does, its record is read back as the same value.
func isWithinCaps(_ note: ParsedNote) -> Bool { (try? ParsedNote(parsing: note.encoded)) == note }
