// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Something that `vault check` found.
public struct CheckProblem: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case headerCopy
        case page
        case structure
        case chain
        case revisionMissing
        case revisionUnknown
        case revisionUnreadable
        case projection
        case words
        case counters
        case draft
        case attachmentUnreadable
        case attachmentMissing
        case strangeFile
        case spare

        /// Whether `--rebuild-index` mends it.
        public var isMendedByRebuilding: Bool { [.projection, .words, .counters].contains(self) }
    }

    public var kind: Kind
    public var noteID: NoteID?
}

/// How a check ended.
public struct CheckReport: Sendable, Equatable {
    public var problems: [CheckProblem] = []
    public var notes = 0
    public var revisions = 0
    public var entries = 0
    public var pages = 0
    public var attachments = 0
    /// Files of attachments that no note has, as a crash leaves them: put in quarantine.
    public var orphans = 0
    /// Files that had been in quarantine for thirty days, and are gone now.
    public var removed = 0
    /// Names in the vault's folder that nothing of the vault has.
    public var foreign: [String] = []

    mutating func add(_ kind: CheckProblem.Kind, _ note: NoteID? = nil) {
        // A thousand lines say no more than a hundred.
        if problems.count < 100 { problems.append(CheckProblem(kind: kind, noteID: note)) }
    }
}
