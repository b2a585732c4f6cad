// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CTerminalPictures

/// `SixelPicture` makes sixels, drawn by libchafa: it finds 255 colours that suit the picture and spreads what is
/// between them.
enum SixelPicture {
    /// The longest side, in pixels: xterm draws nothing of a larger picture unless it is told to.
    static let sideMax = 1000
    /// The narrowest drawing; below, the library is not safe.
    private static let widthMin = Int(TERMINAL_SIXELS_WIDTH_MIN)
    /// The rows of pixels that one character holds.
    private static let band = 6

    /// Whether the library is there: asking loads it.
    static var isAvailable: Bool { terminal_sixels_load() == 0 }

    /// Returns a picture as sixels; nil without the library, and where that fails.
    static func drawn(_ pixels: Span<UInt8>, _ size: PixelSize, _ geometry: PictureGeometry) -> [UInt8]? {
        guard isAvailable else { return nil }
        let target = target(geometry.box(width: size.width, height: size.height))
        var drawing = unsafe terminal_sixels()
        let result = unsafe pixels.withUnsafeBufferPointer { source in
            unsafe terminal_sixels_draw(
                source.baseAddress, Int32(size.width), Int32(size.height), Int32(target.width), Int32(target.height),
                &drawing)
        }
        guard result == 0 else { return nil }
        defer { unsafe terminal_sixels_release(&drawing) }
        let rows = (target.height + geometry.cellHeight - 1) / geometry.cellHeight
        var bytes = unsafe PictureDrawing.placedStart(rows: rows, byteCount: drawing.byteCount)
        unsafe bytes += UnsafeBufferPointer(start: drawing.bytes, count: drawing.byteCount)
        bytes += PictureDrawing.placedEnd(rows: rows)
        return bytes
    }

    /// Returns whole bands: the library leaves out what does not fill one, and the terminal would scroll for one that
    /// is begun.
    static func target(_ box: PictureGeometry.Box) -> PixelSize {
        let scale = min(1, Double(sideMax) / Double(max(box.pixelWidth, box.pixelHeight)))
        let bands = (Double(box.pixelHeight) * scale / Double(band)).rounded()
        return PixelSize(
            width: min(max(Int(Double(box.pixelWidth) * scale), widthMin), sideMax),
            height: min(max(Int(bands), 1), sideMax / band) * band)
    }
}
