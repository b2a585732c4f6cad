// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Makes a vault of what a damaged one still holds, on the connection that the agent was started with. The descriptor
/// is the damaged vault's folder; the secret a `PasswordPair` of what opens it and a new password, empty where none is
/// wanted.
public struct SalvageVault: Operation {
    public static let id: UInt8 = 0x5A
    public static let traits: OperationTraits = [.changes, .secret, .descriptor]
    public typealias Reply = SalvagedVault
    /// Where the new vault is to be.
    public var directory: [UInt8] = []
    public var credential: CredentialKind = .password
    public var kdfTargetMilliseconds: UInt32 = 1000
    /// On the owner's word: tries keyslots that ask for more than eight times the work that is known here.
    public var triesDearKeys = false
    /// What the agent answers, under `ExitCode.failSafe`, where that word is missing.
    public static let dearKeyHint =
        "if you set this cost yourself: vault salvage on a terminal, and answer yes"
    public init() {}

    public init(directory: [UInt8], credential: CredentialKind) {
        self.directory = directory
        self.credential = credential
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.bytes(&directory, max: 4096)
        try fields.code(&credential)
        try fields.u32(&kdfTargetMilliseconds)
        try fields.flag(&triesDearKeys)
    }
}

/// What a salvage has found, note by note.
public struct SalvagedVault: ReplyValue {
    /// A note of which not everything is there.
    public struct Note: ReplyValue {
        public enum State: UInt8, Sendable, CaseIterable {
            /// An earlier text is there, or one that may be: what would say so is lost.
            case older = 1
            /// No text of it is there.
            case lost = 2
        }

        public var state = State.older
        public var id = ""
        /// What lists showed of it, as far as that is known.
        public var title = ""
        /// The revision that is shown now; nil of a note that is lost.
        public var revision: String?
        /// When it was recorded; 0 where that is not known.
        public var made: Int64 = 0
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.code(&state)
            try fields.text(&id, max: 64)
            try fields.text(&title)
            try fields.optionalText(&revision, max: 64)
            try fields.i64(&made)
        }
    }

    /// An attachment that is lost.
    public struct Attachment: ReplyValue {
        public var id = ""
        public var note = ""
        /// Empty where it is not known.
        public var name = ""
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&id, max: 64)
            try fields.text(&note, max: 64)
            try fields.text(&name)
        }
    }

    /// Notes of which everything is there.
    public var wholeCount = 0
    /// How many there are of the others; the list may have fewer.
    public var olderCount = 0
    public var lostCount = 0
    public var notes: [Note] = []
    public var lostAttachments: [Attachment] = []
    public var lostAttachmentCount = 0
    /// Identifiers of drafts.
    public var lostDrafts: [String] = []
    /// Entries of the history that are missing between those that are there, or after them.
    public var missingEntries = 0
    /// Whether the last commit was found: without it, changes may be lost that no record names.
    public var knowsEnd = false
    /// Whether there was a log of which nothing can be read, or one that is gone or cut.
    public var isLogLost = false
    /// Pages of the index that opened, and that did not.
    public var pages = 0
    public var damagedPages = 0
    /// Frames of the log that opened, and that did not.
    public var frames = 0
    public var damagedFrames = 0
    /// What the new vault has.
    public var contents = ArchiveContents()
    public init() {}

    /// Whether nothing is lost that the history names.
    public var isWhole: Bool {
        olderCount == 0 && lostCount == 0 && lostAttachmentCount == 0 && lostDrafts.isEmpty && missingEntries == 0
            && knowsEnd
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.count(&wholeCount)
        try fields.count(&olderCount)
        try fields.count(&lostCount)
        try fields.values(&notes)
        try fields.values(&lostAttachments)
        try fields.count(&lostAttachmentCount)
        try fields.texts(&lostDrafts)
        try fields.count(&missingEntries)
        try fields.flag(&knowsEnd)
        try fields.flag(&isLogLost)
        try fields.count(&pages)
        try fields.count(&damagedPages)
        try fields.count(&frames)
        try fields.count(&damagedFrames)
        try contents.code(&fields)
    }
}
