// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// What a rotation would do, and whether there is room for it.
public struct PlanRotation: Operation {
    public static let id: UInt8 = 0x48
    public static let traits: OperationTraits = []
    public typealias Reply = PlannedRotation
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
    /// Goes ahead although the remotes cannot be read: what other devices have said since is read later.
    public var isUnsynced = false
    /// The device that is revoked with it, and is not waited for; empty for none.
    public var revoked = ""
    public init() {}

    public init(
        kind: CredentialKind, new: NewCredential, dropped: [[UInt8]], isUnsynced: Bool = false, revoked: String = ""
    ) {
        (self.kind, self.new, self.dropped, self.isUnsynced) = (kind, new, dropped, isUnsynced)
        self.revoked = revoked
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
        try new.code(&fields)
        try fields.list(&dropped, else: []) { (fields, slot) throws(FormatError) in try fields.bytes(&slot, max: 16) }
        try fields.flag(&isUnsynced)
        try fields.text(&revoked, max: 256)
    }
}

/// Begins it. The secret is the recovery key as typed back, empty without one.
public struct BeginRotation: Operation {
    public static let id: UInt8 = 0x4A
    public static let traits: OperationTraits = [.changes, .secret]
    public typealias Reply = EndedRotation
    /// The device that is given up at the moment in which the new key is in place; empty for none.
    public var revoked = ""
    public init() {}
    public init(revoked: String) { self.revoked = revoked }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&revoked, max: 256)
    }
}

/// Waits for the end of a rotation that is under way.
public struct AwaitRotation: Operation {
    public static let id: UInt8 = 0x4B
    public static let traits: OperationTraits = [.upkeep]
    public typealias Reply = EndedRotation
    public init() {}
}

/// What a rotation would re-encrypt, the room it needs, and the keys there are now.
public struct PlannedRotation: ReplyValue {
    /// Epoch of the vault's current key.
    public var epoch: UInt32 = 0
    /// Size of the index and its log in bytes.
    public var indexByteCount: UInt64 = 0
    public var attachmentCount = 0
    /// Size of the attachments' files in bytes.
    public var attachmentByteCount: UInt64 = 0
    /// Room that it needs while it runs, in bytes.
    public var neededByteCount: UInt64 = 0
    /// Room that there is on the vault's disk, in bytes.
    public var freeByteCount: UInt64 = 0
    public var hasRoom = false
    public var keys: [KeyRow] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u32(&epoch)
        try fields.u64(&indexByteCount)
        try fields.count(&attachmentCount)
        try fields.u64(&attachmentByteCount)
        try fields.u64(&neededByteCount)
        try fields.u64(&freeByteCount)
        try fields.flag(&hasRoom)
        try fields.values(&keys)
    }
}

/// A rotation that has come to its end.
public struct EndedRotation: ReplyValue {
    /// Of the vault's new key.
    public var epoch: UInt32 = 0
    public init() {}
    public init(epoch: UInt32) { self.epoch = epoch }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.u32(&epoch) }
}
