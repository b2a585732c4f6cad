// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What may have become of the vault when the agent went away before its last word about a request.
public enum RequestEffect: Sendable, Equatable {
    /// It only reads: nothing was changed, whatever happened.
    case nothing
    /// It reads, and writes what it found outside of the vault: nothing in the vault was changed, and what was written is not whole.
    case output
    /// It may change what the vault keeps beside its notes, such as the index or the progress of a rotation: no note was changed.
    case upkeep
    /// It changes what the user keeps there. Only its `end` promises that this was saved.
    case change
}

// No `default` below: an operation that has no class does not compile, and RequestEffectTests hold each one to what it does.

extension Request {
    public var effect: RequestEffect {
        switch self {
        case .probe, .create, .status, .lock, .show, .cat, .list, .search, .measureCost: .nothing
        case .commitCreation, .new, .append, .replace, .remove, .restore, .emptyTrash: .change
        // An unlock takes up what editors left, and lets old drafts go.
        case .check, .unlock: .upkeep
        case .editing(let editing): editing.effect
        case .attaching(let attaching): attaching.effect
        case .keying(let keying): keying.effect
        case .exporting: .output
        case .archiving(let archiving): archiving.effect
        case .importing(let importing): importing.effect
        }
    }
}

extension Editing {
    public var effect: RequestEffect {
        switch self {
        case .begin(let target, _): target.effect
        // A cancelled edit leaves the note as it is; its draft is there afterwards too, as recovered or as discarded.
        case .cancel, .list, .show: .nothing
        case .journal, .commit, .appendDaily, .discard, .save: .change
        }
    }
}

extension EditTarget {
    /// Of `Editing.begin` alone: nothing is written before the editor saves, but heads that fit together are joined at once.
    public var effect: RequestEffect {
        switch self {
        case .note, .new, .template, .daily, .draft: .nothing
        case .heads: .change
        }
    }
}

extension Attaching {
    public var effect: RequestEffect {
        switch self {
        case .list, .describe, .drop, .tell: .nothing
        case .get: .output
        case .put, .commit, .remove, .rename, .caption: .change
        }
    }
}

extension Keying {
    public var effect: RequestEffect {
        switch self {
        case .list, .verify, .newKeyFile, .prepareRecovery, .plan, .prepareRotation: .nothing
        case .resume: .upkeep
        case .add, .remove, .change, .commitRecovery, .rotate: .change
        }
    }
}

extension Archiving {
    public var effect: RequestEffect {
        switch self {
        case .prepare, .verify: .nothing
        case .write, .backup: .output
        // It makes a vault.
        case .restore: .change
        }
    }
}

extension Importing {
    /// An import that only says what it would do changes nothing; that was asked for in `begin`.
    public var effect: RequestEffect {
        switch self {
        case .begin, .totals: .nothing
        case .attachment, .notes, .end: .change
        }
    }
}
