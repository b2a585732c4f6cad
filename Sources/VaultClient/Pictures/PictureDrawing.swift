// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims

/// `PictureDrawing` makes pictures as bytes for a terminal. Each begins where the cursor is, at the beginning of a
/// line, and leaves it at the beginning of the line below.
enum PictureDrawing {
    /// The longest side of a picture, in pixels.
    static let sideMax = 1024

    /// Returns a picture as bytes for the terminal; empty for `.none`, and for a picture whose size is wrong. The bytes
    /// are the person's own as the pixels are, so `wipe` them once they are written.
    ///
    /// - Parameters:
    ///   - pixels: four bytes each, red, green, blue and opacity, not premultiplied, row by row.
    ///   - width: of the picture, 1...1024 pixels.
    ///   - height: as well.
    static func drawn(
        pixels: Span<UInt8>, width: Int, height: Int, protocol form: PictureProtocol, geometry: PictureGeometry
    ) -> [UInt8] {
        let sides = 1...sideMax
        guard sides.contains(width), sides.contains(height), pixels.count == width * height * 4 else { return [] }
        let size = PixelSize(width: width, height: height)
        switch form {
        case .kitty: return KittyPicture.drawn(pixels, size, geometry)
        case .sixel: return SixelPicture.drawn(pixels, size, geometry) ?? BlockPicture.drawn(pixels, size, geometry)
        case .blocks: return BlockPicture.drawn(pixels, size, geometry)
        case .none: return []
        }
    }

    /// Draws the same for pixels in an array.
    static func drawn(
        pixels: [UInt8], width: Int, height: Int, protocol form: PictureProtocol, geometry: PictureGeometry
    ) -> [UInt8] {
        drawn(pixels: pixels.span, width: width, height: height, protocol: form, geometry: geometry)
    }

    /// Clears bytes that nobody else holds.
    static func wipe(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { raw in
            if let start = raw.baseAddress { unsafe vs_wipe(start, raw.count) }
        }
    }

    /// Returns what comes before a picture that is drawn over cells: its rows are made first, so that the screen has
    /// scrolled by then.
    ///
    /// - Parameter byteCount: of what follows, so that the bytes are never moved and left behind.
    static func placedStart(rows: Int, byteCount: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount + rows + 64)
        bytes += [UInt8](repeating: 0x0A, count: rows)
        bytes += "\u{1B}[\(rows)A\u{1B}7".utf8
        return bytes
    }

    /// Returns what ends a picture: the cursor is put back where it was and then moved below, because terminals differ
    /// in where they leave it.
    static func placedEnd(rows: Int) -> [UInt8] { Array("\u{1B}8\u{1B}[\(rows)B\r".utf8) }
}
