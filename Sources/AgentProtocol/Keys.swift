// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// What opens the vault.
public struct ListKeys: Operation {
    public static let id: UInt8 = 0x40
    public static let traits: OperationTraits = []
    public init() {}
}

/// Says which key a credential is.
public struct VerifyKey: Operation {
    public static let id: UInt8 = 0x41
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

/// Prepares a new recovery key in the place of the one that is there. Answers with it as a secret; nothing is written yet.
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
    public init() {}
}

/// A credential that is set. Requests that change keys come with the owner's present credential, although the vault is open.
public struct NewCredential: Sendable, Equatable {
    public var kind: CredentialKind
    /// The secret that is given stays; only cost and salt are new. Then no second secret comes.
    public var keepsSecret = false
    /// How long one derivation should take, in milliseconds; 0 is the floor of costs.
    public var kdfTargetMilliseconds: UInt32

    public init(_ kind: CredentialKind, kdfTargetMilliseconds: UInt32 = 1000) {
        self.kind = kind
        self.kdfTargetMilliseconds = kdfTargetMilliseconds
    }

    mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
        try fields.flag(&keepsSecret)
        try fields.u32(&kdfTargetMilliseconds)
    }
}
