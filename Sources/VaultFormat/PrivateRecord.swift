// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PrivateRecord` is a revision of a private note as the vault's layer has it: it holds what may be known while the
/// note is locked, and the rest under the note's key.
///
/// ```
/// UInt16 version (1) | noteID 10 bytes | Int64 created | Int64 modified | UInt32 flags | flag + text title
/// | UInt32 keyEpoch
/// | contentRevision 16 bytes | byte string inner
/// ```
/// `inner` is the note's padded `NoteRecord`, sealed with Cobblestone-256 under a subkey of the note's key. Spec:
/// docs/format.md §18.
public struct PrivateRecord: Sendable, Equatable {
    public static let version: UInt16 = 1
    /// The largest record, padded and sealed.
    public static let innerByteCountMax = NoteRecord.bodyByteCountMax + (4 << 20)

    public var noteID: NoteID
    public var created: Int64
    public var modified: Int64
    /// These count; those in the inner record are what they were when it was sealed.
    public var flags: NoteRecord.Flags
    /// Shown while the note is locked, if its owner wants that.
    public var title: String?
    /// Which of the note's keys, from 1.
    public var keyEpoch: UInt32
    /// The revision that `inner` was sealed for: an earlier one when only flags were changed since, which needs no key.
    public var contentRevision: RevisionID
    public var inner: [UInt8]

    public init(
        noteID: NoteID, created: Int64, modified: Int64, flags: NoteRecord.Flags, title: String?, keyEpoch: UInt32,
        contentRevision: RevisionID, inner: [UInt8]
    ) {
        self.noteID = noteID
        self.created = created
        self.modified = modified
        self.flags = flags
        self.title = title
        self.keyEpoch = keyEpoch
        self.contentRevision = contentRevision
        self.inner = inner
    }

    /// Reads a revision of a private note; its inner part stays sealed.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        noteID = try NoteID(reader.bytes(NoteID.byteCount))
        created = try reader.i64()
        modified = try reader.i64()
        flags = NoteRecord.Flags(rawValue: try reader.u32())
        // A book has no password of its own.
        guard flags.rawValue & ~NoteRecord.Flags.known == 0, !flags.contains(.book) else {
            throw FormatError(.unknownFeature, offset: reader.offset - 4)
        }
        title = try reader.flag() ? try reader.text(max: NoteRecord.titleByteCountMax) : nil
        keyEpoch = try reader.u32()
        guard keyEpoch > 0 else { throw FormatError(.allZero, offset: reader.offset - 4) }
        contentRevision = try RevisionID(reader.bytes(RevisionID.byteCount))
        inner = try reader.lengthPrefixed(max: Self.innerByteCountMax)
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 96 + inner.count)
        writer.u16(Self.version)
        writer.raw(noteID.bytes)
        writer.i64(created)
        writer.i64(modified)
        writer.u32(flags.rawValue)
        writer.flag(title != nil)
        if let title { writer.text(title) }
        writer.u32(keyEpoch)
        writer.raw(contentRevision.bytes)
        writer.lengthPrefixed(inner)
        return writer.bytes
    }
}
