// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Merges what two sides made of one text, line by line.
///
/// Any bytes are text here: NUL and what is not UTF-8 pass unchanged, and so do line ends.
public enum TextMerge {
    /// A text may have this many bytes.
    public static let byteCountMax = 16 << 20

    public enum Outcome: Sendable, Equatable {
        /// All changes of both sides.
        case clean([UInt8])
        /// As much of both sides as fits together; the rest stands twice, between lines of `<<<<<<<`, `=======` and
        /// `>>>>>>>`.
        case conflict(marked: [UInt8])
    }

    /// Applies the changes from `base` to `ours` and from `base` to `theirs`, both.
    ///
    /// Changes of the same line or of neighbouring lines are a conflict unless they are the same. A side that equals
    /// `base` gives the other side, byte for byte.
    ///
    /// - Parameters:
    ///   - ourLabel: stands behind the first mark of a conflict; controls in it become spaces.
    ///   - theirLabel: stands behind the last mark.
    /// - Throws: `tooLarge`.
    public static func merge(
        base: [UInt8], ours: [UInt8], theirs: [UInt8], ourLabel: String, theirLabel: String,
        by comparison: some TokenComparison
    ) throws(TextMergeError) -> Outcome {
        guard max(base.count, ours.count, theirs.count) <= byteCountMax else { throw TextMergeError(.tooLarge) }
        if ours == base || ours == theirs { return .clean(theirs) }
        if theirs == base { return .clean(ours) }
        let trimmed = CommonEnds(of: [base, ours, theirs])
        let middles = [base, ours, theirs].map { trimmed.middle(of: $0) }
        let marks = ConflictMarks(ourLabel: ourLabel, theirLabel: theirLabel, likeLinesOf: [base, ours, theirs])
        var writer = MergeWriter(marks: marks, expecting: max(ours.count, theirs.count) + 1024)
        writer.append(ours[..<trimmed.prefixByteCount])
        defer { comparison.finish() }
        if let lines = TokenizedTexts(linesOf: middles),
            let merged = comparison.merge(base: lines.numbers[0], ours: lines.numbers[1], theirs: lines.numbers[2]),
            MergeElement.fit(
                merged, base: lines.numbers[0], ours: lines.numbers[1], theirs: lines.numbers[2],
                tokenCount: lines.tokenCount)
        {
            for element in merged { writer.append(element, from: lines) }
        } else {
            // More lines than may be compared, or no comparison: what differs is one conflict.
            writer.appendConflict(ours: middles[1], theirs: middles[2])
        }
        writer.append(ours[(ours.count - trimmed.suffixByteCount)...])
        return writer.isConflict ? .conflict(marked: writer.bytes) : .clean(writer.bytes)
    }
}
