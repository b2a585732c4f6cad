// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ArchivedVault` says of which vault an archive is, and what it was at that moment. Spec: docs/format.md §21.
public struct ArchivedVault: Sendable, Equatable {
    public static let version: UInt16 = 1
    /// Of one with entries of several devices, or of the operations that only those make.
    public static let versionOfDevices: UInt16 = 2
    /// A vault with more could not go on for long: nobody rotates so often, or writes so much.
    public static let epochMax: UInt32 = 1 << 31
    public static let counterMax: UInt64 = 1 << 62

    public var vaultID: VaultID
    public var epoch: UInt32
    public var counter: UInt64
    public var generation: UInt64
    /// Milliseconds since 1970, UTC.
    public var made: Int64
    /// Whose vault it is, and whose chain the entries are.
    public var device: [UInt8]
    /// Whether there may be entries of other devices, joins and statements.
    public var hasOthers: Bool

    public init(
        vaultID: VaultID, epoch: UInt32, counter: UInt64, generation: UInt64, made: Int64, device: [UInt8],
        hasOthers: Bool = false
    ) {
        self.vaultID = vaultID
        self.epoch = epoch
        self.counter = counter
        self.generation = generation
        self.made = made
        self.device = device
        self.hasOthers = hasOthers
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        let version = try reader.u16()
        guard version == Self.version || version == Self.versionOfDevices else {
            throw FormatError(.unknownVersion, offset: 0)
        }
        hasOthers = version == Self.versionOfDevices
        vaultID = try VaultID(reader.bytes(VaultID.byteCount))
        epoch = try reader.u32()
        counter = try reader.u64()
        generation = try reader.u64()
        guard (1..<Self.epochMax).contains(epoch), (1..<Self.counterMax).contains(counter), generation < Self.counterMax
        else {
            throw FormatError(.notCanonical, offset: 18)
        }
        made = try reader.i64()
        device = try reader.bytes(Entry.deviceByteCount)
        guard device.contains(where: { $0 != 0 }) else {
            throw FormatError(.allZero, offset: reader.offset - Entry.deviceByteCount)
        }
    }

    func encode(to writer: inout ByteWriter) {
        writer.u16(hasOthers ? Self.versionOfDevices : Self.version)
        writer.raw(vaultID.bytes)
        writer.u32(epoch)
        writer.u64(counter)
        writer.u64(generation)
        writer.i64(made)
        writer.raw(device)
    }
}

/// `ArchivedRevision` is one revision: a `NoteRecord`, or of a private note a `PrivateRecord` with its inner layer as
/// it is.
public struct ArchivedRevision: Sendable, Equatable {
    public var id: RevisionID
    public var noteID: NoteID
    /// When it was recorded; 0 where that is not known.
    public var made: Int64
    public var isPrivate: Bool
    public var record: [UInt8]

    public init(id: RevisionID, noteID: NoteID, made: Int64, isPrivate: Bool, record: [UInt8]) {
        self.id = id
        self.noteID = noteID
        self.made = made
        self.isPrivate = isPrivate
        self.record = record
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        id = try RevisionID(reader.bytes(RevisionID.byteCount))
        noteID = try NoteID(reader.bytes(NoteID.byteCount))
        made = try reader.i64()
        isPrivate = try reader.flag()
        record = try reader.lengthPrefixed(max: ArchiveItem.payloadByteCountMax)
    }

    func encode(to writer: inout ByteWriter) {
        writer.raw(id.bytes)
        writer.raw(noteID.bytes)
        writer.i64(made)
        writer.flag(isPrivate)
        writer.lengthPrefixed(record)
    }
}

/// `ArchivedAttachment` is an attachment; `byteCount` bytes of content follow it. Of a private note these are its inner
/// layer.
public struct ArchivedAttachment: Sendable, Equatable {
    /// Largest content, in bytes.
    public static let byteCountMax: UInt64 = 1 << 41

    public var id: AttachmentID
    public var noteID: NoteID
    public var isPrivate: Bool
    /// `AttachmentDetails`, or of a private note the same in its inner layer.
    public var details: [UInt8]
    public var byteCount: UInt64

    public init(id: AttachmentID, noteID: NoteID, isPrivate: Bool, details: [UInt8], byteCount: UInt64) {
        self.id = id
        self.noteID = noteID
        self.isPrivate = isPrivate
        self.details = details
        self.byteCount = byteCount
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        id = try AttachmentID(reader.bytes(AttachmentID.byteCount))
        noteID = try NoteID(reader.bytes(NoteID.byteCount))
        isPrivate = try reader.flag()
        details = try reader.lengthPrefixed(max: AttachmentRecord.detailsByteCountMax)
        let at = reader.offset
        byteCount = try reader.u64()
        guard byteCount <= Self.byteCountMax else { throw FormatError(.tooLarge, offset: at) }
    }

    func encode(to writer: inout ByteWriter) {
        writer.raw(id.bytes)
        writer.raw(noteID.bytes)
        writer.flag(isPrivate)
        writer.lengthPrefixed(details)
        writer.u64(byteCount)
    }
}
