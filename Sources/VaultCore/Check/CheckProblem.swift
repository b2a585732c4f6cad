// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A `CheckProblem` is something that `vault check` found.
public struct CheckProblem: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case headerCopy
        case page
        case structure
        case chain
        case revisionMissing
        case revisionUnknown
        case revisionUnreadable
        case projection
        case lists
        case words
        case counters
        case draft
        case attachmentUnreadable
        case attachmentMissing
        case strangeFile
        case spare
        /// A page that opens but is not the one that belongs there.
        case oldPage

        /// Whether the damaged part can be rebuilt from what opens.
        public var isMendedByRebuilding: Bool { [.projection, .lists, .words, .counters].contains(self) }
    }

    /// A `Mend` is what can be done about a problem.
    public enum Mend: Sendable, Equatable {
        /// It is rebuilt.
        case repair
        /// This revision of the note opens, as `history` numbers them.
        case revert(Int)
        /// No revision of the note opens.
        case remove
        case discardDraft
        case removeAttachment
    }

    public var kind: Kind
    public var noteID: NoteID?
    public var attachment: AttachmentID?
    /// Of the index, from 1.
    public var page: UInt32?

    public init(kind: Kind, noteID: NoteID?, attachment: AttachmentID? = nil, page: UInt32? = nil) {
        (self.kind, self.noteID, self.attachment, self.page) = (kind, noteID, attachment, page)
    }
}

/// A `CheckReport` says how a check ended.
public struct CheckReport: Sendable, Equatable {
    /// Each once.
    public private(set) var problems: [CheckProblem] = []
    /// For each note whose text does not open, the newest revision that does, as `history` numbers it.
    public internal(set) var lostTexts: [NoteID: Int?] = [:]
    public var notes = 0
    public var revisions = 0
    public var entries = 0
    public var pages = 0
    public var attachments = 0
    /// Files of attachments that no note has, as a crash leaves them: put in quarantine.
    public var orphans = 0
    /// Why they were left in place; nil where only a problem kept them from quarantine.
    public var unnamedFilesStay: UnnamedFilesStay?
    /// Files that had been in quarantine for thirty days, and are gone now.
    public var removed = 0
    /// Names in the vault's folder that nothing of the vault has.
    public var foreign: [String] = []
    /// Those of them that are another machine's copy of a file of this vault, as its key says.
    public var authentic: [String] = []
    private var known: Set<CheckProblem> = []
    /// Most problems that are told: more are of no use to anybody, and would not fit into an answer.
    private static let problemCountMax = 20_000

    public init() {}

    mutating func add(
        _ kind: CheckProblem.Kind, _ note: NoteID? = nil, _ attachment: AttachmentID? = nil, page: UInt32? = nil
    ) {
        let problem = CheckProblem(kind: kind, noteID: note, attachment: attachment, page: page)
        // How many there are says something.
        let isNew = kind == .page || kind == .strangeFile || known.insert(problem).inserted
        if isNew, problems.count < Self.problemCountMax { problems.append(problem) }
    }

    mutating func remove(where isGone: (CheckProblem) -> Bool) {
        problems.removeAll(where: isGone)
        known = Set(problems)
    }

    /// Returns what can be done about a problem; nil where nothing of this vault can be done.
    public func mend(of problem: CheckProblem) -> CheckProblem.Mend? {
        switch problem.kind {
        case .headerCopy, .projection, .lists, .words, .counters, .spare: return .repair
        case .revisionMissing, .revisionUnreadable:
            guard let note = problem.noteID, let newest = lostTexts[note] else { return nil }
            return newest.map { $0 == 0 ? .repair : .revert($0) } ?? .remove
        case .draft: return .discardDraft
        case .attachmentUnreadable, .attachmentMissing: return problem.noteID == nil ? nil : .removeAttachment
        case .page, .oldPage, .structure, .chain, .revisionUnknown, .strangeFile: return nil
        }
    }
}
