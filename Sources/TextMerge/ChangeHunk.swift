// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Changes that stand near each other, with the unchanged lines around them.
struct ChangeHunk {
    let changes: ArraySlice<LineChange>
    let oldLines: Range<Int>
    let oldBytes: Range<Int>
    let newLines: Range<Int>

    /// Changes come into one hunk when their context would touch.
    static func all(of changes: [LineChange], in old: [UInt8], contextLines: Int) -> [ChangeHunk] {
        let context = min(max(contextLines, 0), TextMerge.byteCountMax)
        var hunks: [ChangeHunk] = []
        var first = 0
        for index in changes.indices {
            let next = index + 1
            if next < changes.count,
                changes[next].oldLines.lowerBound - changes[index].oldLines.upperBound <= 2 * context
            {
                continue
            }
            hunks.append(ChangeHunk(changes[first..<next], in: old, context: context))
            first = next
        }
        return hunks
    }

    /// - Parameter changes: one at least.
    private init(_ changes: ArraySlice<LineChange>, in old: [UInt8], context: Int) {
        let (first, last) = (changes[changes.startIndex], changes[changes.endIndex - 1])
        var (start, before) = (first.oldBytes.lowerBound, 0)
        while before < context, start > 0 {
            (start, before) = (LineCutter.start(ofLineEndingAt: start, in: old), before + 1)
        }
        var (end, after) = (last.oldBytes.upperBound, 0)
        while after < context, end < old.count { (end, after) = (LineCutter.end(ofLineAt: end, in: old), after + 1) }
        self.changes = changes
        oldBytes = start..<end
        oldLines = (first.oldLines.lowerBound - before)..<(last.oldLines.upperBound + after)
        newLines = (first.newLines.lowerBound - before)..<(last.newLines.upperBound + after)
    }
}
