// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PhotoMetadata` takes from a photo what tells about people, places and devices, and leaves the picture as it is.
///
/// The coded picture is copied byte for byte, never decoded. What a part holds decides nothing: parts that are not
/// needed to show the picture go, known or unknown. Kept are the colour profile, the pixel density of JFIF and PNG, the
/// loop count of animations, and the orientation, alone in a newly made Exif block.
///
/// Time and memory grow with the size of the file only, at most two copies of which are held besides the input.
public enum PhotoMetadata {
    /// Larger pictures are refused.
    public static let byteCountMax = 128 << 20

    /// `Stripped` is a picture without its metadata.
    public struct Stripped: Sendable, Equatable {
        public let bytes: [UInt8]
        /// Without repetition, in the order of the raw values; empty if the picture had none.
        public let removed: [MetadataKind]
    }

    /// Returns the picture without its metadata, complete or not at all.
    ///
    /// JPEG, PNG, WebP and GIF are rewritten. HEIC and AVIF keep their size: the bytes of the metadata are
    /// overwritten.
    ///
    /// - Throws: `notSupported` for every other type, TIFF and raw files among them; `truncated`, `malformed` or
    ///   `badChecksum` for damage; `notUnderstood` for parts that are unknown; `tooLarge`.
    public static func strip(_ bytes: [UInt8]) throws(MediaError) -> Stripped {
        let (stripped, removed) = try run(bytes, isDry: false)
        return Stripped(bytes: stripped, removed: removed)
    }

    /// Returns what `strip` would remove, without a second copy of the picture.
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

/// `MetadataKind` names a kind of metadata that was found in a picture and is removed. The raw values are stable:
/// they may be stored in a record.
public enum MetadataKind: UInt8, CaseIterable, Sendable {
    /// Where the picture was taken.
    case location = 1
    /// Of the camera, its body or lens, or of the picture itself.
    case serialNumbers = 2
    /// Owner, artist, photographer, editor, copyright.
    case owner = 3
    case dates = 4
    /// A small copy of the picture, which may show what was cut off later.
    case thumbnail = 5
    /// Data that only the camera's maker can read.
    case makerNotes = 6
    /// Anything may stand in it; it is not read.
    case xmp = 7
    /// Anything may stand in it; it is not read.
    case iptc = 8
    /// Titles, descriptions, keywords and other text.
    case comments = 9
    /// The program that wrote the picture.
    case software = 10
    /// Maker, model, exposure and whatever else the camera noted.
    case cameraSettings = 11
    /// Further pictures or a film in the same file.
    case extraPictures = 12
    /// Bytes behind the end of the picture, or between its parts.
    case trailingData = 13
    /// Parts of an application's own kind.
    case other = 14
}

/// `StripOutput` collects the stripped picture, and what was left out. Dry, it collects the second only, so that a
/// report is made by the same steps as the picture.
struct StripOutput {
    let isDry: Bool
    private(set) var bytes: [UInt8] = []
    var removed: Set<MetadataKind> = []

    init(isDry: Bool, reserving byteCount: Int) {
        self.isDry = isDry
        if !isDry { bytes.reserveCapacity(byteCount) }
    }

    mutating func append(_ more: ArraySlice<UInt8>) {
        if !isDry { bytes += more }
    }

    mutating func append(_ more: [UInt8]) { append(more[...]) }

    mutating func appendBE32(_ value: Int) { append(Self.be32(value)) }

    mutating func replace(_ bytes: [UInt8]) {
        if !isDry { self.bytes = bytes }
    }

    /// Overwrites bytes that are there already.
    mutating func overwrite(at offset: Int, with more: [UInt8]) {
        guard !isDry, offset >= 0, offset + more.count <= bytes.count else { return }
        bytes.replaceSubrange(offset..<offset + more.count, with: more)
    }

    mutating func zero(_ range: Range<Int>) {
        guard !isDry, range.lowerBound >= 0, range.upperBound <= bytes.count else { return }
        for at in range { bytes[at] = 0 }
    }

    static func be32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    static func le32(_ value: Int) -> [UInt8] { be32(value).reversed() }
}
