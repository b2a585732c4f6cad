// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `AttachmentDetails` says what an attachment is.
///
/// ```
/// UInt16 version (1) | UInt8 kind | text name | text caption | text mediaType | UInt64 byteCount | Int64 created
/// | UInt32 width | UInt32 height
/// | flag isStripped
/// ```
/// Spec: docs/format.md §19.
public struct AttachmentDetails: Sendable, Equatable {
    public enum Kind: UInt8, Sendable, CaseIterable {
        case file = 0
        case photo = 1
        case video = 2
        case audio = 3
        case sketch = 4

        /// One word for people and scripts.
        public var word: String {
            switch self {
            case .file: "file"
            case .photo: "photo"
            case .video: "video"
            case .audio: "audio"
            case .sketch: "sketch"
            }
        }
    }

    public static let version: UInt16 = 1
    /// 1 TiB.
    public static let byteCountMax: UInt64 = 1 << 40
    public static let nameByteCountMax = 255
    public static let captionByteCountMax = 4096
    public static let mediaTypeByteCountMax = 255

    /// What its content is, not what its name says.
    public var kind: Kind
    /// One part of a path, as a person called it; no two attachments of a note have the same.
    public var name: String
    public var caption = ""
    public var mediaType: String
    /// Size of the content, in bytes.
    public var byteCount: UInt64
    /// When it was added, in milliseconds since 1970, UTC.
    public var created: Int64
    /// Of a picture as shown, in pixels; 0 when not known.
    public var width: UInt32 = 0
    public var height: UInt32 = 0
    /// Whether place, serial numbers and the like were taken out.
    public var isStripped = false

    public init(kind: Kind, name: String, mediaType: String, byteCount: UInt64, created: Int64) {
        self.kind = kind
        self.name = name
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.created = created
    }

    public var isWithinLimits: Bool {
        (1...Self.nameByteCountMax).contains(name.utf8.count) && caption.utf8.count <= Self.captionByteCountMax
            && mediaType.utf8.count <= Self.mediaTypeByteCountMax
    }

    /// Reads the details of an attachment.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        guard let kind = Kind(rawValue: try reader.u8()) else { throw FormatError(.unknownKind, offset: 2) }
        self.kind = kind
        name = try reader.text(max: Self.nameByteCountMax)
        guard !name.isEmpty else { throw FormatError(.notCanonical, offset: 3) }
        caption = try reader.text(max: Self.captionByteCountMax)
        mediaType = try reader.text(max: Self.mediaTypeByteCountMax)
        byteCount = try reader.u64()
        guard byteCount <= Self.byteCountMax else { throw FormatError(.tooLarge, offset: reader.offset - 8) }
        created = try reader.i64()
        width = try reader.u32()
        height = try reader.u32()
        isStripped = try reader.flag()
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 128 + caption.utf8.count)
        writer.u16(Self.version)
        writer.u8(kind.rawValue)
        writer.text(name)
        writer.text(caption)
        writer.text(mediaType)
        writer.u64(byteCount)
        writer.i64(created)
        writer.u32(width)
        writer.u32(height)
        writer.flag(isStripped)
        return writer.bytes
    }
}
