// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Writes a merged text, with marks around its conflicts.
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

    /// A side whose last line has no end gets one: a mark stands at the start of a line.
    private mutating func mark(_ mark: [UInt8]) {
        isConflict = true
        if let last = bytes.last, last != 0x0A { bytes += marks.lineEnd }
        bytes += mark
    }
}
