// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PictureRecord` is what `vault-parse picture` says of one picture. All of standard output is one record; there is no
/// frame around it.
///
/// ```
/// offset  size  field
///      0     1  status  0 a picture, 1 of no kind that is shown, 2 damaged, 3 too large
///            and only with status 0
///      1     4  width   UInt32, big-endian; 1…1024
///      5     4  height  UInt32, big-endian; 1…1024
///      9   4wh  rgba    rows from the top, pixels from the left: red, green, blue, alpha; not premultiplied
/// ```
/// Thumbnails are kept in this form, sealed.
public enum PictureRecord: Sendable, Equatable {
    case picture(PicturePixels)
    /// Not a picture, or one of a kind that this release does not show.
    case notKnown
    case damaged
    /// It claims more pixels than are decoded, or needs more memory than there is.
    case tooLarge

    /// Largest record, in bytes.
    public static let byteCountMax = headerByteCount + 4 * PicturePixels.sideMax * PicturePixels.sideMax
    private static let headerByteCount = 9

    /// Reads an answer of `vault-parse picture`.
    ///
    /// - Parameter bytes: exactly one record.
    /// - Throws: `RecordError`: `truncated`, `trailingBytes`, `tooLarge` for a side above 1024, `notCanonical` for one
    ///   of 0, `unknownVersion` for another status.
    public static func parse(_ bytes: [UInt8]) throws(RecordError) -> PictureRecord {
        var reader = RecordReader(bytes)
        let status = try reader.u8()
        guard status == 0 else {
            guard
                let other = [.notKnown, .damaged, .tooLarge].first(where: { (record: PictureRecord) in
                    record.status == status
                })
            else {
                throw RecordError(.unknownVersion, offset: 0)
            }
            try reader.end()
            return other
        }
        let width = try side(&reader)
        let height = try side(&reader)
        let rgba = Array(try reader.raw(4 * width * height))
        try reader.end()
        return .picture(PicturePixels(width: width, height: height, rgba: rgba))
    }

    public var encoded: [UInt8] {
        guard case .picture(let pixels) = self else { return [status] }
        var writer = RecordWriter(reserving: Self.headerByteCount + pixels.rgba.count)
        writer.u8(status)
        writer.u32(UInt32(pixels.width))
        writer.u32(UInt32(pixels.height))
        writer.raw(pixels.rgba)
        return writer.bytes
    }

    private var status: UInt8 {
        switch self {
        case .picture: 0
        case .notKnown: 1
        case .damaged: 2
        case .tooLarge: 3
        }
    }

    private static func side(_ reader: inout RecordReader) throws(RecordError) -> Int {
        let at = reader.offset
        let side = Int(try reader.u32())
        guard side > 0 else { throw RecordError(.notCanonical, offset: at) }
        guard side <= PicturePixels.sideMax else { throw RecordError(.tooLarge, offset: at) }
        return side
    }
}

/// `PicturePixels` is a small picture as pixels.
public struct PicturePixels: Sendable, Equatable {
    /// Largest width and height, in pixels.
    public static let sideMax = 1024

    public let width: Int
    public let height: Int
    /// Rows from the top, pixels from the left: red, green, blue, alpha; not premultiplied.
    public let rgba: [UInt8]

    /// Makes a picture from its pixels; sizes that do not fit each other are a programming error.
    ///
    /// - Parameters:
    ///   - width: 1…1024, as the height.
    ///   - rgba: 4 × width × height bytes.
    public init(width: Int, height: Int, rgba: [UInt8]) {
        precondition(
            (1...Self.sideMax).contains(width) && (1...Self.sideMax).contains(height), "a side is 1 to 1024 pixels")
        precondition(rgba.count == 4 * width * height, "there are four bytes for each pixel")
        self.width = width
        self.height = height
        self.rgba = rgba
    }
}
