// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CCairo
public import SketchFormat

/// `SketchSize` is the size of a drawing in pixels, checked before memory is taken for it.
public struct SketchSize: Sendable, Hashable {
    /// 64 megapixels: 256 MiB of memory.
    public static let pixelCountMax = 64 << 20
    /// Largest side; cairo's pictures end there.
    public static let sideMax = 32_767
    /// Most pixels to a unit: beyond it, cairo's numbers of places in pixels could overflow.
    public static let scaleMax = 64

    public let width: Int
    public let height: Int

    /// Computes the size of a drawing, and refuses one that is too large.
    ///
    /// - Parameters:
    ///   - width: in pixels; nil for one pixel for each unit of the canvas. The height follows from it.
    /// - Throws: `SketchDrawingError`: `tooLarge`.
    public init(of sketch: Sketch, width: Int?) throws(SketchDrawingError) {
        let width = width ?? sketch.width
        guard width > 0, width <= min(Self.sideMax, Self.scaleMax * sketch.width) else {
            throw SketchDrawingError(.tooLarge)
        }
        let height = max(1, (width * sketch.height + sketch.width / 2) / sketch.width)
        guard height <= Self.sideMax, width * height <= Self.pixelCountMax else { throw SketchDrawingError(.tooLarge) }
        self.width = width
        self.height = height
    }

    /// Makes it as large as fits into a square box, and never larger than the sketch itself.
    ///
    /// - Parameter box: its side in pixels, 1…8,192.
    public init(of sketch: Sketch, box: Int) {
        let box = min(max(box, 1), 8192)
        let longer = max(sketch.width, sketch.height)
        guard longer > box else {
            width = sketch.width
            height = sketch.height
            return
        }
        width = max(1, (sketch.width * box + longer / 2) / longer)
        height = max(1, (sketch.height * box + longer / 2) / longer)
    }
}

/// `SketchPixels` holds a drawn sketch as pixels: red, green, blue, alpha, one byte each, not premultiplied, row by
/// row.
public struct SketchPixels: Sendable, Hashable {
    public let width: Int
    public let height: Int
    /// `width * height * 4` bytes.
    public let rgba: [UInt8]

    /// Copies the pixels out of a canvas; cairo keeps colours multiplied by their alpha, and this divides them again.
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

    /// The answer of `vault-parse picture`: status 0, UInt32 width, UInt32 height (big-endian), then the pixels.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = [0]
        bytes.reserveCapacity(9 + rgba.count)
        for value in [width, height] {
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
        return bytes + rgba
    }
}
