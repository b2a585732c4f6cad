// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `FileKind` is what `vault-parse kind` answers for the beginning of a file: `UInt8 kind | text mediaType | flag, then
/// UInt32 width, UInt32 height`.
///
/// The kind and the media type are by content; the size, of pictures alone, is as they are to be seen.
public struct FileKind: Sendable, Equatable {
    /// The raw values are those of an attachment's record.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case file = 0
        case photo = 1
        case video = 2
        case audio = 3
        case sketch = 4
    }

    /// Largest beginning that is looked at; of a photo so many bytes that its size is among them as a rule.
    public static let headByteCountMax = 256 << 10
    public static let byteCountMax = 1024

    public let kind: Kind
    public let mediaType: String
    public let width: UInt32?
    public let height: UInt32?

    /// Makes an answer, and checks its media type and size.
    ///
    /// - Throws: `RecordError`: `notCanonical` for a media type with other characters than such names have, or an empty
    ///   side.
    public init(kind: Kind, mediaType: String, size: (width: UInt32, height: UInt32)?) throws(RecordError) {
        let isPlain = mediaType.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || Array("/.+-".utf8).contains(byte)
        }
        guard isPlain, (3...255).contains(mediaType.utf8.count), mediaType.utf8.contains(0x2F) else {
            throw RecordError(.notCanonical)
        }
        if let size { guard size.width > 0, size.height > 0 else { throw RecordError(.notCanonical) } }
        self.kind = kind
        self.mediaType = mediaType
        (width, height) = (size?.width, size?.height)
    }

    /// Reads an answer of `vault-parse kind`.
    ///
    /// - Throws: `RecordError`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        guard let kind = Kind(rawValue: try reader.u8()) else { throw RecordError(.notCanonical, offset: 0) }
        let mediaType = try reader.text(max: 255)
        let size = try reader.flag() ? (width: try reader.u32(), height: try reader.u32()) : nil
        try reader.end()
        try self.init(kind: kind, mediaType: mediaType, size: size)
    }

    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: 64)
        writer.u8(kind.rawValue)
        writer.text(mediaType)
        writer.flag(width != nil)
        if let width, let height {
            writer.u32(width)
            writer.u32(height)
        }
        return writer.bytes
    }
}
