// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Takes over what another copy of the open vault has and this one lacks. The descriptor is that copy's folder; the
/// secret is the credential that opens it, empty if only the open vault's own key is to be tried.
public struct AdoptVault: Operation {
    public static let id: UInt8 = 0x5B
    public static let traits: OperationTraits = [.changes, .secret, .descriptor]
    public typealias Reply = AdoptedVault
    /// Only says what each copy has that the other lacks.
    public var dryRun = false
    /// Name of a copy of the index in that folder, which a sync program has made there; nil for the folder's vault.
    public var file: String?
    /// Nil for the open vault's own key.
    public var credential: CredentialKind?
    /// On the owner's word: tries keyslots that ask for more than eight times the work that is known here.
    public var triesDearKeys = false
    /// What the agent answers, under `ExitCode.wrongPassword`, where the copy has a key of its own.
    public static let keyHint = "run it again on a terminal, or with --password-file F: that copy's password"
    /// What it answers, under `ExitCode.failSafe`, where the owner's word is missing.
    public static let dearKeyHint =
        "if you set this cost yourself: vault adopt on a terminal, and answer yes"
    public init() {}

    public init(dryRun: Bool, file: String? = nil) { (self.dryRun, self.file) = (dryRun, file) }

    public var effect: RequestEffect { dryRun ? .nothing : .change }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.flag(&dryRun)
        try fields.optionalText(&file, max: 255)
        var (hasCredential, kind) = (credential != nil, credential ?? .password)
        try fields.flag(&hasCredential)
        try fields.code(&kind)
        credential = hasCredential ? kind : nil
        try fields.flag(&triesDearKeys)
    }
}

/// What was adopted from another copy of the vault, note by note.
public struct AdoptedVault: ReplyValue {
    /// A note whose text differs in the other copy, or that the other copy lacks.
    public struct Note: ReplyValue {
        public enum Change: UInt8, Sendable, CaseIterable {
            /// It was missing here; for a note that the other copy lacks, it is missing there.
            case added = 1
            /// It now matches the other copy; for a text that the other copy lacks, it was changed here.
            case updated
            /// It was changed in both, and has two versions now.
            case twoVersions
            /// It was purged here and changed there, and is a new note here.
            case comesBack
            /// It was not taken over, or not all of it.
            case refused
        }

        public enum Reason: UInt8, Sendable, CaseIterable {
            case none = 0
            case privateInOne, otherPassword, purgedPrivate, damagedThere, damagedHere, tooManyVersions, attachmentLost
        }

        public var change = Change.added
        public var reason = Reason.none
        public var id = ""
        /// As far as it may be shown.
        public var title: String?
        /// Its identifier here, if that differs.
        public var newID: String?
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.code(&change)
            try fields.code(&reason)
            try fields.text(&id, max: 64)
            try fields.optionalText(&title, max: NoteRecord.titleByteCountMax)
            try fields.optionalText(&newID, max: 64)
        }
    }

    /// The lists may have fewer than there are.
    public var taken: [Note] = []
    public var onlyHere: [Note] = []
    public var added = 0
    public var updated = 0
    public var twoVersions = 0
    public var comesBack = 0
    public var refused = 0
    /// Notes that were already complete here.
    public var unchanged = 0
    /// Notes with texts that the other copy lacks.
    public var onlyHereCount = 0
    /// Notes that were purged here and not changed there; notes that were purged there and exist here.
    public var purgedHere = 0
    public var purgedThere = 0
    public var revisions = 0
    public var attachments = 0
    /// Edits that were begun in the other copy and are not here.
    public var drafts = 0
    /// Entries of its history that are missing.
    public var missingEntries = 0
    /// Whether its last change was found.
    public var knowsEnd = true
    public var damagedPages = 0
    /// Whether it opens with a key that was replaced here.
    public var hasOlderKey = false
    public init() {}

    /// Whether anything was taken over, or would be.
    public var hasChanges: Bool { added + updated + twoVersions + comesBack > 0 }
    /// Whether everything in the other copy is here now, or would be.
    public var isComplete: Bool { refused == 0 && drafts == 0 && missingEntries == 0 && knowsEnd }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.values(&taken)
        try fields.values(&onlyHere)
        try fields.count(&added)
        try fields.count(&updated)
        try fields.count(&twoVersions)
        try fields.count(&comesBack)
        try fields.count(&refused)
        try fields.count(&unchanged)
        try fields.count(&onlyHereCount)
        try fields.count(&purgedHere)
        try fields.count(&purgedThere)
        try fields.count(&revisions)
        try fields.count(&attachments)
        try fields.count(&drafts)
        try fields.count(&missingEntries)
        try fields.flag(&knowsEnd)
        try fields.count(&damagedPages)
        try fields.flag(&hasOlderKey)
    }
}
