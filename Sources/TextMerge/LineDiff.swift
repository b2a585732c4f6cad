// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Differences of two texts by lines, as `diff -u` writes them and `patch` reads them.
public enum LineDiff {
    /// - Parameters:
    ///   - oldLabel: stands in the first line, as `diff` has a file name there; controls in it become spaces.
    ///   - contextLines: unchanged lines before and behind each change.
    /// - Returns: nothing when the texts are equal.
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

    /// A tab ends a name that has spaces in it, for `patch` takes the rest for a date.
    private static func header(_ mark: String, _ label: String) -> String {
        let name = Label.oneLine(label)
        return mark + " " + name + (name.contains(" ") ? "\t" : "") + "\n"
    }

    /// Lines count from 1; a stretch of none is named by the line before it.
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
