// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `TextMerge` merges what two sides made of one text, line by line.
///
/// Any bytes are text here: NUL and what is not UTF-8 pass unchanged, and so do line ends.
public enum TextMerge {
    /// Largest text, in bytes.
    public static let byteCountMax = 16 << 20

    public enum Outcome: Sendable, Equatable {
        /// All changes of both sides.
        case clean([UInt8])
        /// Merged where both sides fit together; the rest appears twice, between lines of `<<<<<<<`, `=======` and
        /// `>>>>>>>`.
        case conflict(marked: [UInt8])
    }

    /// Applies the changes from `base` to `ours` and from `base` to `theirs`, both.
    ///
    /// Changes of the same line or of neighbouring lines are a conflict unless they are the same. A side that equals
    /// `base` gives the other side, byte for byte.
    ///
    /// - Parameters:
    ///   - ourLabel: follows the first mark of a conflict; controls in it become spaces.
    ///   - theirLabel: follows the last mark.
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

/// `TextMergeError` says why texts were not compared or merged. It never says what stood in them.
public struct TextMergeError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// A text above `TextMerge.byteCountMax`.
        public static let tooLarge = Code(raw: 1)
    }

    /// Compare this.
    public let code: Code

    public init(_ code: Code) { self.code = code }
}

/// `CommonEnds` says how many whole lines texts share at their start and at their end: most edits of a long note leave
/// little between.
struct CommonEnds {
    /// Some lines of the shared ends are compared with the rest: where a line was doubled, the library may choose which
    /// one is the new one.
    private static let spareLineCount = 64

    let prefixByteCount: Int
    let suffixByteCount: Int

    init(of texts: [[UInt8]]) {
        guard let first = texts.first else { (prefixByteCount, suffixByteCount) = (0, 0); return }
        var prefix = first.count
        for text in texts.dropFirst() { prefix = Self.commonPrefix(first, text, atMost: prefix) }
        prefix = Self.lineStart(in: first, before: prefix)
        var suffix = (texts.map { $0.count }.min() ?? 0) - prefix
        for text in texts.dropFirst() { suffix = Self.commonSuffix(first, text, atMost: suffix) }
        suffix = Self.lineEnd(in: first, after: first.count - suffix).map { first.count - $0 } ?? 0
        prefixByteCount = prefix
        suffixByteCount = suffix
    }

    func middle(of text: [UInt8]) -> ArraySlice<UInt8> { text[prefixByteCount..<(text.count - suffixByteCount)] }

    private static func commonPrefix(_ first: [UInt8], _ second: [UInt8], atMost limit: Int) -> Int {
        let limit = min(limit, second.count)
        var count = 0
        while count < limit, first[count] == second[count] { count += 1 }
        return count
    }

    private static func commonSuffix(_ first: [UInt8], _ second: [UInt8], atMost limit: Int) -> Int {
        var count = 0
        while count < limit, first[first.count - 1 - count] == second[second.count - 1 - count] { count += 1 }
        return count
    }

    /// Returns the start of a line that is the spare lines ahead of `offset`; 0 when there are not as many.
    private static func lineStart(in text: [UInt8], before offset: Int) -> Int {
        var (left, index) = (spareLineCount, offset)
        while index > 0 {
            if text[index - 1] == 0x0A {
                if left == 0 { return index }
                left -= 1
            }
            index -= 1
        }
        return 0
    }

    /// Returns the start of a line that is the spare lines behind `offset`; nil when there are not as many.
    private static func lineEnd(in text: [UInt8], after offset: Int) -> Int? {
        var left = spareLineCount
        for index in offset..<text.count where text[index] == 0x0A {
            if left == 0 { return index + 1 }
            left -= 1
        }
        return nil
    }
}

/// `FieldMerge` merges what two sides made of a note's fields.
public enum FieldMerge {
    /// Returns the value of the side that changed it; ours, and a conflict, when both did and differ.
    public static func value<T: Equatable>(base: T, ours: T, theirs: T) -> (T, isConflict: Bool) {
        if ours == theirs || theirs == base { return (ours, false) }
        return ours == base ? (theirs, false) : (ours, true)
    }

    /// Merges two lists without conflict: what either side added is in it, what either side removed is not.
    ///
    /// Our order, then what only they added, in their order. A side that equals `base` gives the other side as it is;
    /// else each element appears once.
    public static func list(base: [String], ours: [String], theirs: [String]) -> [String] {
        if ours == theirs || theirs == base { return ours }
        if ours == base { return theirs }
        return set(base, ours, theirs)
    }

    /// Joins two lists: what either side added is in it, what either side removed is not: in the order of the first,
    /// then what only the second has. Each element appears once.
    public static func set<Element: Hashable>(
        _ base: [Element], _ first: [Element], _ second: [Element]
    ) -> [Element] {
        let (inBase, inFirst, inSecond) = (Set(base), Set(first), Set(second))
        var joined: Set<Element> = []
        let kept = first.filter { (inSecond.contains($0) || !inBase.contains($0)) && joined.insert($0).inserted }
        let added = second.filter { !inFirst.contains($0) && !inBase.contains($0) && joined.insert($0).inserted }
        return kept + added
    }
}
