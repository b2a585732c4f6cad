// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What a segment consists of behind its head, one after the other, framed as the items of an archive are: three of
/// those, and those that only devices tell each other.
///
/// ```
/// UInt8 kind | UInt32 byteCount, payload
/// ```
/// Spec: docs/format.md §25.6.
public enum RemoteItem: Sendable, Equatable {
    /// A note's keyslot, a revision or an attachment, as in an archive; no content follows an attachment here.
    case archived(ArchiveItem)
    case entry(ToldEntry)
    case renewal(NoteRenewal)
    case object(ToldObject)
    case thumbnail(ToldThumbnail)
    case device(DeviceStatement)
    case keyslot(KeyslotStatement)
    case keyslotRemoval(KeyslotRemoval)
    case setting(SettingStatement)

    /// Kinds of an archive that occur here keep their numbers; new ones begin far above those.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case noteKeyslot = 3
        case revision = 4
        case attachment = 5
        case entry = 32
        case renewal, object, thumbnail, device, keyslot, keyslotRemoval, setting
    }

    public var kind: Kind {
        switch self {
        case .archived(.noteKeyslot): .noteKeyslot
        case .archived(.revision): .revision
        case .archived: .attachment
        case .entry: .entry
        case .renewal: .renewal
        case .object: .object
        case .thumbnail: .thumbnail
        case .device: .device
        case .keyslot: .keyslot
        case .keyslotRemoval: .keyslotRemoval
        case .setting: .setting
        }
    }

    /// Reads one item.
    ///
    /// - Throws: `FormatError`, `.unknownKind` for one that a newer program may have made.
    init(from reader: inout ByteReader) throws(FormatError) {
        let at = reader.offset
        guard let kind = Kind(rawValue: try reader.u8()) else { throw FormatError(.unknownKind, offset: at) }
        let payload = try reader.lengthPrefixed(max: ArchiveItem.payloadByteCountMax)
        self = try Self(kind, parsing: payload)
    }

    private init(_ kind: Kind, parsing payload: [UInt8]) throws(FormatError) {
        var reader = ByteReader(payload)
        switch kind {
        case .noteKeyslot:
            self = .archived(try ArchiveItem(.noteKeyslot, parsing: payload))
            return
        case .revision:
            self = .archived(try ArchiveItem(.revision, parsing: payload))
            return
        case .attachment:
            self = .archived(try ArchiveItem(.attachment, parsing: payload))
            return
        case .entry: self = .entry(try ToldEntry(from: &reader))
        case .renewal: self = .renewal(try NoteRenewal(from: &reader))
        case .object: self = .object(try ToldObject(from: &reader))
        case .thumbnail: self = .thumbnail(try ToldThumbnail(from: &reader))
        case .device: self = .device(try DeviceStatement(from: &reader))
        case .keyslot: self = .keyslot(try KeyslotStatement(from: &reader))
        case .keyslotRemoval: self = .keyslotRemoval(try KeyslotRemoval(from: &reader))
        case .setting: self = .setting(try SettingStatement(from: &reader))
        }
        try reader.end()
    }

    public var encoded: [UInt8] {
        if case .archived(let item) = self { return item.encoded }
        let payload = payload
        var writer = ByteWriter(reserving: payload.count + ArchiveItem.prefixByteCount)
        writer.u8(kind.rawValue)
        writer.lengthPrefixed(payload)
        return writer.bytes
    }

    private var payload: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .archived: preconditionFailure("an archive's item writes itself")
        case .entry(let entry): entry.encode(to: &writer)
        case .renewal(let renewal): renewal.encode(to: &writer)
        case .object(let object): object.encode(to: &writer)
        case .thumbnail(let thumbnail): thumbnail.encode(to: &writer)
        case .device(let statement): statement.encode(to: &writer)
        case .keyslot(let statement): statement.encode(to: &writer)
        case .keyslotRemoval(let statement): statement.encode(to: &writer)
        case .setting(let statement): statement.encode(to: &writer)
        }
        return writer.bytes
    }
}
