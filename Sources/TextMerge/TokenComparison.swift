// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Compares and merges tokens, which are numbers: equal tokens have one number. No text reaches it.
///
/// The agent has it done by a confined process (docs/decisions/0023); `GitComparison` does it in this process.
public protocol TokenComparison {
    /// Finds what turns `old` into `new`.
    ///
    /// - Returns: changes in order, or nil when it did not work; whoever asks then takes all that differs for one
    ///   change.
    func changes(old: [UInt32], new: [UInt32]) -> [TokenChange]?

    /// Merges what two sides made of `base`.
    ///
    /// - Returns: the result, or nil when it did not work; whoever asks then takes all that differs for one conflict.
    func merge(base: [UInt32], ours: [UInt32], theirs: [UInt32]) -> [MergeElement]?

    /// Ends what was started for the questions so far.
    func finish()
}

extension TokenComparison {
    public func finish() {}
}

/// Compares nothing: all that differs is one change, or one conflict.
public struct WholeTexts: TokenComparison, Sendable {
    public init() {}
    public func changes(old: [UInt32], new: [UInt32]) -> [TokenChange]? { nil }
    public func merge(base: [UInt32], ours: [UInt32], theirs: [UInt32]) -> [MergeElement]? { nil }
}
