// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Repairs a vault from what is left of its files. The secret is the credential; for an agent that has the vault open
/// it is empty.
public struct RepairVault: Operation {
    public static let id: UInt8 = 0x0E
    public static let traits: OperationTraits = [.upkeep, .secret]
    public typealias Reply = RepairedVault
    public var credential: CredentialKind = .password
    public init() {}

    public init(credential: CredentialKind) { self.credential = credential }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&credential)
    }
}

/// What a repair has done, and what it could not bring back.
public struct RepairedVault: ReplyValue {
    /// Something of a note that is lost.
    public struct Loss: ReplyValue {
        public enum Kind: UInt8, Sendable, CaseIterable {
            case gone = 1
            case keyslot, olderVersion, history, attachment, olderKeyslot
        }

        /// Identifier of the note.
        public var note = ""
        public var kind = Kind.gone
        /// Known if lists or an older revision still have it.
        public var title: String?
        /// Revisions or attachments that are lost.
        public var count = 0
        /// When what is shown now was recorded, in milliseconds since 1970, UTC; 0 where that does not matter.
        public var made: Int64 = 0
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&note, max: 64)
            try fields.code(&kind)
            try fields.optionalText(&title, max: NoteRecord.titleByteCountMax)
            try fields.count(&count)
            try fields.i64(&made)
        }
    }

    /// Names of small files that were put right from their copies.
    public var mended: [String] = []
    /// Whether the index was rebuilt.
    public var isRebuilt = false
    /// Notes and revisions in the new index.
    public var notes = 0
    public var revisions = 0
    /// Name of the damaged index in the vault's folder; nil when the index was left as it is.
    public var kept: String?
    public var losses: [Loss] = []
    /// Unfinished edits that can no longer be opened.
    public var lostDrafts = 0
    /// Pages that could not be read.
    public var lostPages = 0
    /// Transactions that were seen before and are now missing.
    public var lostChanges = 0
    /// The log could not be read.
    public var isLogLost = false
    /// Nothing proves that what was found is all there was.
    public var isEndUnknown = false
    /// Attachments whose rows are lost, so that their notes are unknown.
    public var lostAttachments = 0
    /// Changes made before the repair cannot be undone.
    public var isHistoryNew = false
    /// What a check finds afterwards.
    public var remaining: [CheckedVault.Problem] = []
    /// Private notes that were unlocked and are locked again.
    public var relocked = 0
    /// Pages that were older than the vault.
    public var oldPages = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.texts(&mended)
        try fields.flag(&isRebuilt)
        try fields.count(&notes)
        try fields.count(&revisions)
        try fields.optionalText(&kept, max: 256)
        try fields.values(&losses)
        try fields.count(&lostDrafts)
        try fields.count(&lostPages)
        try fields.count(&lostChanges)
        try fields.flag(&isLogLost)
        try fields.flag(&isEndUnknown)
        try fields.count(&lostAttachments)
        try fields.flag(&isHistoryNew)
        try fields.values(&remaining)
        try fields.count(&relocked)
        try fields.count(&oldPages)
    }

    /// Whether nothing was wrong.
    public var hasFoundNothing: Bool { mended.isEmpty && !isRebuilt && remaining.isEmpty }
    /// Whether everything is there again.
    public var isComplete: Bool {
        losses.isEmpty && lostDrafts == 0 && lostAttachments == 0 && lostChanges == 0 && !isLogLost
            && !isEndUnknown && remaining.isEmpty
    }
}
