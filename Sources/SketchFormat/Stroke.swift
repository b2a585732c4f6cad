// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Stroke` is one movement of the pen, from where it was set down to where it was lifted.
public struct Stroke: Sendable, Hashable {
    /// `Tool` names what drew it. An eraser needs no tool of its own: it removes strokes.
    public enum Tool: Sendable, Hashable, CaseIterable {
        /// Its width follows the pressure.
        case pen
        /// Its width stays the same.
        case marker
    }

    /// Widths in hundredths of a unit.
    public static let widths: ClosedRange<Int32> = 1...100_000

    public let tool: Tool
    /// Never fully transparent, so that every stroke can be seen.
    public let colour: Colour
    /// Width at full pressure, in hundredths of a unit.
    public let width: Int32
    /// At least one. Either all or none of them have a time, and the times never run backwards.
    public let points: [Point]

    /// Makes a stroke, and checks its width, its opacity and its points.
    ///
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

extension Stroke {
    /// `Piece` is a part of a stroke that is drawn with one width: the points `first...last`, or a dot where both are
    /// the same.
    public struct Piece: Sendable, Hashable {
        /// In hundredths of a unit.
        public let width: Int32
        public let first: Int
        public let last: Int
    }

    /// The stroke as viewers draw it: each piece as long as its width allows, each beginning where the one before it
    /// ended.
    ///
    /// A line from one point to the next has the mean of their pressures. All of it is whole numbers, so that every
    /// program that draws or checks a sketch comes to the same pieces. Spec: docs/sketch-format.md §4.
    public var pieces: [Piece] {
        guard points.count > 1 else { return [Piece(width: drawnWidth(0, 0), first: 0, last: 0)] }
        var pieces: [Piece] = []
        var first = 0
        var width = drawnWidth(0, 1)
        for end in 2..<max(points.count, 2) {
            let next = drawnWidth(end - 1, end)
            guard next != width else { continue }
            pieces.append(Piece(width: width, first: first, last: end - 1))
            first = end - 1
            width = next
        }
        pieces.append(Piece(width: width, first: first, last: points.count - 1))
        return pieces
    }

    private func drawnWidth(_ start: Int, _ end: Int) -> Int32 {
        guard tool == .pen else { return width }
        let pressure = Int32(points[start].pressure) + Int32(points[end].pressure)
        return max(1, (width * pressure + 255) / 510)
    }
}

/// `Point` is one place of the pen on the canvas.
///
/// Coordinates are whole hundredths of a unit, so that what is written is read back as the same number.
public struct Point: Sendable, Hashable {
    /// Coordinates that a sketch may hold, in hundredths: a pen may run over the canvas's edge, but not without end.
    public static let coordinates: ClosedRange<Int32> = -3_276_800...6_553_600

    /// From the left edge, in hundredths of a unit.
    public let x: Int32
    /// From the top edge, in hundredths of a unit.
    public let y: Int32
    /// In 1/255; 255 where the device knows none.
    public let pressure: UInt8
    /// Milliseconds since the sketch was begun, where the device said so.
    public let time: UInt32?

    public init(x: Int32, y: Int32, pressure: UInt8 = 255, time: UInt32? = nil) {
        self.x = x
        self.y = y
        self.pressure = pressure
        self.time = time
    }
}

/// A `Colour` is a colour as a sketch holds it: red, green, blue and opacity, eight bits each, sRGB, not premultiplied.
public struct Colour: Sendable, Hashable {
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8
    /// 0 is clear, 255 is solid.
    public let alpha: UInt8

    public static let black = Colour(red: 0, green: 0, blue: 0)
    public static let white = Colour(red: 255, green: 255, blue: 255)

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// The opacity in thousandths, as it is written. Neighbours differ by almost four, so that each has one text.
    var alphaThousandths: Int { (Int(alpha) * 1000 + 127) / 255 }

    /// Returns the opacity that is written as a number of thousandths; nil for a number that none is written as.
    static func alpha(thousandths: Int) -> UInt8? {
        guard let alpha = UInt8(exactly: (thousandths * 255 + 500) / 1000) else { return nil }
        return Colour(red: 0, green: 0, blue: 0, alpha: alpha).alphaThousandths == thousandths ? alpha : nil
    }
}
