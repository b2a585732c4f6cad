// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The lines that enclose a conflict.
struct ConflictMarks {
    let ours: [UInt8]
    let theirs: [UInt8]
    let end: [UInt8]
    let lineEnd: [UInt8]

    /// - Parameter texts: marks end with carriage return and newline when the first lines of all of them do.
    init(ourLabel: String, theirLabel: String, likeLinesOf texts: [[UInt8]]) {
        let newlines = texts.compactMap { text in text.firstIndex(of: 0x0A).map { $0 > 0 && text[$0 - 1] == 0x0D } }
        lineEnd = !newlines.isEmpty && newlines.allSatisfy { $0 } ? [0x0D, 0x0A] : [0x0A]
        ours = Self.mark("<", ourLabel) + lineEnd
        theirs = Self.mark("=", "") + lineEnd
        end = Self.mark(">", theirLabel) + lineEnd
    }

    private static func mark(_ character: Character, _ label: String) -> [UInt8] {
        let mark = String(repeating: character, count: 7)
        return Array((label.isEmpty ? mark : mark + " " + Label.oneLine(label)).utf8)
    }
}
