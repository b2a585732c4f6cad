// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// An `ArchiveItem` is one of the items that an archive's stream consists of, one after the other. Nothing in it is
/// under a key of the vault: only a private note's inner layer stays.
///
/// ```
/// UInt8 kind | UInt32 byteCount, payload
/// ```
/// An attachment's content follows its item as it is, without a frame. Spec: docs/format.md §21.
public enum ArchiveItem: Sendable, Equatable {
    case vault(ArchivedVault)
    case entry(Entry)
    /// `NoteKeyslot` of a private note, not sealed by the vault: its key is wrapped under the note's password.
    case noteKeyslot(NoteKeyslot)
    case revision(ArchivedRevision)
    case attachment(ArchivedAttachment)
    case draft(ArchivedDraft)
    case change(ArchivedChange)
    /// The last one: without it an archive is not whole.
    case end(ArchiveCounts)

    /// Largest payload, in bytes: a private revision and what precedes it.
    public static let payloadByteCountMax = 22 << 20
    /// Size of what precedes a payload, in bytes.
    public static let prefixByteCount = 5

    /// Kinds occur in this order in a stream, except that content follows each attachment.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case vault = 1
        case entry, noteKeyslot, revision, attachment, draft, change, end
    }

    public var kind: Kind {
        switch self {
        case .vault: .vault
        case .entry: .entry
        case .noteKeyslot: .noteKeyslot
        case .revision: .revision
        case .attachment: .attachment
        case .draft: .draft
        case .change: .change
        case .end: .end
        }
    }

    /// Reads the kind and the size of an item.
    ///
    /// - Throws: `FormatError.unknownKind`, `.tooLarge`.
    public static func parsePrefix(_ bytes: [UInt8]) throws(FormatError) -> (kind: Kind, byteCount: Int) {
        var reader = ByteReader(bytes)
        guard let kind = Kind(rawValue: try reader.u8()) else { throw FormatError(.unknownKind, offset: 0) }
        let byteCount = Int(try reader.u32())
        guard byteCount <= payloadByteCountMax else { throw FormatError(.tooLarge, offset: 1) }
        try reader.end()
        return (kind, byteCount)
    }

    /// Reads the payload of an item.
    ///
    /// - Throws: `FormatError`.
    public init(_ kind: Kind, parsing payload: [UInt8]) throws(FormatError) {
        self =
            switch kind {
            case .entry: .entry(try Entry(parsing: payload))
            case .noteKeyslot: .noteKeyslot(try NoteKeyslot(parsing: payload))
            case .vault: .vault(try Self.whole(payload, ArchivedVault.init(from:)))
            case .revision: .revision(try Self.whole(payload, ArchivedRevision.init(from:)))
            case .attachment: .attachment(try Self.whole(payload, ArchivedAttachment.init(from:)))
            case .draft: .draft(try Self.whole(payload, ArchivedDraft.init(from:)))
            case .change: .change(try Self.whole(payload, ArchivedChange.init(from:)))
            case .end: .end(try Self.whole(payload, ArchiveCounts.init(from:)))
            }
    }

    /// Reads a value that takes all of a payload.
    private static func whole<Value>(
        _ payload: [UInt8], _ read: (inout ByteReader) throws(FormatError) -> Value
    ) throws(FormatError) -> Value {
        var reader = ByteReader(payload)
        let value = try read(&reader)
        try reader.end()
        return value
    }

    public var encoded: [UInt8] {
        let payload = payload
        var writer = ByteWriter(reserving: payload.count + Self.prefixByteCount)
        writer.u8(kind.rawValue)
        writer.lengthPrefixed(payload)
        return writer.bytes
    }

    private var payload: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .entry(let entry): return entry.encoded
        case .noteKeyslot(let slot): return slot.encoded
        case .vault(let vault): vault.encode(to: &writer)
        case .revision(let revision): revision.encode(to: &writer)
        case .attachment(let attachment): attachment.encode(to: &writer)
        case .draft(let draft): draft.encode(to: &writer)
        case .change(let change): change.encode(to: &writer)
        case .end(let counts): counts.encode(to: &writer)
        }
        return writer.bytes
    }
}
