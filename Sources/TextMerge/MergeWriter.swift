// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MergeWriter` writes a merged text, with marks around its conflicts.
struct MergeWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var isConflict = false
    private let marks: ConflictMarks

    init(marks: ConflictMarks, expecting byteCount: Int) {
        self.marks = marks
        bytes.reserveCapacity(byteCount)
    }

    mutating func append(_ text: ArraySlice<UInt8>) { bytes += text }

    mutating func append(_ element: MergeElement, from lines: TokenizedTexts) {
        switch element {
        case .token(let number): bytes += lines.bytes(of: number)
        case .ours: mark(marks.ours)
        case .theirs: mark(marks.theirs)
        case .end: mark(marks.end)
        }
    }

    mutating func appendConflict(ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>) {
        mark(marks.ours)
        bytes += ours
        mark(marks.theirs)
        bytes += theirs
        mark(marks.end)
    }

    /// Writes a mark at the start of a line: a side whose last line has no end gets one.
    private mutating func mark(_ mark: [UInt8]) {
        isConflict = true
        if let last = bytes.last, last != 0x0A { bytes += marks.lineEnd }
        bytes += mark
    }
}

/// `ConflictMarks` holds the lines that enclose a conflict.
struct ConflictMarks {
    let ours: [UInt8]
    let theirs: [UInt8]
    let end: [UInt8]
    let lineEnd: [UInt8]

    /// Makes the lines that enclose a conflict.
    ///
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

/// `Label` is a name that a caller gives to a side, fit to stand in a line.
enum Label {
    /// Returns a label with spaces for its controls, so that it is never more than its line.
    static func oneLine(_ label: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in label.unicodeScalars {
            let isControl =
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028
                || scalar.value == 0x2029
            line.append(isControl ? " " : scalar)
        }
        return String(line)
    }
}
