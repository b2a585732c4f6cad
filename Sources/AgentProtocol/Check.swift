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
        }

        public var kind = Kind.headerCopy
        /// Identifier of the note that it is of; nil where it is of none.
        public var note: String?
        public init() {}
        public init(_ kind: Kind, note: String?) { (self.kind, self.note) = (kind, note) }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.code(&kind)
            try fields.optionalText(&note, max: 64)
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
    /// Files that had been in quarantine for thirty days, and are gone now.
    public var removed = 0
    /// Names in the vault's folder that nothing of the vault has: the first of them, and how many there are.
    public var foreign: [String] = []
    public var foreignCount = 0
    /// Notes in an index that was made anew before; nil when that was not asked for.
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
        try fields.optionalCount(&rebuilt)
    }
}
