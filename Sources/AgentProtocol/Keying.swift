// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// Requests about who may open the vault, and about its key. Spec: docs/agent-protocol.md §7.
///
/// Every one that changes something comes with the owner's present credential, although the vault is open.
public enum Keying: Sendable, Equatable {
    case list
    /// Says which key a credential is.
    case verify(CredentialKind)
    /// Answers with the text of a new key file, as a secret. Nothing is changed.
    case newKeyFile
    case add(CredentialKind, name: String, new: NewCredential)
    case remove(CredentialKind, ref: String)
    /// Puts a new credential in the place of the one that is given, or of the key named.
    case change(CredentialKind, ref: String, new: NewCredential)
    /// Prepares a new recovery key in the place of the one that is there. Answers with it as a secret; nothing is written yet.
    case prepareRecovery(CredentialKind)
    /// The recovery key as typed back is in the frame that follows.
    case commitRecovery
    /// What a rotation would do, and whether there is room for it.
    case plan
    /// Makes the next key. Answers with its recovery key as a secret, if the vault has one; nothing is written yet.
    ///
    /// - Parameter dropped: keys that the owner has agreed to lose: all but the one given and the recovery key.
    case prepareRotation(CredentialKind, new: NewCredential, dropped: [[UInt8]])
    /// Begins it. The recovery key as typed back is in the frame that follows, empty without one.
    case rotate
    /// Waits for the end of a rotation that is under way.
    case resume

    /// Whether a secret follows the request.
    public var needsSecret: Bool {
        switch self {
        case .list, .newKeyFile, .plan, .resume: false
        case .verify, .add, .remove, .change, .prepareRecovery, .commitRecovery, .prepareRotation, .rotate: true
        }
    }

    public typealias CredentialKind = UnlockOptions.Credential

    /// A credential that is set.
    public struct NewCredential: Sendable, Equatable {
        public var kind: CredentialKind
        /// The secret that is given stays; only cost and salt are new. Then no second secret comes.
        public var keepsSecret = false
        /// How long one derivation should take, in milliseconds; 0 is the floor of costs.
        public var kdfTargetMilliseconds: UInt32

        public init(_ kind: CredentialKind, kdfTargetMilliseconds: UInt32) {
            self.kind = kind
            self.kdfTargetMilliseconds = kdfTargetMilliseconds
        }
    }
}

extension Keying {
    private enum Operation: UInt8 {
        case list = 1, verify, newKeyFile, add, remove, change, prepareRecovery, commitRecovery, plan, prepareRotation, rotate, resume
    }

    private var operation: Operation {
        switch self {
        case .list: .list
        case .verify: .verify
        case .newKeyFile: .newKeyFile
        case .add: .add
        case .remove: .remove
        case .change: .change
        case .prepareRecovery: .prepareRecovery
        case .commitRecovery: .commitRecovery
        case .plan: .plan
        case .prepareRotation: .prepareRotation
        case .rotate: .rotate
        case .resume: .resume
        }
    }

    func encode(to writer: inout ByteWriter) {
        writer.u8(operation.rawValue)
        switch self {
        case .list, .newKeyFile, .commitRecovery, .plan, .rotate, .resume: break
        case .verify(let kind), .prepareRecovery(let kind): writer.u8(kind.rawValue)
        case .add(let kind, let name, let new), .change(let kind, let name, let new):
            writer.u8(kind.rawValue)
            writer.text(name)
            new.encode(to: &writer)
        case .remove(let kind, let ref):
            writer.u8(kind.rawValue)
            writer.text(ref)
        case .prepareRotation(let kind, let new, let dropped):
            writer.u8(kind.rawValue)
            new.encode(to: &writer)
            writer.u8(UInt8(clamping: dropped.count))
            for slot in dropped.prefix(255) { writer.lengthPrefixed(slot) }
        }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        guard let operation = Operation(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        let max = Request.refMax
        self =
            switch operation {
            case .list: .list
            case .verify: .verify(try CredentialKind(from: &reader))
            case .newKeyFile: .newKeyFile
            case .add: .add(try CredentialKind(from: &reader), name: try reader.text(max: max), new: try NewCredential(from: &reader))
            case .remove: .remove(try CredentialKind(from: &reader), ref: try reader.text(max: max))
            case .change: .change(try CredentialKind(from: &reader), ref: try reader.text(max: max), new: try NewCredential(from: &reader))
            case .prepareRecovery: .prepareRecovery(try CredentialKind(from: &reader))
            case .commitRecovery: .commitRecovery
            case .plan: .plan
            case .prepareRotation:
                .prepareRotation(
                    try CredentialKind(from: &reader), new: try NewCredential(from: &reader), dropped: try Self.slots(from: &reader))
            case .rotate: .rotate
            case .resume: .resume
            }
    }

    private static func slots(from reader: inout ByteReader) throws(FormatError) -> [[UInt8]] {
        var slots: [[UInt8]] = []
        for _ in 0..<(try reader.u8()) { slots.append(try reader.lengthPrefixed(max: 16)) }
        return slots
    }
}

extension Keying.NewCredential {
    func encode(to writer: inout ByteWriter) {
        writer.u8(kind.rawValue)
        writer.flag(keepsSecret)
        writer.u32(kdfTargetMilliseconds)
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        kind = try UnlockOptions.Credential(from: &reader)
        keepsSecret = try reader.flag()
        kdfTargetMilliseconds = try reader.u32()
    }
}

extension UnlockOptions.Credential {
    init(from reader: inout ByteReader) throws(FormatError) {
        guard let kind = Self(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self = kind
    }
}
