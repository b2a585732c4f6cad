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

        /// One sentence for people.
        public var sentence: String {
            switch self {
            case .headerCopy: "one copy of the header is missing or damaged"
            case .page: "a page of the index is not authentic"
            case .structure: "the index's tables are not consistent"
            case .chain: "the chain of changes is broken: entries were removed, replaced or put back"
            case .revisionMissing: "a revision that the chain names is gone"
            case .revisionUnknown: "a revision that the chain does not name was put in"
            case .revisionUnreadable: "a revision is not authentic"
            case .projection: "what the lists show of a note is not what its revision says"
            case .words: "the search index lacks words of a note"
            case .counters: "the counters do not fit the notes"
            case .draft: "a draft is not authentic (vault draft discard takes it away)"
            }
        }
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
}
