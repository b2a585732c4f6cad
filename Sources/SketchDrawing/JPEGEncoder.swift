// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CCairo
internal import CTurboJPEG

/// A drawn canvas as a baseline JPEG.
enum JPEGEncoder {
    private static let quality: Int32 = 90

    /// - Parameter canvas: without a clear place; cairo's pixels are read as they lie in memory, so nothing is copied.
    /// - Throws: `SketchDrawingError`: `libraryFailure`, `tooLarge`.
    static func encode(_ canvas: consuming CairoCanvas, _ size: SketchSize) throws(SketchDrawingError) -> [UInt8] {
        guard let encoder = unsafe tjInitCompress() else { throw SketchDrawingError(.libraryFailure) }
        defer { unsafe tjDestroy(encoder) }
        let stride = unsafe cairo_image_surface_get_stride(canvas.surface)
        guard let pixels = unsafe cairo_image_surface_get_data(canvas.surface) else {
            throw SketchDrawingError(.libraryFailure)
        }
        // A pixel is one number with alpha in its highest byte.
        let order = 1.littleEndian == 1 ? TJPF_BGRX : TJPF_XRGB
        var file: UnsafeMutablePointer<UInt8>?
        var byteCount: UInt = 0
        let result = unsafe tjCompress2(
            encoder, pixels, Int32(size.width), stride, Int32(size.height), Int32(order.rawValue), &file, &byteCount,
            Int32(TJSAMP_444.rawValue),
            quality, TJFLAG_ACCURATEDCT)
        defer { unsafe tjFree(file) }
        guard result == 0, let file = unsafe file else { throw SketchDrawingError(.libraryFailure) }
        guard byteCount <= UInt(ByteSink.byteCountMax) else { throw SketchDrawingError(.tooLarge) }
        return unsafe Array(UnsafeBufferPointer(start: file, count: Int(byteCount)))
    }
}
