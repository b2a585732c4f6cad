// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// An arc of an ellipse as a path writes it: where it ends, and which of the four possible ones it is.
struct SVGArc {
    let radii: Vector
    let rotation: Double
    let isLarge: Bool
    let isClockwise: Bool
    let end: Vector

    /// Draws it as cubic curves of at most a quarter turn, which differ from the ellipse by less than 0.03 % of its
    /// radius.
    ///
    /// By the centre and angles, as in the SVG specification's notes on implementation (F.6): radii too small for the
    /// distance grow until they fit; without a radius it is a line.
    func draw(into builder: inout OutlineBuilder) throws(SketchError) {
        let start = builder.place
        guard start != end else { return }
        var rx = abs(radii.x)
        var ry = abs(radii.y)
        guard rx > 0, ry > 0 else { return try builder.line(to: end) }
        let (sine, cosine) = (sin(rotation * .pi / 180), cos(rotation * .pi / 180))
        let half = (start - end) * 0.5
        let turned = Vector(x: cosine * half.x + sine * half.y, y: cosine * half.y - sine * half.x)
        let excess = (turned.x / rx) * (turned.x / rx) + (turned.y / ry) * (turned.y / ry)
        if excess > 1 {
            rx *= excess.squareRoot()
            ry *= excess.squareRoot()
        }
        // On the unit circle the ends are ±u; the centre lies across, at the height that is left.
        let u = Vector(x: turned.x / rx, y: turned.y / ry)
        let height = max(0, 1 / max(u.x * u.x + u.y * u.y, 1e-18) - 1).squareRoot() * (isLarge == isClockwise ? -1 : 1)
        let centre = Vector(x: height * u.y, y: -height * u.x)
        let first = atan2(u.y - centre.y, u.x - centre.x)
        var sweep = atan2(-u.y - centre.y, -u.x - centre.x) - first
        if isClockwise, sweep < 0 { sweep += 2 * .pi }
        if !isClockwise, sweep > 0 { sweep -= 2 * .pi }
        guard sweep.isFinite else { return try builder.line(to: end) }

        let middle = (start + end) * 0.5
        func place(_ x: Double, _ y: Double) -> Vector {
            let at = Vector(x: (x + centre.x) * rx, y: (y + centre.y) * ry)
            return Vector(x: cosine * at.x - sine * at.y, y: sine * at.x + cosine * at.y) + middle
        }
        let count = max(1, Int((abs(sweep) / (.pi / 2) - 1e-9).rounded(.up)))
        let step = sweep / Double(count)
        let handle = 4.0 / 3 * tan(step / 4)
        for index in 0..<count {
            let (from, to) = (first + Double(index) * step, first + Double(index + 1) * step)
            let one = place(cos(from) - handle * sin(from), sin(from) + handle * cos(from))
            let two = place(cos(to) + handle * sin(to), sin(to) - handle * cos(to))
            try builder.curve(one, two, to: index == count - 1 ? end : place(cos(to), sin(to)))
        }
    }
}
