// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// Requests about archives and backups: the whole vault, sealed. Spec: docs/agent-protocol.md §10.
public enum Archiving: Sendable, Equatable {
    /// Makes the key of an archive. The secret is a `PasswordPair` of the archive's password and an age passphrase, either of them empty where it is not
    /// wanted. Answers with a recovery key as a secret, if that is to open the archive. Nothing is written yet.
    case prepare(NewArchive)
    /// Writes the archive to the descriptor that comes with this request: a regular file or a pipe. The secret is the recovery key as typed back,
    /// empty without one.
    case write
    /// Makes a snapshot in the folder whose descriptor comes with this request.
    case backup
    /// Reads a snapshot of the open vault back to its end; the newest one when no name is given. The descriptor is the backup's folder.
    case verify(snapshot: String)
    /// Makes a vault of an archive or a snapshot, on the connection that the agent was started with. The descriptor is the archive, or the backup's
    /// folder; the secret a `PasswordPair` of what opens it and a new password, empty where none is wanted.
    case restore(Restoring)

    public var needsSecret: Bool {
        switch self {
        case .prepare, .write, .restore: true
        case .backup, .verify: false
        }
    }

    public var needsDescriptor: Bool {
        if case .prepare = self { false } else { true }
    }
}

public struct NewArchive: Sendable, Equatable {
    /// A recovery key opens it instead of a password.
    public var withRecoveryKey = false
    /// How long one derivation should take, in milliseconds; 0 is the floor of costs.
    public var kdfTargetMilliseconds: UInt32 = 1000
    /// Whether the archive is wrapped in an age file besides.
    public var sealing = Exporting.Sealing.none
    public var isArmored = false
    public init() {}
}

public struct Restoring: Sendable, Equatable {
    /// Where the vault is to be.
    public var directory: [UInt8]
    /// Of a backup, its newest one when it is empty; nil for an archive.
    public var snapshot: String?
    public var credential: UnlockOptions.Credential
    public var kdfTargetMilliseconds: UInt32 = 1000
    public var identity = Identity.automatic

    /// Which vault the restored one is.
    public enum Identity: UInt8, Sendable {
        /// A copy where this account knows the vault, else the vault.
        case automatic = 0
        /// A copy with an identity of its own.
        case copy
        /// The vault, in the place of the one that is known here.
        case original
    }

    public init(directory: [UInt8], snapshot: String?, credential: UnlockOptions.Credential) {
        self.directory = directory
        self.snapshot = snapshot
        self.credential = credential
    }
}

extension Archiving {
    private enum Operation: UInt8 { case prepare = 1, write, backup, verify, restore }
    private static let nameByteCountMax = 64

    func encode(to writer: inout ByteWriter) {
        switch self {
        case .prepare(let archive):
            writer.u8(Operation.prepare.rawValue)
            writer.flag(archive.withRecoveryKey)
            writer.u32(archive.kdfTargetMilliseconds)
            archive.sealing.encode(to: &writer)
            writer.flag(archive.isArmored)
        case .write: writer.u8(Operation.write.rawValue)
        case .backup: writer.u8(Operation.backup.rawValue)
        case .verify(let snapshot):
            writer.u8(Operation.verify.rawValue)
            writer.text(snapshot)
        case .restore(let restoring):
            writer.u8(Operation.restore.rawValue)
            writer.lengthPrefixed(restoring.directory)
            writer.flag(restoring.snapshot != nil)
            if let snapshot = restoring.snapshot { writer.text(snapshot) }
            writer.u8(restoring.credential.rawValue)
            writer.u32(restoring.kdfTargetMilliseconds)
            writer.u8(restoring.identity.rawValue)
        }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        guard let operation = Operation(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        switch operation {
        case .prepare:
            var archive = NewArchive()
            archive.withRecoveryKey = try reader.flag()
            archive.kdfTargetMilliseconds = try reader.u32()
            archive.sealing = try Exporting.Sealing(from: &reader)
            archive.isArmored = try reader.flag()
            self = .prepare(archive)
        case .write: self = .write
        case .backup: self = .backup
        case .verify: self = .verify(snapshot: try reader.text(max: Self.nameByteCountMax))
        case .restore:
            let directory = try reader.lengthPrefixed(max: 4096)
            let snapshot = try reader.flag() ? try reader.text(max: Self.nameByteCountMax) : nil
            var restoring = Restoring(directory: directory, snapshot: snapshot, credential: try UnlockOptions.Credential(from: &reader))
            restoring.kdfTargetMilliseconds = try reader.u32()
            guard let identity = Restoring.Identity(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
            restoring.identity = identity
            self = .restore(restoring)
        }
    }
}
