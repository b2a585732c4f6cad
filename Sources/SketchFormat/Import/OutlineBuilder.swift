// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `OutlineBuilder` turns shapes into lines on the canvas: curves become as many lines as it takes to stay within the
/// tolerance.
struct OutlineBuilder {
    /// Largest distance between a curve and its lines, in units of the canvas.
    static let tolerance = 0.05
    private static let linesOfCurveMax = 4096.0

    let transform: SVGTransform
    /// The lines, in units of the canvas; each has at least two places, which may be the same.
    private(set) var outlines: [[Vector]] = []
    /// The pen's place, in the shape's own units.
    private(set) var place = Vector.zero
    private var start = Vector.zero
    private var current: [Vector] = []
    private var pointCount = 0

    init(_ transform: SVGTransform) { self.transform = transform }

    mutating func move(to target: Vector) {
        endOutline()
        place = target
        start = target
    }

    mutating func line(to target: Vector) throws(SketchError) {
        begin()
        try append(transform.apply(target))
        place = target
    }

    /// Adds a cubic curve. `n` lines stay within √3/4 · d / n² of it, where d bounds the second differences of its four
    /// places.
    mutating func curve(_ one: Vector, _ two: Vector, to target: Vector) throws(SketchError) {
        begin()
        let p = [transform.apply(place), transform.apply(one), transform.apply(two), transform.apply(target)]
        let bend = max((p[0] - p[1] * 2 + p[2]).length, (p[1] - p[2] * 2 + p[3]).length)
        let wanted = (0.75 * bend / Self.tolerance).squareRoot().rounded(.up)
        let count = wanted.isFinite ? Int(min(max(wanted, 1), Self.linesOfCurveMax)) : 1
        for step in 1...count {
            let t = Double(step) / Double(count)
            let s = 1 - t
            try append(p[0] * (s * s * s) + p[1] * (3 * s * s * t) + p[2] * (3 * s * t * t) + p[3] * (t * t * t))
        }
        place = target
    }

    mutating func quadratic(_ control: Vector, to target: Vector) throws(SketchError) {
        let two = target + (control - target) * (2.0 / 3)
        try curve(place + (control - place) * (2.0 / 3), two, to: target)
    }

    mutating func close() throws(SketchError) {
        try line(to: start)
        endOutline()
    }

    mutating func finished() -> [[Vector]] {
        endOutline()
        return outlines
    }

    private mutating func begin() {
        guard current.isEmpty else { return }
        start = place
        current = [transform.apply(place)]
        pointCount += 1
    }

    private mutating func append(_ point: Vector) throws(SketchError) {
        pointCount += 1
        guard pointCount <= Sketch.pointCountMax else { throw SketchError(.tooManyPoints) }
        current.append(point)
    }

    private mutating func endOutline() {
        if current.count > 1 { outlines.append(current) }
        current = []
    }
}
