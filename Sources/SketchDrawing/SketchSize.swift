// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SketchFormat

/// The size of a drawing in pixels, checked before memory is taken for it.
public struct SketchSize: Sendable, Hashable {
    /// 64 megapixels: 256 MiB of memory.
    public static let pixelCountMax = 64 << 20
    /// Largest side; cairo's pictures end there.
    public static let sideMax = 32_767
    /// Most pixels to a unit: beyond it, cairo's numbers of places in pixels could overflow.
    public static let scaleMax = 64

    public let width: Int
    public let height: Int

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

    /// As large as fits into a square box, and never larger than the sketch itself.
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
