// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `TextsToMerge` holds the three texts of a merge. They are independent values, so any thread may merge
/// them while others keep using the originals.
public struct TextsToMerge: Equatable, Sendable {
    public let base: [UInt8]
    public let ours: [UInt8]
    public let theirs: [UInt8]
    /// The label of our side; both labels are shown beside the marks of a conflict.
    public let ourLabel: String
    public let theirLabel: String

    public init(base: [UInt8], ours: [UInt8], theirs: [UInt8], ourLabel: String = "", theirLabel: String = "") {
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
        (self.ourLabel, self.theirLabel) = (ourLabel, theirLabel)
    }

    /// Whether both sides changed the text, each in its own way. Otherwise `merged` asks no comparison and is done at
    /// once.
    public var needsComparison: Bool { ours != base && theirs != base && ours != theirs }

    /// Merges the texts, and returns them with the outcome.
    ///
    /// - Throws: `tooLarge`.
    public func merged(by comparison: some TokenComparison) throws(TextMergeError) -> MergedTexts {
        MergedTexts(
            texts: self,
            outcome: try TextMerge.merge(
                base: base, ours: ours, theirs: theirs, ourLabel: ourLabel, theirLabel: theirLabel, by: comparison))
    }
}

/// `MergedTexts` says what became of three texts. It counts for these texts alone: a later user compares them.
public struct MergedTexts: Sendable {
    public let texts: TextsToMerge
    public let outcome: TextMerge.Outcome
}
