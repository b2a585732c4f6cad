// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CCairo

/// A drawn sketch as pixels: red, green, blue, alpha, one byte each, not premultiplied, row by row.
public struct SketchPixels: Sendable, Hashable {
    public let width: Int
    public let height: Int
    /// `width * height * 4` bytes.
    public let rgba: [UInt8]

    /// cairo keeps colours multiplied by their alpha; this divides them again.
    init(of canvas: consuming CairoCanvas, _ size: SketchSize) throws(SketchDrawingError) {
        let stride = Int(unsafe cairo_image_surface_get_stride(canvas.surface))
        guard let data = unsafe cairo_image_surface_get_data(canvas.surface) else {
            throw SketchDrawingError(.libraryFailure)
        }
        var rgba: [UInt8] = []
        rgba.reserveCapacity(size.width * size.height * 4)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let pixel = unsafe UnsafeRawPointer(data).load(fromByteOffset: y * stride + 4 * x, as: UInt32.self)
                let alpha = pixel >> 24
                for shift: UInt32 in [16, 8, 0] {
                    let value = pixel >> shift & 255
                    rgba.append(alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha)))
                }
                rgba.append(UInt8(alpha))
            }
        }
        width = size.width
        height = size.height
        self.rgba = rgba
    }

    /// As `vault-parse picture` answers: status 0, UInt32 width, UInt32 height (big-endian), then the pixels.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = [0]
        bytes.reserveCapacity(9 + rgba.count)
        for value in [width, height] {
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
        return bytes + rgba
    }
}
