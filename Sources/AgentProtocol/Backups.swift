// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Makes a snapshot in the folder whose descriptor comes with it.
public struct CreateBackup: Operation {
    public static let id: UInt8 = 0x53
    public static let traits: OperationTraits = [.output, .descriptor]
    public typealias Reply = CreatedSnapshot
    /// Parity to write, in percent of what is copied; 0 for none.
    public var parity: UInt32 = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u32(&parity)
    }
}

/// Reads a snapshot of the open vault back to its end. The descriptor is the backup's folder.
public struct VerifyBackup: Operation {
    public static let id: UInt8 = 0x54
    public static let traits: OperationTraits = [.descriptor]
    public typealias Reply = VerifiedSnapshot
    /// Empty for the newest one.
    public var snapshot = ""
    public init() {}

    public init(snapshot: String) {
        self.snapshot = snapshot
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&snapshot, max: 64)
    }
}

/// Makes a vault of an archive or a snapshot, on the connection that the agent was started with. The descriptor is the
/// archive, or the backup's folder; the secret a `PasswordPair` of what opens it and a new password, empty where none
/// is wanted.
public struct RestoreVault: Operation {
    public static let id: UInt8 = 0x55
    public static let traits: OperationTraits = [.changes, .secret, .descriptor]
    public typealias Reply = FinishedRestore
    /// Where the vault is to be.
    public var directory: [UInt8] = []
    /// Name of the snapshot in a backup, empty for the newest; nil for an archive.
    public var snapshot: String?
    public var credential: CredentialKind = .password
    public var kdfTargetMilliseconds = PasswordCost.targetMilliseconds
    public var identity: Identity = .automatic
    /// Restores what opens of a damaged snapshot; without this, a damaged one is not restored.
    public var salvage = false
    public init() {}

    public init(directory: [UInt8], snapshot: String?, credential: CredentialKind) {
        self.directory = directory
        self.snapshot = snapshot
        self.credential = credential
    }

    /// `Identity` says which vault the restored one is.
    public enum Identity: UInt8, Sendable {
        /// A copy if this account already knows the vault, else the vault itself.
        case automatic = 0
        /// A copy with an identity of its own.
        case copy
        /// The vault itself, replacing the one that is known here.
        case original
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.bytes(&directory, max: 4096)
        try fields.optionalText(&snapshot, max: 64)
        try fields.code(&credential)
        try fields.u32(&kdfTargetMilliseconds)
        try fields.code(&identity)
        try fields.flag(&salvage)
    }
}

/// A snapshot that was made.
public struct CreatedSnapshot: ReplyValue {
    public var name = ""
    public var contents = ArchiveContents()
    /// Size in bytes of what no earlier snapshot had.
    public var addedByteCount: UInt64 = 0
    /// Size in bytes of all that belongs to it.
    public var totalByteCount: UInt64 = 0
    /// Whether nothing of earlier snapshots could be used: it is the first one, or the first after a rotation.
    public var isFull = false
    /// How many snapshots of the folder open with a key that a rotation has replaced.
    public var olderKeyCount = 0
    /// What did not open in the vault and is missing in the snapshot.
    public var damage = BackupDamage()
    /// Newer snapshots than the newest that opens.
    public var passedOver: [String] = []
    /// Size in bytes of the parity that was written; 0 when none was wanted, or none could be.
    public var parityByteCount: UInt64 = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name)
        try contents.code(&fields)
        try fields.u64(&addedByteCount)
        try fields.u64(&totalByteCount)
        try fields.flag(&isFull)
        try fields.count(&olderKeyCount)
        try damage.code(&fields)
        try fields.texts(&passedOver)
        try fields.u64(&parityByteCount)
    }
}

/// A snapshot that was read back to its end and can be restored.
public struct VerifiedSnapshot: ReplyValue {
    public var name = ""
    /// Milliseconds since 1970, UTC.
    public var made: Int64 = 0
    public var contents = ArchiveContents()
    /// What it lacks, as the copy of a damaged vault.
    public var damage = BackupDamage()
    /// Newer ones, when the newest was asked for, that cannot be restored.
    public var passedOver: [String] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&name)
        try fields.i64(&made)
        try contents.code(&fields)
        try damage.code(&fields)
        try fields.texts(&passedOver)
    }
}

/// A vault that was made of an archive or a snapshot.
public struct FinishedRestore: ReplyValue {
    public var noteCount = 0
    public var contents = ArchiveContents()
    /// Whether another copy of the vault here is refused as older as soon as the restored one has been unlocked.
    public var replacesOlder = false
    /// Whether the vault has a new key, which only the password given and the recovery key, if one was given, open.
    public var hasNewKey = false
    /// Whether it has an identity of its own, so that it and the vault can be used side by side.
    public var isCopy = false
    /// Whether a new password came with the request and was not used: the snapshot has kept its own.
    public var leftOutNewPassword = false
    /// Name of the backup's snapshot; empty for an archive.
    public var snapshot = ""
    /// When that was made, in milliseconds since 1970, UTC.
    public var made: Int64 = 0
    /// What the vault lacks.
    public var damage = BackupDamage()
    /// Newer snapshots that do not open.
    public var passedOver: [String] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.count(&noteCount)
        try contents.code(&fields)
        try fields.flag(&replacesOlder)
        try fields.flag(&hasNewKey)
        try fields.flag(&isCopy)
        try fields.flag(&leftOutNewPassword)
        try fields.text(&snapshot)
        try fields.i64(&made)
        try damage.code(&fields)
        try fields.texts(&passedOver)
    }
}
