// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Whether the vault is open, since when, and what is under way in it.
public struct ShowStatus: Operation {
    public static let id: UInt8 = 0x06
    public static let traits: OperationTraits = []
    public typealias Reply = VaultStatus
    public init() {}
}

/// What is known of an open vault without reading its notes.
public struct VaultStatus: ReplyValue {
    /// How the last check ended.
    public struct Check: ReplyValue {
        /// Milliseconds since 1970, UTC.
        public var made: Int64 = 0
        public var problems = 0
        public init() {}
        public init(made: Int64, problems: Int) { (self.made, self.problems) = (made, problems) }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.i64(&made)
            try fields.count(&problems)
        }
    }

    /// How many notes are at the remotes.
    public struct Uploads: ReplyValue {
        /// Notes, wherever they lie, that all remotes have as they are.
        public var uploaded = 0
        public var pending = 0
        /// Permanently deleted notes whose deletion a remote has not received yet.
        public var removals = 0
        public init() {}
        public init(uploaded: Int, pending: Int, removals: Int) {
            (self.uploaded, self.pending, self.removals) = (uploaded, pending, removals)
        }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.count(&uploaded)
            try fields.count(&pending)
            try fields.count(&removals)
        }
    }

    /// The end of the log was not whole when the vault was opened; nil for one that was. See docs/format.md §12.
    public var tornLog: TornLogEnd?
    /// Process of the agent.
    public var agentPID = 0
    /// Path of the vault's directory; what is not UTF-8 in it is replaced.
    public var directory = ""
    /// Hexadecimal.
    public var vaultID = ""
    /// Hexadecimal; nil unless the vault is a copy with its own identity.
    public var copyID: String?
    /// Notes that are neither archived nor in the trash.
    public var notes = 0
    public var archived = 0
    public var trashed = 0
    /// Drafts that nobody discarded.
    public var drafts = 0
    public var generation: UInt64 = 0
    /// Of the keys: one more with each rotation.
    public var epoch: UInt32 = 0
    public var isReadOnly = false
    /// Milliseconds until it locks without another request, and in any case.
    public var idleMillisecondsLeft = 0
    public var maxMillisecondsLeft = 0
    /// The keys cannot reach swap.
    public var keysAreLocked = false
    /// How far a rotation is; nil when none is under way.
    public var rotationPercent: Int?
    /// Why it has stopped; empty while it continues.
    public var rotationFailure = ""
    /// Of the first password; nil when there is none.
    public var kdf: KDFCost?
    /// Words of notes that became private are still to be removed.
    public var hasWordsLeft = false
    /// Notes with a password of their own that are locked: no search looks at them.
    public var lockedNotes = 0
    /// What its file system does not hold, a sentence; empty for a disk of this machine.
    public var fileSystem = ""
    /// Nil when there was none.
    public var lastCheck: Check?
    /// When a snapshot was made last, in milliseconds since 1970, UTC; nil when this account has made none.
    public var lastBackup: Int64?
    /// When a drill has succeeded last.
    public var lastDrill: Int64?
    /// There are backups, and for a month no drill of them has succeeded.
    public var isDrillDue = false
    /// Of the vault, its key and its changes, to be compared with another machine's; empty where it cannot be read.
    public var fingerprint = ""
    /// The chain of its changes does not fit together, as far as it was read.
    public var isChainDamaged = false
    /// Nil for a vault without a remote.
    public var uploads: Uploads?
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.count(&agentPID)
        try fields.text(&directory)
        try fields.text(&vaultID)
        try fields.optionalText(&copyID, max: 64)
        try fields.count(&notes)
        try fields.count(&archived)
        try fields.count(&trashed)
        try fields.count(&drafts)
        try fields.u64(&generation)
        try fields.u32(&epoch)
        try fields.flag(&isReadOnly)
        try fields.count(&idleMillisecondsLeft)
        try fields.count(&maxMillisecondsLeft)
        try fields.flag(&keysAreLocked)
        try fields.optionalCount(&rotationPercent)
        try fields.text(&rotationFailure)
        try fields.optional(&kdf, else: KDFCost()) { (fields, cost) throws(FormatError) in try cost.code(&fields) }
        try fields.flag(&hasWordsLeft)
        try fields.count(&lockedNotes)
        try fields.text(&fileSystem)
        try fields.optional(&lastCheck, else: Check()) { (fields, check) throws(FormatError) in try check.code(&fields)
        }
        try fields.optionalMoment(&lastBackup)
        try fields.optionalMoment(&lastDrill)
        try fields.flag(&isDrillDue)
        try fields.optional(&tornLog, else: TornLogEnd()) { (fields, torn) throws(FormatError) in
            try torn.code(&fields)
        }
        try fields.text(&fingerprint)
        try fields.flag(&isChainDamaged)
        try fields.optional(&uploads, else: Uploads()) { (fields, counts) throws(FormatError) in
            try counts.code(&fields)
        }
    }
}

/// What was dropped from the end of a log that was not whole.
public struct TornLogEnd: ReplyValue {
    /// Frames, the last of them perhaps in part; 0 where the log had not even a whole header.
    public var frameCount = 0
    public var byteCount = 0
    /// When the log was written last, in milliseconds since 1970, UTC; 0 where that is not known.
    public var lastWritten: Int64 = 0
    public init() {}

    public init(frameCount: Int, byteCount: Int, lastWritten: Int64) {
        (self.frameCount, self.byteCount, self.lastWritten) = (frameCount, byteCount, lastWritten)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.count(&frameCount)
        try fields.count(&byteCount)
        try fields.i64(&lastWritten)
    }
}
