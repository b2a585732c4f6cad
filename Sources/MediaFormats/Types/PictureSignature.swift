// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PictureSignature` knows pictures that say what they are in their first bytes.
enum PictureSignature {
    static func type(of view: ByteView) -> MediaType? {
        if isJPEG(view) { return .jpeg }
        if isPNG(view) { return isAnimated(png: view) ? .apng : .png }
        if view.has("GIF87a") || view.has("GIF89a") { return view.count >= 13 ? .gif : nil }
        if isBMP(view) { return .photo("image/bmp", "bmp") }
        if isJPEGXL(view) { return .photo("image/jxl", "jxl") }
        if view.has("FUJIFILMCCD-RAW ") { return .photo("image/x-fuji-raf", "raf") }
        return TiffSignature.type(of: view)
    }

    /// Looks for a start of image, then a marker that can open a picture: a table, a frame, an application's segment or
    /// a comment.
    private static func isJPEG(_ view: ByteView) -> Bool {
        guard view.has([0xFF, 0xD8, 0xFF]), let marker = view.u8(3) else { return false }
        return switch marker {
        case 0xC0...0xC7, 0xC9...0xCF, 0xDB, 0xDD, 0xE0...0xEF, 0xFE, 0xFF: true
        default: false
        }
    }

    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func isPNG(_ view: ByteView) -> Bool {
        view.has(pngSignature) && view.be32(8) == 13 && view.code(12) == "IHDR"
    }

    /// Returns whether a PNG is animated; an animation control chunk counts only before the first image data.
    private static func isAnimated(png view: ByteView) -> Bool {
        var at = pngSignature.count
        while let byteCount = view.be32(at), let name = view.code(at + 4) {
            if name == "acTL" { return byteCount == 8 }
            if name == "IDAT" { return false }
            at += byteCount + 12
        }
        return false
    }

    /// Returns whether a file is a BMP. "BM" alone is too little: the header after it has one of seven sizes, one
    /// plane, and a known depth.
    private static func isBMP(_ view: ByteView) -> Bool {
        guard view.has("BM"), let headerByteCount = view.le32(14), let dataAt = view.le32(10) else { return false }
        guard dataAt >= 14 + headerByteCount else { return false }
        let depths: Set = [0, 1, 2, 4, 8, 16, 24, 32]
        switch headerByteCount {
        case 12: return view.le16(22) == 1 && view.le16(24).map(depths.contains) == true
        case 16, 40, 52, 56, 64, 108, 124: return view.le16(26) == 1 && view.le16(28).map(depths.contains) == true
        default: return false
        }
    }

    /// Looks for either the container's first box, or a bare codestream; that one has a signature of two bytes only.
    private static func isJPEGXL(_ view: ByteView) -> Bool {
        if view.has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]) { return true }
        return view.has([0xFF, 0x0A]) && view.count >= 12
    }
}

/// `TiffSignature` knows TIFF, and those raw files of cameras that are TIFF and say so beyond doubt.
///
/// A raw file that is not certain is called TIFF: that is true as well.
private enum TiffSignature {
    static func type(of view: ByteView) -> MediaType? {
        if view.has("IIRO") || view.has("IIRS") || view.has("MMOR") { return .photo("image/x-olympus-orf", "orf") }
        if view.has([0x49, 0x49, 0x55, 0x00]), let at = view.le32(4), at >= 8 {
            return .photo("image/x-panasonic-rw2", "rw2")
        }
        if view.has([0x49, 0x49, 0x2B, 0, 8, 0, 0, 0]) || view.has([0x4D, 0x4D, 0, 0x2B, 0, 8, 0, 0]) {
            return .photo("image/tiff", "tif")
        }
        guard let tiff = TiffView(view), tiff.firstDirectoryAt >= 8 else { return nil }
        if view.has("CR", at: 8), view.u8(10) == 2 { return .photo("image/x-canon-cr2", "cr2") }
        return rawType(of: tiff) ?? .photo("image/tiff", "tif")
    }

    /// Returns the type of a camera's raw file. DNG has a tag of its own. Nikon's and Sony's files are known by the
    /// maker together with its own compression, which stands in the first directory or in one below it.
    private static func rawType(of tiff: TiffView) -> MediaType? {
        guard let entries = tiff.entries(at: tiff.firstDirectoryAt) else { return nil }
        if entries.contains(where: { $0.tag == TiffTag.dngVersion }) { return .photo("image/x-adobe-dng", "dng") }
        guard let make = entries.first(where: { $0.tag == TiffTag.make }) else { return nil }
        var compressions = entries.filter { $0.tag == TiffTag.compression }.compactMap { tiff.number(of: $0) }
        if let below = entries.first(where: { $0.tag == TiffTag.subDirectories }) {
            for index in 0..<min(below.count, 8) {
                guard let at = tiff.offset(index, of: below), let entries = tiff.entries(at: at) else { continue }
                compressions += entries.filter { $0.tag == TiffTag.compression }.compactMap { tiff.number(of: $0) }
            }
        }
        if compressions.contains(34_713), tiff.text(of: make, startsWith: "NIKON") {
            return .photo("image/x-nikon-nef", "nef")
        }
        if compressions.contains(32_767), tiff.text(of: make, startsWith: "SONY") {
            return .photo("image/x-sony-arw", "arw")
        }
        return nil
    }
}
