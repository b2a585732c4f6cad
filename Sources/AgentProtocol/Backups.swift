// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Makes a snapshot in the folder whose descriptor comes with it.
public struct CreateBackup: Operation {
    public static let id: UInt8 = 0x53
    public static let traits: OperationTraits = [.output, .descriptor]
    public init() {}
}

/// Reads a snapshot of the open vault back to its end. The descriptor is the backup's folder.
public struct VerifyBackup: Operation {
    public static let id: UInt8 = 0x54
    public static let traits: OperationTraits = [.descriptor]
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

/// Makes a vault of an archive or a snapshot, on the connection that the agent was started with. The descriptor is the archive, or the backup's
/// folder; the secret a `PasswordPair` of what opens it and a new password, empty where none is wanted.
public struct RestoreVault: Operation {
    public static let id: UInt8 = 0x55
    public static let traits: OperationTraits = [.changes, .secret, .descriptor]
    /// Where the vault is to be.
    public var directory: [UInt8] = []
    /// Of a backup, its newest one when it is empty; nil for an archive.
    public var snapshot: String?
    public var credential: CredentialKind = .password
    public var kdfTargetMilliseconds: UInt32 = 1000
    public var identity: Identity = .automatic
    public init() {}

    public init(directory: [UInt8], snapshot: String?, credential: CredentialKind) {
        self.directory = directory
        self.snapshot = snapshot
        self.credential = credential
    }

    /// Which vault the restored one is.
    public enum Identity: UInt8, Sendable {
        /// A copy where this account knows the vault, else the vault.
        case automatic = 0
        /// A copy with an identity of its own.
        case copy
        /// The vault, in the place of the one that is known here.
        case original
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.bytes(&directory, max: 4096)
        try fields.optionalText(&snapshot, max: 64)
        try fields.code(&credential)
        try fields.u32(&kdfTargetMilliseconds)
        try fields.code(&identity)
    }
}
