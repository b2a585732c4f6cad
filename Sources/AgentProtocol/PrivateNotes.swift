// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Whether a note is "ordinary", "locked" or "unlocked", as bare output.
public struct NoteState: Operation {
    public static let id: UInt8 = 0xA0
    public static let traits: OperationTraits = []
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
    }
}

/// Gives an ordinary note a password, which is the secret. The note is locked when this is answered.
public struct ProtectNote: Operation {
    public static let id: UInt8 = 0xA1
    public static let traits: OperationTraits = [.changes, .secret]
    public var ref = ""
    public var showsTitle = false
    public init() {}

    public init(ref: String, showsTitle: Bool) {
        (self.ref, self.showsTitle) = (ref, showsTitle)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
        try fields.flag(&showsTitle)
    }
}

/// Locks private notes; no password is needed for that.
public struct LockNotes: Operation {
    public static let id: UInt8 = 0xA2
    public static let traits: OperationTraits = []
    public var refs: [String] = []
    public init() {}

    public init(refs: [String]) {
        self.refs = refs
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.references(&refs)
    }
}

/// Opens a private note for a while. Its password is the secret.
public struct UnlockNote: Operation {
    public static let id: UInt8 = 0xA3
    public static let traits: OperationTraits = [.secret]
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
    }
}

/// Gives a private note another password. The secret is a `PasswordPair`. With a new key, everything of the note is sealed anew.
public struct ChangeNotePassword: Operation {
    public static let id: UInt8 = 0xA4
    public static let traits: OperationTraits = [.changes, .secret]
    public var ref = ""
    public var newKey = false
    public init() {}

    public init(ref: String, newKey: Bool) {
        (self.ref, self.newKey) = (ref, newKey)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
        try fields.flag(&newKey)
    }
}

/// Makes a private note ordinary. The secret is its password, which is asked for even if the note is unlocked.
public struct RemoveNotePassword: Operation {
    public static let id: UInt8 = 0xA5
    public static let traits: OperationTraits = [.changes, .secret]
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
    }
}
