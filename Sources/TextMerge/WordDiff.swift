// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `WordDiff` finds the differences of two texts by words, for eyes.
public enum WordDiff {
    public enum Kind: Sendable {
        case same
        case removed
        case added
    }

    public struct Piece: Sendable, Equatable {
        public var kind: Kind
        public var text: [UInt8]

        public init(kind: Kind, text: [UInt8]) {
            self.kind = kind
            self.text = text
        }
    }

    /// Returns stretches of both texts around their changes, in order.
    ///
    /// In each, the pieces that are the same or removed make up whole lines of `old`, and those that are the same or
    /// added whole lines of `new`. Neighbours are of different kinds. Words are compared where lines differ, as long as
    /// there are not too many of them; the rest is shown in whole lines.
    ///
    /// - Parameter contextLines: unchanged lines before and behind each change.
    /// - Returns: nothing when the texts are equal.
    /// - Throws: `tooLarge`.
    public static func hunks(
        old: [UInt8], new: [UInt8], contextLines: Int = 3, by comparison: some TokenComparison
    ) throws(TextMergeError) -> [[Piece]] {
        defer { comparison.finish() }
        let changes = try LineChange.all(old: old, new: new, by: comparison)
        var hunks: [[Piece]] = []
        var words = WordComparison(by: comparison)
        for hunk in ChangeHunk.all(of: changes, in: old, contextLines: contextLines) {
            var pieces = PieceList()
            var position = hunk.oldBytes.lowerBound
            for change in hunk.changes {
                pieces.append(.same, old[position..<change.oldBytes.lowerBound])
                words.compare(old[change.oldBytes], new[change.newBytes], into: &pieces)
                position = change.oldBytes.upperBound
            }
            pieces.append(.same, old[position..<hunk.oldBytes.upperBound])
            hunks.append(pieces.pieces)
        }
        return hunks
    }
}

/// `WordComparison` compares changed lines by words, as long as its allowances last.
private struct WordComparison {
    /// Words and spaces that may still be looked at; equal ones at both ends cost little.
    private var cutLeft = 1 << 20
    /// Those that the library may still compare.
    private var comparedLeft = TokenizedTexts.comparedCountMax

    private let comparison: any TokenComparison

    init(by comparison: any TokenComparison) { self.comparison = comparison }

    mutating func compare(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>, into pieces: inout PieceList) {
        let limit = cutLeft
        guard !old.isEmpty, !new.isEmpty,
            let words = TokenizedTexts([old, new], cut: { WordCutter.ends(of: $0, atMost: limit) })
        else {
            pieces.append(.removed, old)
            pieces.append(.added, new)
            return
        }
        cutLeft -= words.numbers.map { $0.count }.max() ?? 0
        var position = 0
        for change in changes(words.numbers[0], words.numbers[1]) {
            pieces.append(.same, words.bytes(of: position..<change.old.lowerBound, inText: 0))
            pieces.append(.removed, words.bytes(of: change.old, inText: 0))
            pieces.append(.added, words.bytes(of: change.new, inText: 1))
            position = change.old.upperBound
        }
        pieces.append(.same, words.bytes(of: position..<words.numbers[0].count, inText: 0))
    }

    private mutating func changes(_ old: [UInt32], _ new: [UInt32]) -> [TokenChange] {
        var (prefix, suffix) = (0, 0)
        let shorter = min(old.count, new.count)
        while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
        while suffix < shorter - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] { suffix += 1 }
        let middle = TokenChange(old: prefix..<(old.count - suffix), new: prefix..<(new.count - suffix))
        let cost = max(middle.old.count, middle.new.count)
        guard cost <= comparedLeft else { return [middle] }
        comparedLeft -= cost
        return TokenChange.all(old: Array(old[middle.old]), new: Array(new[middle.new]), by: comparison)
            .map { $0.moved(by: prefix) }
    }
}

/// `PieceList` holds pieces in order; neighbours of one kind become one.
private struct PieceList {
    private(set) var pieces: [WordDiff.Piece] = []

    mutating func append(_ kind: WordDiff.Kind, _ text: ArraySlice<UInt8>) {
        guard !text.isEmpty else { return }
        if let last = pieces.indices.last, pieces[last].kind == kind {
            pieces[last].text += text
        } else {
            pieces.append(WordDiff.Piece(kind: kind, text: Array(text)))
        }
    }
}
