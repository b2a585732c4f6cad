// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Entry` is one link of a device's chain: which revision it made, from which parents, after which entry. It holds no
/// content, sealed or plain, so that purges and rotation leave the chain whole.
///
/// ```
/// UInt16 version (1) | device 16 | UInt64 sequence | UInt8 operation | noteID 10 | revisionID 16
/// | UInt8 count, parent 16…
/// | previous 32
/// ```
/// `previous` is the SHA-256 of the same device's entry before it; zeros for the first. Spec: docs/format.md §10.
public struct Entry: Sendable, Equatable {
    public enum Operation: UInt8, Sendable {
        case create = 1
        case edit = 2
        case trash = 3
        case restore = 4
        case purge = 5
        /// An old revision was thinned out; the entry names it, and its row is gone.
        case drop = 6
        /// A revision beside the head, not over it: the note has one head more.
        case fork = 7
        /// Heads of a note that fit together, joined by a program: each device that joins them makes the same revision.
        case join = 8
        /// Something besides a revision, as what the password of a note opens. It names itself, and what it replaces.
        case statement = 9

        /// Whether an entry of this kind names a revision of its note.
        public var makesRevision: Bool {
            switch self {
            case .create, .edit, .trash, .restore, .fork, .join: true
            case .purge, .drop, .statement: false
            }
        }
    }

    public static let version: UInt16 = 1
    public static let deviceByteCount = 16
    public static let digestByteCount = 32
    public static let firstPrevious = [UInt8](repeating: 0, count: digestByteCount)

    public var device: [UInt8]
    public var sequence: UInt64
    public var operation: Operation
    /// `NoteID.none` for a statement about no note.
    public var noteID: NoteID
    public var revisionID: RevisionID
    public var parents: [RevisionID]
    public var previous: [UInt8]

    public init(
        device: [UInt8], sequence: UInt64, operation: Operation, noteID: NoteID, revisionID: RevisionID,
        parents: [RevisionID], previous: [UInt8]
    ) {
        self.device = device
        self.sequence = sequence
        self.operation = operation
        self.noteID = noteID
        self.revisionID = revisionID
        self.parents = parents
        self.previous = previous
    }

    /// Reads an entry.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        device = try reader.bytes(Self.deviceByteCount)
        sequence = try reader.u64()
        guard let operation = Operation(rawValue: try reader.u8()) else { throw FormatError(.unknownKind, offset: 26) }
        self.operation = operation
        let note = try reader.bytes(NoteID.byteCount)
        noteID = operation == .statement && note == NoteID.none.bytes ? .none : try NoteID(note)
        revisionID = try RevisionID(reader.bytes(RevisionID.byteCount))
        let count = try reader.u8()
        parents = []
        for _ in 0..<count { parents.append(try RevisionID(reader.bytes(RevisionID.byteCount))) }
        previous = try reader.bytes(Self.digestByteCount)
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 128)
        writer.u16(Self.version)
        writer.raw(device)
        writer.u64(sequence)
        writer.u8(operation.rawValue)
        writer.raw(noteID.bytes)
        writer.raw(revisionID.bytes)
        writer.u8(UInt8(parents.count))
        for parent in parents { writer.raw(parent.bytes) }
        writer.raw(previous)
        return writer.bytes
    }
}
