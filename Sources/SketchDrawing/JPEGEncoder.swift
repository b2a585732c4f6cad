// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CCairo
internal import CTurboJPEG

/// `JPEGEncoder` writes a drawn canvas as a baseline JPEG.
enum JPEGEncoder {
    private static let quality: Int32 = 90

    /// Returns the canvas as a JPEG whose colours keep their full resolution.
    ///
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

/// `ByteSink` takes the file that cairo writes: into memory.
final class ByteSink {
    /// Largest file, in bytes.
    static let byteCountMax = 256 << 20

    private(set) var bytes: [UInt8] = []
    private(set) var isFull = false

    /// What cairo is given as the closure. The sink must outlive the surface that writes to it.
    var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    static let write: cairo_write_func_t = { pointer, data, count in
        guard let pointer = unsafe pointer, let data = unsafe data else { return CAIRO_STATUS_WRITE_ERROR }
        let sink = unsafe Unmanaged<ByteSink>.fromOpaque(pointer).takeUnretainedValue()
        guard sink.bytes.count + Int(count) <= byteCountMax else {
            sink.isFull = true
            return CAIRO_STATUS_WRITE_ERROR
        }
        unsafe sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
        return CAIRO_STATUS_SUCCESS
    }
}
