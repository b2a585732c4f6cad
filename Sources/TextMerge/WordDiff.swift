// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Differences of two texts by words, for eyes.
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

    /// Stretches of both texts around their changes, in order.
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
