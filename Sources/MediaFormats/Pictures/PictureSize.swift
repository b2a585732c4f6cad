// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PictureSize` holds width, height and orientation of a picture, read without decoding it.
public struct PictureSize: Hashable, Sendable {
    /// In pixels as stored, before the orientation is applied.
    public let width: Int
    public let height: Int
    /// As in Exif: 1 is upright, 5 to 8 swap the sides.
    public let orientation: Int

    /// As the picture is to be seen.
    public var shownWidth: Int { orientation >= 5 ? height : width }
    public var shownHeight: Int { orientation >= 5 ? width : height }

    init?(_ width: Int?, _ height: Int?, orientation: Int? = nil) {
        guard let width, let height, width > 0, height > 0 else { return nil }
        (self.width, self.height) = (width, height)
        self.orientation = orientation ?? 1
    }

    /// Reads the size of a JPEG, PNG, GIF, WebP, HEIC or AVIF picture.
    ///
    /// - Parameter bytes: the file, or as much of its start as is there. In a JPEG with a large Exif block or profile
    ///   the size stands some 100 KiB into the file; an orientation behind the end of the bytes is not seen.
    /// - Returns: nil for other types, and if the size is not within the bytes.
    public static func read(_ bytes: [UInt8]) -> PictureSize? {
        let view = ByteView(bytes)
        switch MediaType.detect(head: Array(bytes.prefix(MediaType.headByteCount))) {
        case .jpeg: return jpeg(view)
        case .png, .apng: return png(view)
        case .gif: return PictureSize(view.le16(6), view.le16(8))
        case .webP: return webP(view)
        case .avif, .heic, .heif, .heicSequence, .heifSequence: return HeifSize.read(view)
        default: return nil
        }
    }

    private static func jpeg(_ view: ByteView) -> PictureSize? {
        var parts = JpegSegments(view)
        var orientation: Int?
        while case .segment(let marker, let content)? = try? parts.next() {
            if marker == 0xE1, orientation == nil, content.has("Exif\0"), let tiff = content.from(6) {
                orientation = ExifBlock(tiff)?.orientation
            }
            if (0xC0...0xCF).contains(marker), marker != 0xC4, marker != 0xCC {
                return PictureSize(content.be16(3), content.be16(1), orientation: orientation)
            }
            if marker == 0xDA { return nil }
        }
        return nil
    }

    private static func png(_ view: ByteView) -> PictureSize? {
        var at = PictureSignature.pngSignature.count
        var orientation: Int?
        while orientation == nil, let byteCount = view.be32(at), let type = view.code(at + 4) {
            if type == "eXIf", let block = view.view(at + 8, byteCount) {
                orientation = ExifBlock(block)?.orientation ?? 1
            }
            at += byteCount + 12
        }
        return PictureSize(view.be32(16), view.be32(20), orientation: orientation)
    }

    private static func webP(_ view: ByteView) -> PictureSize? {
        switch view.code(12) {
        case "VP8X":
            guard let width = view.le24(24), let height = view.le24(27) else { return nil }
            return PictureSize(width + 1, height + 1, orientation: webPOrientation(view))
        case "VP8L":
            guard view.u8(20) == 0x2F, let bits = view.le32(21) else { return nil }
            return PictureSize((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
        default:
            guard view.has([0x9D, 0x01, 0x2A], at: 23), let width = view.le16(26), let height = view.le16(28) else {
                return nil
            }
            return PictureSize(width & 0x3FFF, height & 0x3FFF)
        }
    }

    private static func webPOrientation(_ view: ByteView) -> Int? {
        var chunks = RiffChunks(view, from: 12)
        while let chunk = try? chunks.next() {
            guard chunk.type == "EXIF" else { continue }
            let content = chunk.content.has("Exif\0\0") ? chunk.content.from(6) ?? chunk.content : chunk.content
            return ExifBlock(content)?.orientation
        }
        return nil
    }
}
