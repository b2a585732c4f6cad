// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// The keys that open the vault.
public struct ListKeys: Operation {
    public static let id: UInt8 = 0x40
    public static let traits: OperationTraits = []
    public typealias Reply = KeyList
    public init() {}
}

/// Reports which key a credential matches.
public struct VerifyKey: Operation {
    public static let id: UInt8 = 0x41
    public static let traits: OperationTraits = [.secret]
    public typealias Reply = KeyRow
    /// What the owner's present credential is.
    public var kind: CredentialKind = .password
    public init() {}

    public init(kind: CredentialKind) {
        self.kind = kind
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
    }
}

/// Answers with the text of a new key file, as a secret. Nothing is changed.
public struct MakeKeyFile: Operation {
    public static let id: UInt8 = 0x42
    public static let traits: OperationTraits = []
    public init() {}
}

/// Adds a credential that opens the vault.
public struct AddKey: Operation {
    public static let id: UInt8 = 0x43
    public static let traits: OperationTraits = [.changes, .secret]
    public typealias Reply = KeyRow
    /// What the owner's present credential is.
    public var kind: CredentialKind = .password
    public var name = ""
    public var new: NewCredential = NewCredential(.password)
    public init() {}

    public init(kind: CredentialKind, name: String, new: NewCredential) {
        (self.kind, self.name, self.new) = (kind, name, new)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
        try fields.reference(&name)
        try new.code(&fields)
    }
}

/// Removes a credential.
public struct RemoveKey: Operation {
    public static let id: UInt8 = 0x44
    public static let traits: OperationTraits = [.changes, .secret]
    public typealias Reply = KeyRow
    /// What the owner's present credential is.
    public var kind: CredentialKind = .password
    public var ref = ""
    public init() {}

    public init(kind: CredentialKind, ref: String) {
        (self.kind, self.ref) = (kind, ref)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
        try fields.reference(&ref)
    }
}

/// Puts a new credential in the place of the one that is given, or of the key named.
public struct ChangeKey: Operation {
    public static let id: UInt8 = 0x45
    public static let traits: OperationTraits = [.changes, .secret]
    public typealias Reply = KeyRow
    /// What the owner's present credential is.
    public var kind: CredentialKind = .password
    /// Empty for the one that is given.
    public var ref = ""
    public var new: NewCredential = NewCredential(.password)
    public init() {}

    public init(kind: CredentialKind, ref: String, new: NewCredential) {
        (self.kind, self.ref, self.new) = (kind, ref, new)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
        try fields.reference(&ref)
        try new.code(&fields)
    }
}

/// Prepares a new recovery key in the place of the one that is there. Answers with it as a secret; nothing is written
/// yet.
public struct PrepareRecoveryKey: Operation {
    public static let id: UInt8 = 0x46
    public static let traits: OperationTraits = [.secret]
    /// What the owner's present credential is.
    public var kind: CredentialKind = .password
    public init() {}

    public init(kind: CredentialKind) {
        self.kind = kind
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
    }
}

/// Writes the prepared recovery key. The secret is the key as typed back.
public struct CommitRecoveryKey: Operation {
    public static let id: UInt8 = 0x47
    public static let traits: OperationTraits = [.changes, .secret]
    public typealias Reply = CommittedRecoveryKey
    public init() {}
}

/// `NewCredential` is a credential that is set. Requests that change keys come with the owner's present credential,
/// although the vault is open.
public struct NewCredential: Sendable, Equatable {
    public var kind: CredentialKind
    /// Keeps the given secret; only cost and salt are new. No second secret follows then.
    public var keepsSecret = false
    /// How long one derivation should take, in milliseconds; 0 is the floor of costs.
    public var kdfTargetMilliseconds: UInt32

    public init(_ kind: CredentialKind, kdfTargetMilliseconds: UInt32 = PasswordCost.targetMilliseconds) {
        self.kind = kind
        self.kdfTargetMilliseconds = kdfTargetMilliseconds
    }

    mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
        try fields.flag(&keepsSecret)
        try fields.u32(&kdfTargetMilliseconds)
    }
}

/// A key that opens the vault, or opened it until it was removed: all that is known of it but its secret.
public struct KeyRow: ReplyValue {
    /// 16 bytes.
    public var slotID: [UInt8] = []
    /// The beginning of `slotID` in hexadecimal, by which the key can be named.
    public var shortID = ""
    /// Empty when nothing is known of it.
    public var name = ""
    public var kind: CredentialKind = .password
    /// Milliseconds since 1970, UTC; nil when that is not known.
    public var made: Int64?
    /// All of it is 0 for a recovery key.
    public var cost = KDFCost()
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.bytes(&slotID, max: 16)
        try fields.text(&shortID)
        try fields.text(&name)
        try fields.code(&kind)
        try fields.optionalMoment(&made)
        try cost.code(&fields)
    }
}

/// The keys of a vault, in the order of its header.
public struct KeyList: ReplyValue {
    public var keys: [KeyRow] = []
    public init() {}
    public init(_ keys: [KeyRow]) { self.keys = keys }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.values(&keys) }
}

/// A recovery key that was written.
public struct CommittedRecoveryKey: ReplyValue {
    /// Whether the vault had another one before, which opens it no longer.
    public var replacesOlder = false
    public init() {}
    public init(replacesOlder: Bool) { self.replacesOlder = replacesOlder }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.flag(&replacesOlder) }
}
