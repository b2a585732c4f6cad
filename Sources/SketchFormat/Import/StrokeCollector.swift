// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `StrokeCollector` gathers the lines of a foreign drawing as strokes.
///
/// Programs write a stroke whose width changes as many short lines, each with its own width, each beginning where the
/// one before it ended. Such lines become one stroke again, with pressures from the widths.
struct StrokeCollector {
    private(set) var strokes: [Stroke] = []
    var isEmpty: Bool { strokes.isEmpty && places.isEmpty }
    /// How many outlines had a place that was moved to the edge of what a sketch holds.
    private(set) var farCount = 0
    private var pointCount = 0

    private var colour = Colour.black
    private var places: [Point] = []
    private var widths: [Int32] = []

    /// Adds an outline: to the stroke before, where both are open lines of one opaque colour and the outline begins at
    /// its end, else as a new stroke.
    ///
    /// - Parameters:
    ///   - outline: at least two places, in units of the canvas.
    ///   - width: in units of the canvas.
    /// - Throws: `SketchError`: `tooManyStrokes`, `tooManyPoints`.
    mutating func add(_ outline: [Vector], colour: Colour, width: Double) throws(SketchError) {
        var isFar = false
        let added = outline.map { Self.point($0, &isFar) }
        if isFar { farCount += 1 }
        let width = Int32(min(max((width * 100).rounded(), 1), Double(Stroke.widths.upperBound)))
        // Where a clear colour overlaps itself at the joints it would look different.
        let isSame = colour == self.colour && colour.alpha == 255
        let isOpen = places.first != places.last && added.first != added.last
        if !isSame || !isOpen || places.last != added.first {
            try endStroke()
            self.colour = colour
            places = [added[0]]
            widths = [width]
            pointCount += 1
        }
        for point in added.dropFirst() where point != places.last {
            places.append(point)
            widths.append(width)
            pointCount += 1
        }
        guard pointCount <= Sketch.pointCountMax else { throw SketchError(.tooManyPoints) }
    }

    mutating func endStroke() throws(SketchError) {
        guard let widest = widths.max() else { return }
        guard strokes.count < Sketch.strokeCountMax else { throw SketchError(.tooManyStrokes) }
        let points = zip(places, widths).map { place, width in
            Point(x: place.x, y: place.y, pressure: UInt8(max(1, (Int(width) * 255 + Int(widest) / 2) / Int(widest))))
        }
        strokes.append(try Stroke(colour: colour, width: widest, points: points))
        places = []
        widths = []
    }

    private static func point(_ place: Vector, _ isFar: inout Bool) -> Point {
        func coordinate(_ value: Double) -> Int32 {
            let scaled = value.isNaN ? .infinity : (value * 100).rounded()
            let range = Point.coordinates
            let clamped = min(max(scaled, Double(range.lowerBound)), Double(range.upperBound))
            if clamped != scaled { isFar = true }
            return Int32(clamped)
        }
        return Point(x: coordinate(place.x), y: coordinate(place.y))
    }
}
