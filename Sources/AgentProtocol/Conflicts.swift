// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Notes with several versions that were made without knowing of each other, the one that changed last first.
public struct ListConflicts: Operation {
    public static let id: UInt8 = 0xB0
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = ConflictList
    public init() {}
}

/// How the versions of a note differ: each one is compared with the one that is shown.
public struct ShowConflict: Operation {
    public static let id: UInt8 = 0xB1
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = ShownConflict
    public var ref = ""
    /// Whether the differences are wanted word by word, not as unified diffs.
    public var byWord = false
    public init() {}

    public init(ref: String, byWord: Bool) { (self.ref, self.byWord) = (ref, byWord) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.flag(&byWord)
    }
}

/// Turns a note's versions into one note or several. All of them stay in its history. Versions are merged by
/// `BeginEdit`.
public struct ResolveConflict: Operation {
    public static let id: UInt8 = 0xB2
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var ref = ""
    /// The version that is the note from now on; nil if each version but the one shown becomes its own note.
    public var kept: String?
    public static let keptByteCountMax = 64
    public init() {}

    public init(ref: String, keeping kept: String?) { (self.ref, self.kept) = (ref, kept) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.optionalText(&kept, max: Self.keptByteCountMax)
    }
}

/// One of the versions of a note.
public struct VersionRow: ReplyValue {
    public var revision = ""
    /// When it was recorded, in milliseconds since 1970, UTC; 0 where that is not known.
    public var made: Int64 = 0
    /// The device that made it, 32 hexadecimal digits.
    public var device = ""
    /// This device made it.
    public var isOwn = false
    /// Lists show this version.
    public var isShown = false
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&revision)
        try fields.i64(&made)
        try fields.text(&device)
        try fields.flag(&isOwn)
        try fields.flag(&isShown)
    }
}

/// A note and its versions, the one that is shown first.
public struct ConflictRow: ReplyValue {
    public var note = NoteRow()
    public var versions: [VersionRow] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try note.code(&fields)
        try fields.values(&versions)
    }
}

/// Notes with several versions, in one part or several.
public struct ConflictList: ReplyValue {
    /// Those of this part.
    public var conflicts: [ConflictRow] = []
    /// Of all parts, so far.
    public var count = 0
    public var isFirst = true
    public var isLast = true
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.values(&conflicts)
        try fields.count(&count)
        try fields.flag(&isFirst)
        try fields.flag(&isLast)
    }
}

/// A note with one of its versions, and how that differs from the one that is shown. One answer for each version.
public struct ShownConflict: ReplyValue {
    public var conflict = ConflictRow()
    /// Which of the versions this is about; 0 is the one that is shown.
    public var number = 0
    /// Nil for the one that is shown, and for one that does not open.
    public var difference: ComparedRevisions?
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try conflict.code(&fields)
        try fields.count(&number)
        try fields.optional(&difference, else: ComparedRevisions()) { (fields, compared) throws(FormatError) in
            try compared.code(&fields)
        }
    }
}
