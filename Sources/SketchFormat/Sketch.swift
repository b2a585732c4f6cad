// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A drawing by hand: strokes on a canvas.
///
/// Its master form is an SVG file of a strict subset that any viewer draws and from which the same strokes are read
/// back: `svg` writes it, `init(parsingSVG:)` reads it and nothing else, `init(importingSVG:leavingOut:)` takes what it
/// can from other SVG. Spec: docs/sketch-format.md.
public struct Sketch: Sendable, Hashable {
    /// Largest file, in bytes.
    public static let byteCountMax = 16 << 20
    public static let strokeCountMax = 10_000
    /// Largest number of points of all strokes together.
    public static let pointCountMax = 1_000_000
    /// Widths and heights of a canvas, in units. A unit is 1/96 inch where paper matters.
    public static let sides: ClosedRange<Int> = 1...32_768

    public let width: Int
    public let height: Int
    /// Without it the canvas is clear.
    public let background: Colour?
    /// In the order in which they were drawn.
    public let strokes: [Stroke]

    /// - Throws: `SketchError`: `outOfRange` for the canvas, `tooManyStrokes`, `tooManyPoints`.
    public init(width: Int, height: Int, background: Colour? = nil, strokes: [Stroke] = []) throws(SketchError) {
        guard Self.sides.contains(width), Self.sides.contains(height), background?.alpha != 0 else {
            throw SketchError(.outOfRange)
        }
        guard strokes.count <= Self.strokeCountMax else { throw SketchError(.tooManyStrokes) }
        self.width = width
        self.height = height
        self.background = background
        self.strokes = strokes
        guard pointCount <= Self.pointCountMax else { throw SketchError(.tooManyPoints) }
    }

    /// Points of all strokes.
    public var pointCount: Int { strokes.reduce(0) { $0 + $1.points.count } }
}
