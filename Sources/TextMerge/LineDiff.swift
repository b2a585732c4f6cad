// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `LineDiff` finds the differences of two texts by lines, as `diff -u` writes them and `patch` reads them.
public enum LineDiff {
    /// Returns the differences of two texts as a unified diff; nothing when the texts are equal.
    ///
    /// - Parameters:
    ///   - oldLabel: shown in the first line, where `diff` has a file name; controls in it become spaces.
    ///   - contextLines: unchanged lines before and behind each change.
    /// - Throws: `tooLarge`.
    public static func unified(
        old: [UInt8], new: [UInt8], oldLabel: String, newLabel: String, contextLines: Int = 3,
        by comparison: some TokenComparison
    ) throws(TextMergeError) -> [UInt8] {
        defer { comparison.finish() }
        let changes = try LineChange.all(old: old, new: new, by: comparison)
        guard !changes.isEmpty else { return [] }
        var output = Array((header("---", oldLabel) + header("+++", newLabel)).utf8)
        for hunk in ChangeHunk.all(of: changes, in: old, contextLines: contextLines) {
            output += Array("@@ -\(span(hunk.oldLines)) +\(span(hunk.newLines)) @@\n".utf8)
            var position = hunk.oldBytes.lowerBound
            for change in hunk.changes {
                append(old[position..<change.oldBytes.lowerBound], after: " ", to: &output)
                append(old[change.oldBytes], after: "-", to: &output)
                append(new[change.newBytes], after: "+", to: &output)
                position = change.oldBytes.upperBound
            }
            append(old[position..<hunk.oldBytes.upperBound], after: " ", to: &output)
        }
        return output
    }

    /// Returns a line that names a text. A tab ends a name that has spaces in it, for `patch` takes the rest for a
    /// date.
    private static func header(_ mark: String, _ label: String) -> String {
        let name = Label.oneLine(label)
        return mark + " " + name + (name.contains(" ") ? "\t" : "") + "\n"
    }

    /// Returns a stretch of lines as a hunk's head names it: lines count from 1, and a stretch of none is named by the
    /// line before it.
    private static func span(_ lines: Range<Int>) -> String {
        switch lines.count {
        case 0: "\(lines.lowerBound),0"
        case 1: "\(lines.lowerBound + 1)"
        default: "\(lines.lowerBound + 1),\(lines.count)"
        }
    }

    private static func append(_ lines: ArraySlice<UInt8>, after mark: Unicode.Scalar, to output: inout [UInt8]) {
        guard let last = lines.last else { return }
        var isStart = true
        for byte in lines {
            if isStart { output.append(UInt8(ascii: mark)) }
            output.append(byte)
            isStart = byte == 0x0A
        }
        if last != 0x0A { output += Array("\n\\ No newline at end of file\n".utf8) }
    }
}

/// `ChangeHunk` holds changes that stand near each other, with the unchanged lines around them.
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

    /// Makes the hunk of some changes, with at most `context` unchanged lines before and after them.
    ///
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

/// `LineChange` holds whole lines of one text that lines of another take the place of: their numbers, from 0, and their
/// bytes.
struct LineChange: Equatable {
    let oldLines: Range<Int>
    let oldBytes: Range<Int>
    let newLines: Range<Int>
    let newBytes: Range<Int>

    /// Returns what turns `old` into `new`; one change from the first line that differs to the last when there are too
    /// many to compare.
    static func all(old: [UInt8], new: [UInt8], by comparison: some TokenComparison) throws(TextMergeError)
        -> [LineChange]
    {
        guard max(old.count, new.count) <= TextMerge.byteCountMax else { throw TextMergeError(.tooLarge) }
        if old == new { return [] }
        let trimmed = CommonEnds(of: [old, new])
        let (oldMiddle, newMiddle) = (trimmed.middle(of: old), trimmed.middle(of: new))
        let firstLine = LineCutter.count(of: old[..<trimmed.prefixByteCount])
        guard let lines = TokenizedTexts(linesOf: [oldMiddle, newMiddle]) else {
            let oldLines = firstLine..<(firstLine + LineCutter.count(of: oldMiddle))
            let newLines = firstLine..<(firstLine + LineCutter.count(of: newMiddle))
            return [
                LineChange(
                    oldLines: oldLines, oldBytes: oldMiddle.indices, newLines: newLines, newBytes: newMiddle.indices)
            ]
        }
        return TokenChange.all(old: lines.numbers[0], new: lines.numbers[1], by: comparison).map { change in
            LineChange(
                oldLines: (firstLine + change.old.lowerBound)..<(firstLine + change.old.upperBound),
                oldBytes: lines.bytes(of: change.old, inText: 0).indices,
                newLines: (firstLine + change.new.lowerBound)..<(firstLine + change.new.upperBound),
                newBytes: lines.bytes(of: change.new, inText: 1).indices)
        }
    }
}
