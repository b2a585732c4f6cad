// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Takes from a photo what tells about people, places and devices, and leaves the picture as it is.
///
/// The coded picture is copied byte for byte, never decoded. What a part holds decides nothing: parts that are not
/// needed to show the picture go, known or unknown. Kept are the colour profile, the pixel density of JFIF and PNG, the
/// loop count of animations, and the orientation, alone in an Exif block made anew.
///
/// Time and memory grow with the size of the file only, at most two copies of which are held besides the input.
public enum PhotoMetadata {
    /// Larger pictures are refused.
    public static let byteCountMax = 128 << 20

    /// A picture without its metadata.
    public struct Stripped: Sendable, Equatable {
        public let bytes: [UInt8]
        /// Without repetition, in the order of the raw values; empty if the picture had none.
        public let removed: [MetadataKind]
    }

    /// Makes the picture without its metadata. The result is either whole or not there.
    ///
    /// JPEG, PNG, WebP and GIF are written anew. HEIC and AVIF keep their size: the bytes of the metadata are
    /// overwritten.
    ///
    /// - Throws: `notSupported` for every other type, TIFF and raw files among them; `truncated`, `malformed` or
    ///   `badChecksum` for damage; `notUnderstood` for parts that are unknown; `tooLarge`.
    public static func strip(_ bytes: [UInt8]) throws(MediaError) -> Stripped {
        let (stripped, removed) = try run(bytes, isDry: false)
        return Stripped(bytes: stripped, removed: removed)
    }

    /// What `strip` would remove, without a second copy of the picture.
    ///
    /// - Throws: as `strip`, in the same cases.
    public static func report(_ bytes: [UInt8]) throws(MediaError) -> [MetadataKind] {
        try run(bytes, isDry: true).removed
    }

    private static func run(_ bytes: [UInt8], isDry: Bool) throws(MediaError) -> (
        bytes: [UInt8], removed: [MetadataKind]
    ) {
        guard bytes.count <= byteCountMax else { throw MediaError(.tooLarge) }
        var output = StripOutput(isDry: isDry, reserving: bytes.count)
        let view = ByteView(bytes)
        switch MediaType.detect(head: Array(bytes.prefix(MediaType.headByteCount))) {
        case .jpeg: try JpegStripper.strip(view, to: &output)
        case .png, .apng: try PngStripper.strip(view, to: &output)
        case .gif: try GifStripper.strip(view, to: &output)
        case .webP: try WebPStripper.strip(view, to: &output)
        case .avif, .heic, .heif: try HeifStripper.strip(view, to: &output)
        default: throw MediaError(.notSupported)
        }
        return (output.bytes, output.removed.sorted { $0.rawValue < $1.rawValue })
    }
}
