// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `AttachmentStart` is the head of an attachment in the stream: `text key | text name | flag + Int64 modified`, then
/// its traits if the record says that it has some.
///
/// Its size is not said: a decoder learns it only at the end, and what a container claims is not believed.
public struct AttachmentStart: Sendable, Hashable {
    /// What notes call it by; each key comes once in a stream, and a second import of the same source says the same.
    public let key: String
    /// A safe name for it when no note gives it one.
    public let name: String
    /// When the file was last changed, in milliseconds since 1970; nil if not known.
    public let modified: Int64?
    /// Further details from the source; nil from most formats.
    public let traits: AttachmentTraits?

    /// Makes the head of an attachment, and checks that it can be sent.
    ///
    /// - Throws: `RecordError`, as `AttachmentReference`; `timeOutOfRange`.
    public init(key: String, name: String, modified: Int64?, traits: AttachmentTraits? = nil) throws(RecordError) {
        let checked = try AttachmentReference(name: name, key: key)
        if let modified, !ParsedNote.times.contains(modified) { throw RecordError(.timeOutOfRange) }
        self.key = checked.key
        self.name = checked.name
        self.modified = modified
        self.traits = traits
    }

    init(_ reader: inout RecordReader, hasTraits: Bool) throws(RecordError) {
        let key = try reader.text(max: AttachmentReference.keyByteCountMax)
        let name = try reader.text(max: AttachmentReference.nameByteCountMax)
        let modified = try reader.flag() ? try reader.i64() : nil
        try self.init(key: key, name: name, modified: modified, traits: hasTraits ? try AttachmentTraits(&reader) : nil)
    }

    func write(_ writer: inout RecordWriter) {
        writer.text(key)
        writer.text(name)
        writer.optionalTime(modified)
        traits?.write(&writer)
    }
}

/// `AttachmentTraits` holds what a source knows of an attachment beyond its name:
/// `UInt8 kind | text mediaType | text caption`.
///
/// The content is what counts: a program that stores it looks at that before it believes the kind or the media type.
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

    /// Makes the traits, and checks their lengths and the characters of the media type.
    ///
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
