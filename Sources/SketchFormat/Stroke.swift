// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// One movement of the pen, from where it was set down to where it was lifted.
public struct Stroke: Sendable, Hashable {
    /// What drew it. An eraser needs no tool of its own: it removes strokes.
    public enum Tool: Sendable, Hashable, CaseIterable {
        /// Its width follows the pressure.
        case pen
        /// Its width stays the same.
        case marker
    }

    /// Widths in hundredths of a unit.
    public static let widths: ClosedRange<Int32> = 1...100_000

    public let tool: Tool
    /// Never wholly clear: what a sketch holds can be seen.
    public let colour: Colour
    /// Width at full pressure, in hundredths of a unit.
    public let width: Int32
    /// At least one. Either all or none of them have a time, and the times never run backwards.
    public let points: [Point]

    /// - Throws: `SketchError`: `outOfRange` for a width, coordinate, time or opacity that a sketch cannot hold, or for
    ///   no points at all; `tooManyPoints`.
    public init(tool: Tool = .pen, colour: Colour = .black, width: Int32, points: [Point]) throws(SketchError) {
        guard points.count <= Sketch.pointCountMax else { throw SketchError(.tooManyPoints) }
        guard colour.alpha > 0, Self.widths.contains(width), let first = points.first else {
            throw SketchError(.outOfRange)
        }
        var last = first.time
        for point in points {
            guard Point.coordinates.contains(point.x), Point.coordinates.contains(point.y) else {
                throw SketchError(.outOfRange)
            }
            guard (point.time == nil) == (last == nil), (point.time ?? 0) >= (last ?? 0) else {
                throw SketchError(.outOfRange)
            }
            last = point.time
        }
        self.tool = tool
        self.colour = colour
        self.width = width
        self.points = points
    }
}
