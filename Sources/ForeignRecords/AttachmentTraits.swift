// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What a source knows of an attachment beyond its name: `UInt8 kind | text mediaType | text caption`.
///
/// The content is what counts: whoever stores it looks at that before he believes the kind or the media type.
public struct AttachmentTraits: Sendable, Hashable {
    public static let mediaTypeByteCountMax = 255
    public static let captionByteCountMax = 4096

    /// The raw values are those of the record: never reused.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        case file = 0
        case photo = 1
        case video = 2
        case audio = 3
        case sketch = 4
    }

    public let kind: Kind
    /// Printable ASCII; empty when not known.
    public let mediaType: String
    public let caption: String

    /// - Throws: `RecordError`: `tooLarge`; `notCanonical` for a media type with other characters.
    public init(kind: Kind, mediaType: String, caption: String) throws(RecordError) {
        guard mediaType.utf8.count <= Self.mediaTypeByteCountMax, caption.utf8.count <= Self.captionByteCountMax else {
            throw RecordError(.tooLarge)
        }
        guard mediaType.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw RecordError(.notCanonical) }
        self.kind = kind
        self.mediaType = mediaType
        self.caption = caption
    }

    init(_ reader: inout RecordReader) throws(RecordError) {
        let at = reader.offset
        guard let kind = Kind(rawValue: try reader.u8()) else { throw RecordError(.notCanonical, offset: at) }
        let mediaType = try reader.text(max: Self.mediaTypeByteCountMax)
        try self.init(kind: kind, mediaType: mediaType, caption: try reader.text(max: Self.captionByteCountMax))
    }

    func write(_ writer: inout RecordWriter) {
        writer.u8(kind.rawValue)
        writer.text(mediaType)
        writer.text(caption)
    }
}
