// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A `RepairReport` says what a repair has done, and what it could not bring back.
public struct RepairReport: Sendable {
    /// Small files that were put right from their copies.
    public internal(set) var mended: [String] = []
    /// Whether the index was rebuilt from what its pages hold.
    public internal(set) var isRebuilt = false
    /// Notes and revisions in the new index.
    public internal(set) var notes = 0
    public internal(set) var revisions = 0
    /// Where the damaged index is now, with its log, if it had one, beside it under the same name and `-wal`.
    public internal(set) var kept: String?
    public internal(set) var loss = SalvageLoss()
    /// Pages and frames of the log that do not open.
    public internal(set) var lostPages = 0
    /// Pages that were older than the vault: rows of them counted only where nothing newer was there.
    public internal(set) var oldPages = 0
    /// Changes that the manifest vouches for and that no page has.
    public internal(set) var lostChanges: UInt64 = 0
    /// The log could not be read: what was written last may be lost.
    public internal(set) var logIsLost = false
    /// Nothing proves that what was found is all there was: changes may be missing, and nobody can say which.
    public internal(set) var endIsUnknown = false
    /// What a check finds afterwards.
    public internal(set) var remaining: [CheckProblem] = []
    /// Private notes that were unlocked, and are locked again.
    public internal(set) var relocked = 0

    public init() {}

    /// Whether nothing had to be done.
    public var hasFoundNothing: Bool { mended.isEmpty && !isRebuilt && remaining.isEmpty }
    /// Whether everything is there again.
    public var isComplete: Bool {
        loss.isNone && lostChanges == 0 && !logIsLost && !endIsUnknown && remaining.isEmpty
    }
}
