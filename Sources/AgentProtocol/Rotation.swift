// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// What a rotation would do, and whether there is room for it.
public struct PlanRotation: Operation {
    public static let id: UInt8 = 0x48
    public static let traits: OperationTraits = []
    public init() {}
}

/// Makes the next key. Answers with its recovery key as a secret, if the vault has one; nothing is written yet.
public struct PrepareRotation: Operation {
    public static let id: UInt8 = 0x49
    public static let traits: OperationTraits = [.secret]
    /// What the owner's present credential is.
    public var kind: CredentialKind = .password
    public var new: NewCredential = NewCredential(.password)
    /// Keys that the owner has agreed to lose: all but the one given and the recovery key.
    public var dropped: [[UInt8]] = []
    public init() {}

    public init(kind: CredentialKind, new: NewCredential, dropped: [[UInt8]]) {
        (self.kind, self.new, self.dropped) = (kind, new, dropped)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
        try new.code(&fields)
        try fields.list(&dropped, else: []) { (fields, slot) throws(FormatError) in try fields.bytes(&slot, max: 16) }
    }
}

/// Begins it. The secret is the recovery key as typed back, empty without one.
public struct BeginRotation: Operation {
    public static let id: UInt8 = 0x4A
    public static let traits: OperationTraits = [.changes, .secret]
    public init() {}
}

/// Waits for the end of a rotation that is under way.
public struct AwaitRotation: Operation {
    public static let id: UInt8 = 0x4B
    public static let traits: OperationTraits = [.upkeep]
    public init() {}
}
