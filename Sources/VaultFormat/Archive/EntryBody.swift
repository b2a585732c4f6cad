// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `EntryBody` is one entry as segments of a remote hold it: the entry, and what belongs to it, as items of an archive.
///
/// ```
/// item 2 entry | item 9 statement, exactly of a statement | item 4 revision | item 10 key of a private one
/// | item 11 attachments…
/// ```
/// An item is `UInt8 kind | UInt32 byteCount, payload`. A revision that was thinned out has no item any more, and a
/// purge has none. Spec: docs/format.md §21.1.
public struct EntryBody: Sendable, Equatable {
    /// Largest body, in bytes.
    public static let byteCountMax = 32 << 20

    public var entry: Entry
    /// What it says besides a revision.
    public var statement: EntryStatement?
    public var revision: ArchivedRevision?
    /// Of a private revision: which of its note's keys it is under.
    public var keyID: [UInt8]?
    /// Those that the revision names and that what it was made from does not.
    public var attachments: [AttachmentRecord] = []

    public init(entry: Entry) { self.entry = entry }

    /// What a note's password opens from here on; nil for any other entry.
    public var noteKey: NoteKeyStatement? { if case .noteKey(let key)? = statement { key } else { nil } }

    private enum Kind: UInt8 {
        case entry = 2
        case revision = 4
        case statement = 9
        case key = 10
        case attachment = 11
    }

    /// Refuses whatever no program of this version writes: an entry is taken as a whole or not at all.
    ///
    /// - Throws: `FormatError`; `.unknownKind` and `.unknownVersion` for what a newer program has written.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        guard bytes.count <= Self.byteCountMax else { throw FormatError(.tooLarge, offset: 0) }
        var reader = ByteReader(bytes)
        let (first, payload) = try Self.item(&reader)
        guard first == .entry else { throw FormatError(.notCanonical, offset: 0) }
        entry = try Entry(parsing: payload)
        var last = Kind.entry
        while reader.remaining > 0 {
            let at = reader.offset
            let (kind, payload) = try Self.item(&reader)
            guard Self.rank(kind) > Self.rank(last) || (kind == .attachment && last == .attachment) else {
                throw FormatError(.notCanonical, offset: at)
            }
            last = kind
            try take(kind, payload)
        }
        guard isRight else { throw FormatError(.notCanonical, offset: 0) }
    }

    private static func item(_ reader: inout ByteReader) throws(FormatError) -> (Kind, [UInt8]) {
        let at = reader.offset
        guard let kind = Kind(rawValue: try reader.u8()) else { throw FormatError(.unknownKind, offset: at) }
        return (kind, try reader.lengthPrefixed(max: ArchiveItem.payloadByteCountMax))
    }

    private static func rank(_ kind: Kind) -> Int {
        switch kind {
        case .entry: 0
        case .statement: 1
        case .revision: 2
        case .key: 3
        case .attachment: 4
        }
    }

    private mutating func take(_ kind: Kind, _ payload: [UInt8]) throws(FormatError) {
        var reader = ByteReader(payload)
        switch kind {
        case .entry: break
        case .statement: statement = try EntryStatement(parsing: payload)
        case .revision:
            revision = try ArchivedRevision(from: &reader)
            try reader.end()
        case .key:
            keyID = try identifier(reader.bytes(NoteKeyStatement.keyIDByteCount), byteCount: 16)
            try reader.end()
        case .attachment: attachments.append(try AttachmentRecord(parsing: payload))
        }
    }

    /// Whether its parts are of one entry, and are what such an entry has.
    private var isRight: Bool {
        let note = entry.noteID
        guard (1...UInt64(Int64.max)).contains(entry.sequence), Set(entry.parents).count == entry.parents.count,
            !entry.parents.contains(entry.revisionID), (statement != nil) == (entry.operation == .statement),
            statement?.fits(note) ?? true
        else { return false }
        switch entry.operation {
        case .create, .drop: guard entry.parents.isEmpty else { return false }
        case .join: guard entry.parents.count > 1 else { return false }
        case .edit, .trash, .restore, .purge, .fork, .statement: break
        }
        guard let revision else { return keyID == nil && attachments.isEmpty }
        guard entry.operation.makesRevision, revision.id == entry.revisionID, revision.noteID == note,
            (keyID != nil) == revision.isPrivate,
            attachments.allSatisfy({ $0.noteID == note && $0.isPrivate == revision.isPrivate })
        else { return false }
        return revision.isPrivate
            ? (try? PrivateRecord(parsing: revision.record))?.noteID == note
            : (try? NoteRecord(parsing: revision.record))?.noteID == note
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 256 + (revision?.record.count ?? 0))
        func item(_ kind: Kind, _ payload: [UInt8]) {
            writer.u8(kind.rawValue)
            writer.lengthPrefixed(payload)
        }
        item(.entry, entry.encoded)
        if let statement { item(.statement, statement.encoded) }
        if let revision {
            var payload = ByteWriter(reserving: 64 + revision.record.count)
            revision.encode(to: &payload)
            item(.revision, payload.bytes)
        }
        if let keyID { item(.key, keyID) }
        for record in attachments { item(.attachment, record.encoded) }
        return writer.bytes
    }
}

/// `NoteKeyStatement` says what the password of a note opens from here on, or that it has none any more.
///
/// ```
/// key ID 16 bytes | flag, then byte string NoteKeyslot if 1
/// ```
/// Spec: docs/format.md §10.
public struct NoteKeyStatement: Sendable, Equatable {
    public static let keyIDByteCount = 16
    private static let slotByteCountMax = 1024

    /// The same for as long as the note has that key, whatever password opens it.
    public var keyID: [UInt8]
    /// Nil when the note is an ordinary one from here on.
    public var slot: NoteKeyslot?

    public init(keyID: [UInt8], slot: NoteKeyslot?) { (self.keyID, self.slot) = (keyID, slot) }

    init(from reader: inout ByteReader) throws(FormatError) {
        keyID = try identifier(reader.bytes(Self.keyIDByteCount), byteCount: Self.keyIDByteCount)
        if try reader.flag() {
            slot = try NoteKeyslot(parsing: reader.lengthPrefixed(max: Self.slotByteCountMax))
        }
    }

    func encode(to writer: inout ByteWriter) {
        writer.raw(keyID)
        writer.flag(slot != nil)
        if let slot { writer.lengthPrefixed(slot.encoded) }
    }

    /// The bytes of the key as a statement of its kind.
    public var encoded: [UInt8] { EntryStatement.noteKey(self).encoded }
}
