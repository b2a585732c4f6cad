// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Pictures that say what they are in their first bytes.
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

    /// A start of image, then a marker that can open a picture: a table, a frame, an application's segment or a
    /// comment.
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

    /// An animation control chunk counts only before the first image data.
    private static func isAnimated(png view: ByteView) -> Bool {
        var at = pngSignature.count
        while let byteCount = view.be32(at), let name = view.code(at + 4) {
            if name == "acTL" { return byteCount == 8 }
            if name == "IDAT" { return false }
            at += byteCount + 12
        }
        return false
    }

    /// "BM" alone is too little: the header behind it has one of seven sizes, one plane, and a known depth.
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

    /// Either the container's first box, or a bare codestream; that one has a signature of two bytes only.
    private static func isJPEGXL(_ view: ByteView) -> Bool {
        if view.has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]) { return true }
        return view.has([0xFF, 0x0A]) && view.count >= 12
    }
}
