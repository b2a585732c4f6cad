// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Removes the snapshots that no rule keeps, and what only they had. The descriptor is the backup's folder.
public struct PruneBackup: Operation {
    public static let id: UInt8 = 0x56
    public static let traits: OperationTraits = [.output, .descriptor]
    public typealias Reply = PrunedBackup
    public var last: UInt32 = 0
    public var daily: UInt32 = 0
    public var weekly: UInt32 = 0
    public var monthly: UInt32 = 0
    public var yearly: UInt32 = 0
    /// Only says what would be removed.
    public var isTrial = false
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u32(&last)
        try fields.u32(&daily)
        try fields.u32(&weekly)
        try fields.u32(&monthly)
        try fields.u32(&yearly)
        try fields.flag(&isTrial)
    }
}

/// What was removed from a backup.
public struct PrunedBackup: ReplyValue {
    /// Names, the oldest first.
    public var removed: [String] = []
    public var kept: [String] = []
    /// Snapshots that do not open: they stay, and so does every file that they might name.
    public var unreadable: [String] = []
    /// Of those kept, how many open with a key that a rotation has replaced.
    public var olderKeyCount = 0
    public var fileCount = 0
    public var freedByteCount: UInt64 = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.texts(&removed)
        try fields.texts(&kept)
        try fields.texts(&unreadable)
        try fields.count(&olderKeyCount)
        try fields.count(&fileCount)
        try fields.u64(&freedByteCount)
    }
}

/// Restores the newest snapshot into memory and compares it with the open vault. The descriptor is the backup's folder.
public struct DrillBackup: Operation {
    public static let id: UInt8 = 0x57
    public static let traits: OperationTraits = [.descriptor]
    public typealias Reply = DrilledBackup
    public init() {}
}

/// What a drill has compared, and what differs.
public struct DrilledBackup: ReplyValue {
    public var name = ""
    /// When the snapshot was made, in milliseconds since 1970, UTC.
    public var made: Int64 = 0
    public var notes = 0
    public var revisions = 0
    public var attachments = 0
    /// Changed since under the same name, so that there was nothing to compare them with.
    public var notCompared = 0
    public var milliseconds = 0
    /// What differs, or is missing.
    public var differences = BackupDamage()
    public var historyDiffers = false
    public var passedOver: [String] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name)
        try fields.i64(&made)
        try fields.count(&notes)
        try fields.count(&revisions)
        try fields.count(&attachments)
        try fields.count(&notCompared)
        try fields.count(&milliseconds)
        try differences.code(&fields)
        try fields.flag(&historyDiffers)
        try fields.texts(&passedOver)
    }
}

/// What is missing from a snapshot, or from a vault made from one.
public struct BackupDamage: ReplyValue {
    public struct Loss: ReplyValue {
        public enum Kind: UInt8, Sendable, CaseIterable {
            /// A note with all of its revisions.
            case note = 1
            /// The newest text of a note; an older one remains.
            case text
            /// An older revision.
            case revision
            case attachment
            /// An unfinished edit.
            case draft
        }

        public var kind: Kind = .note
        /// Identifier; nil for a draft that belongs to no note.
        public var note: String?
        /// Empty where it is not known, or the note is private.
        public var title = ""
        /// Of an attachment, if it is known.
        public var name = ""
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.code(&kind)
            try fields.optionalText(&note, max: 64)
            try fields.text(&title)
            try fields.text(&name)
        }
    }

    /// Pages of the index that do not open; not a loss in itself.
    public var pageCount = 0
    /// Links of the history that are missing.
    public var entryCount = 0
    /// Steps that undo could have taken back.
    public var changeCount = 0
    /// The number of all losses, including those not named.
    public var lossCount = 0
    public var losses: [Loss] = []
    public init() {}

    /// Whether anything is lost that cannot be recreated.
    public var isOfRecords: Bool { entryCount > 0 || changeCount > 0 || lossCount > 0 }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.count(&pageCount)
        try fields.count(&entryCount)
        try fields.count(&changeCount)
        try fields.count(&lossCount)
        try fields.values(&losses)
    }
}
