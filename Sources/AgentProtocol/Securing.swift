// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// Requests about notes with a password of their own. Spec: docs/agent-protocol.md §5.
public enum Securing: Sendable, Equatable {
    /// Whether a note is "ordinary", "locked" or "unlocked", as bare output.
    case state(ref: String)
    /// Gives an ordinary note a password; it is in the frame that follows. The note is locked when this is answered.
    case protect(ref: String, showsTitle: Bool)
    /// Locks notes that are private; no password is needed for that.
    case lock(refs: [String])
    /// The note's password is in the frame that follows.
    case unlock(ref: String)
    /// A `PasswordPair` is in the frame that follows. With a new key everything of the note is sealed anew.
    case changePassword(ref: String, newKey: Bool)
    /// The note's password is in the frame that follows; it is asked for although the note may be unlocked.
    case removePassword(ref: String)

    /// Whether a secret follows the request.
    public var needsSecret: Bool {
        switch self {
        case .state, .lock: false
        case .protect, .unlock, .changePassword, .removePassword: true
        }
    }
}

extension Securing {
    private enum Operation: UInt8 { case state = 1, protect, lock, unlock, changePassword, removePassword }

    func encode(to writer: inout ByteWriter) {
        func begin(_ operation: Operation) { writer.u8(operation.rawValue) }
        switch self {
        case .state(let ref):
            begin(.state)
            writer.text(ref)
        case .protect(let ref, let showsTitle):
            begin(.protect)
            writer.text(ref)
            writer.flag(showsTitle)
        case .lock(let refs):
            begin(.lock)
            writer.texts(refs)
        case .unlock(let ref):
            begin(.unlock)
            writer.text(ref)
        case .changePassword(let ref, let newKey):
            begin(.changePassword)
            writer.text(ref)
            writer.flag(newKey)
        case .removePassword(let ref):
            begin(.removePassword)
            writer.text(ref)
        }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        guard let operation = Operation(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        let max = Request.refMax
        self =
            switch operation {
            case .state: .state(ref: try reader.text(max: max))
            case .protect: .protect(ref: try reader.text(max: max), showsTitle: try reader.flag())
            case .lock: .lock(refs: try reader.texts())
            case .unlock: .unlock(ref: try reader.text(max: max))
            case .changePassword: .changePassword(ref: try reader.text(max: max), newKey: try reader.flag())
            case .removePassword: .removePassword(ref: try reader.text(max: max))
            }
    }
}
