// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Tells which notes change, as they do, until the client cancels it or the vault is locked.
///
/// A note changes with each revision, when its password is set, removed, given or forgotten, and when its state does: a
/// remote has acknowledged the last of it, or the first remote was added. Names and captions of attachments are no
/// revisions. It is no use of the vault: it does not delay the automatic lock.
public struct WatchNotes: Operation {
    public static let id: UInt8 = 0x1A
    public static let traits: OperationTraits = []
    public typealias Reply = NoteChanges
    /// Where an earlier answer ended; nil for what changes from now on. It means nothing in a vault that was restored
    /// since: read everything then. States that changed since are not told: lists have them.
    public var since: UInt64?
    /// Ends with the answer that reaches this many changes of notes; 0 for never.
    public var limit: UInt32 = 0
    public init() {}

    public init(since: UInt64?, limit: UInt32 = 0) { (self.since, self.limit) = (since, limit) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.optional(&since, else: 0) { (fields, since) throws(FormatError) in try fields.u64(&since) }
        try fields.u32(&limit)
    }
}

/// Notes that changed. The first answer may have none: it says where the watch begins.
public struct NoteChanges: ReplyValue {
    /// How many changes this device had recorded: what `WatchNotes.since` takes.
    public var position: UInt64 = 0
    /// As they are now: made, changed, moved or restored. Each once.
    public var notes: [NoteRow] = []
    /// Identifiers of notes that were permanently deleted.
    public var gone: [String] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u64(&position)
        try fields.values(&notes)
        try fields.texts(&gone)
    }
}
