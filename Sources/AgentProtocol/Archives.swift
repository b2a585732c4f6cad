// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Makes the key of an archive. The secret is a `PasswordPair` of the archive's password and an age passphrase, either
/// of them empty where it is not wanted. Answers with a recovery key as a secret, if that is to open the archive.
/// Nothing is written yet.
public struct PrepareArchive: Operation {
    public static let id: UInt8 = 0x51
    public static let traits: OperationTraits = [.secret]
    /// A recovery key opens it instead of a password.
    public var withRecoveryKey = false
    /// How long one derivation should take, in milliseconds; 0 is the floor of costs.
    public var kdfTargetMilliseconds = PasswordCost.targetMilliseconds
    /// Whether the archive is also wrapped in an age file.
    public var sealing: ExportNotes.Sealing = .none
    public var isArmored = false
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.flag(&withRecoveryKey)
        try fields.u32(&kdfTargetMilliseconds)
        try sealing.code(&fields)
        try fields.flag(&isArmored)
    }
}

/// Writes the prepared archive to the descriptor: a regular file or a pipe. The secret is the recovery key as typed
/// back, empty without one.
public struct WriteArchive: Operation {
    public static let id: UInt8 = 0x52
    public static let traits: OperationTraits = [.output, .secret, .descriptor]
    public typealias Reply = WrittenArchive
    public init() {}
}

/// How much is in an archive, a snapshot or a restored vault.
public struct ArchiveContents: ReplyValue {
    public var revisions: UInt64 = 0
    public var attachments: UInt64 = 0
    /// Notes with a password of their own.
    public var privateNotes: UInt64 = 0
    public var drafts: UInt64 = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u64(&revisions)
        try fields.u64(&attachments)
        try fields.u64(&privateNotes)
        try fields.u64(&drafts)
    }
}

/// An archive that was written to its end.
public struct WrittenArchive: ReplyValue {
    public var contents = ArchiveContents()
    /// Size of the archive in bytes, without an age file around it.
    public var byteCount: UInt64 = 0
    public init() {}
    public init(_ contents: ArchiveContents, byteCount: UInt64) {
        (self.contents, self.byteCount) = (contents, byteCount)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try contents.code(&fields)
        try fields.u64(&byteCount)
    }
}
