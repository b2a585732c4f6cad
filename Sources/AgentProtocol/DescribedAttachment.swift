// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `DescribedAttachment` is what an `attachment` frame says: enough to name a file, to choose a program, to draw a
/// picture.
public struct DescribedAttachment: Sendable, Equatable {
    public var details: AttachmentDetails
    /// Beginning of its identifier.
    public var shortID: String

    public init(details: AttachmentDetails, shortID: String) {
        self.details = details
        self.shortID = shortID
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.lengthPrefixed(details.encoded)
        writer.text(shortID)
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        details = try AttachmentDetails(parsing: try reader.lengthPrefixed(max: 65536))
        shortID = try reader.text(max: 64)
        try reader.end()
    }
}

/// An attachment as lists show it.
public struct AttachmentRow: ReplyValue {
    public var id = ""
    public var name = ""
    public var kind: AttachmentDetails.Kind = .file
    public var mediaType = ""
    public var byteCount: UInt64 = 0
    /// Milliseconds since 1970, UTC.
    public var created: Int64 = 0
    public var caption = ""
    /// Of a picture, in pixels; 0 when unknown.
    public var width: UInt32 = 0
    public var height: UInt32 = 0
    /// Location and camera data were taken out.
    public var isStripped = false
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&id)
        try fields.text(&name)
        try fields.code(&kind)
        try fields.text(&mediaType)
        try fields.u64(&byteCount)
        try fields.i64(&created)
        try fields.text(&caption)
        try fields.u32(&width)
        try fields.u32(&height)
        try fields.flag(&isStripped)
    }
}

/// `ShownPicture` is what a `picture` frame holds: a thumbnail of an attachment, to be drawn on a terminal that can.
public struct ShownPicture: Sendable, Equatable {
    public static let sideMax: UInt32 = 1024

    public var name: String
    public var caption: String
    public var width: UInt32
    public var height: UInt32
    /// Four bytes for each pixel, red, green, blue, alpha, not premultiplied, row by row from the top.
    public var pixels: [UInt8]

    public init(name: String, caption: String, width: UInt32, height: UInt32, pixels: [UInt8]) {
        self.name = name
        self.caption = caption
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 64 + pixels.count)
        writer.text(name)
        writer.text(caption)
        writer.u32(width)
        writer.u32(height)
        writer.lengthPrefixed(pixels)
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        name = try reader.text(max: AttachmentDetails.nameByteCountMax)
        caption = try reader.text(max: AttachmentDetails.captionByteCountMax)
        width = try reader.u32()
        height = try reader.u32()
        guard (1...Self.sideMax).contains(width), (1...Self.sideMax).contains(height) else {
            throw FormatError(.tooLarge)
        }
        pixels = try reader.lengthPrefixed(max: Int(Self.sideMax * Self.sideMax * 4))
        guard pixels.count == Int(width) * Int(height) * 4 else { throw FormatError(.notCanonical) }
        try reader.end()
    }
}
