// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Whether a note has a password of its own, and is locked.
public struct NoteState: Operation {
    public static let id: UInt8 = 0xA0
    public static let traits: OperationTraits = []
    public typealias Reply = NoteSecrecy
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
    }
}

/// Gives an ordinary note a password, which is the secret. The note is locked when this is answered.
public struct ProtectNote: Operation {
    public static let id: UInt8 = 0xA1
    public static let traits: OperationTraits = [.changes, .secret]
    public typealias Reply = SecuredNote
    public var ref = ""
    public var showsTitle = false
    public init() {}

    public init(ref: String, showsTitle: Bool) {
        (self.ref, self.showsTitle) = (ref, showsTitle)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.flag(&showsTitle)
    }
}

/// Locks private notes; no password is needed for that.
public struct LockNotes: Operation {
    public static let id: UInt8 = 0xA2
    public static let traits: OperationTraits = []
    public typealias Reply = SecuredNote
    public var refs: [String] = []
    public init() {}

    public init(refs: [String]) {
        self.refs = refs
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.notes(&refs)
    }
}

/// Opens a private note for a while. Its password is the secret.
public struct UnlockNote: Operation {
    public static let id: UInt8 = 0xA3
    public static let traits: OperationTraits = [.secret]
    public typealias Reply = SecuredNote
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
    }
}

/// Opens all private notes that one password opens, of those that are named: one derivation serves all notes of one
/// import. The password is the secret.
public struct UnlockNotes: Operation {
    public static let id: UInt8 = 0xA6
    public static let traits: OperationTraits = [.secret]
    public typealias Reply = UnlockedNotes
    /// Empty for all that are locked.
    public var refs: [String] = []
    /// Only those of this notebook or below it, which is known of a note once it is open; nil for any.
    public var notebook: String?
    public init() {}

    public init(refs: [String], notebook: String? = nil) { (self.refs, self.notebook) = (refs, notebook) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.notes(&refs)
        try fields.optionalText(&notebook, max: 4096)
    }
}

/// How many notes a password opened, and how many it did not.
public struct UnlockedNotes: ReplyValue {
    public var count = 0
    public var leftCount = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.count(&count)
        try fields.count(&leftCount)
    }
}

/// Gives a private note another password. The secret is a `PasswordPair`. With a new key, everything of the note is
/// sealed again.
public struct ChangeNotePassword: Operation {
    public static let id: UInt8 = 0xA4
    public static let traits: OperationTraits = [.changes, .secret]
    public typealias Reply = SecuredNote
    public var ref = ""
    public var newKey = false
    public init() {}

    public init(ref: String, newKey: Bool) {
        (self.ref, self.newKey) = (ref, newKey)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.flag(&newKey)
    }
}

/// Makes a private note ordinary. The secret is its password, which is asked for even if the note is unlocked.
public struct RemoveNotePassword: Operation {
    public static let id: UInt8 = 0xA5
    public static let traits: OperationTraits = [.changes, .secret]
    public typealias Reply = SecuredNote
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
    }
}

/// A note whose password was set, given, changed or removed. Its title is not told: it may just have become secret.
public struct SecuredNote: ReplyValue {
    public var id = ""
    public init() {}
    public init(_ id: String) { self.id = id }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.text(&id) }
}

/// Whether a note has a password of its own, and whether it is locked.
public struct NoteSecrecy: ReplyValue {
    public enum State: UInt8, Sendable { case ordinary = 1, unlocked, locked }
    public var state = State.ordinary
    public init() {}
    public init(_ state: State) { self.state = state }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.code(&state) }
}
