// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Reads everything back and compares.
public struct CheckVault: Operation {
    public static let id: UInt8 = 0x08
    public static let traits: OperationTraits = [.upkeep]
    public typealias Reply = CheckedVault
    public var rebuildIndex = false
    public init() {}

    public init(rebuildIndex: Bool) {
        self.rebuildIndex = rebuildIndex
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.flag(&rebuildIndex)
    }
}

/// What a check of the vault found.
public struct CheckedVault: ReplyValue {
    public struct Problem: ReplyValue {
        public enum Kind: UInt8, Sendable, CaseIterable {
            case headerCopy = 1
            case page, structure, chain, revisionMissing, revisionUnknown, revisionUnreadable, projection, words,
                counters, draft
            case attachmentUnreadable, attachmentMissing, strangeFile, spare
            /// A part of the lists cannot be read.
            case lists
            /// A page that is older than the vault.
            case oldPage
        }

        /// `Mend` says what can be done about a problem.
        public enum Mend: UInt8, Sendable, CaseIterable {
            /// Nothing in this vault.
            case none = 1
            /// It is rebuilt: `vault repair`.
            case repair
            /// The revision `revision` of the note opens: `vault revert`.
            case revert
            /// No revision of the note opens: `vault rm`.
            case remove
            /// `vault draft discard`.
            case discardDraft
            /// `vault attach rm`.
            case removeAttachment
        }

        public var kind = Kind.headerCopy
        /// Identifier of the note that it concerns; nil if it concerns no note.
        public var note: String?
        /// Identifier of the attachment that it concerns.
        public var attachment: String?
        public var mend = Mend.none
        /// As `history` numbers them.
        public var revision = 0
        /// Page of the index, from 1; 0 if it concerns no page.
        public var page = 0
        public init() {}
        public init(_ kind: Kind, note: String?) { (self.kind, self.note) = (kind, note) }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.code(&kind)
            try fields.optionalText(&note, max: 64)
            try fields.optionalText(&attachment, max: 64)
            try fields.code(&mend)
            try fields.count(&revision)
            try fields.count(&page)
        }
    }

    public var problems: [Problem] = []
    /// What was read.
    public var notes = 0
    public var revisions = 0
    public var entries = 0
    public var pages = 0
    public var attachments = 0
    /// Files of attachments that no note has.
    public var orphans = 0
    /// Whether they were left in place because an index that names them may have been lost.
    public var orphansStay = false
    /// The file in the vault's folder because of which they were left; nil if the reason was how the vault was opened.
    public var orphansStayFor: String?
    /// Files that had been in quarantine for thirty days, and are gone now.
    public var removed = 0
    /// Names in the vault's folder that are not part of the vault: the first of them, and how many there are.
    public var foreign: [String] = []
    public var foreignCount = 0
    /// Those of them that are this vault's, as another machine wrote it: its key vouches for them.
    public var authentic: [String] = []
    /// Indexes that were written out in need or put aside: each may hold notes that are only there.
    public var rescued: [String] = []
    /// Notes in an index that was rebuilt first; nil if no rebuild was asked for.
    public var rebuilt: Int?
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.values(&problems)
        try fields.count(&notes)
        try fields.count(&revisions)
        try fields.count(&entries)
        try fields.count(&pages)
        try fields.count(&attachments)
        try fields.count(&orphans)
        try fields.count(&removed)
        try fields.texts(&foreign)
        try fields.count(&foreignCount)
        try fields.texts(&authentic)
        try fields.texts(&rescued)
        try fields.optionalCount(&rebuilt)
        try fields.flag(&orphansStay)
        try fields.optionalText(&orphansStayFor, max: 255)
    }
}
