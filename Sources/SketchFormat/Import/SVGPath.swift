// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `SVGPath` reads the commands of a path's `d` attribute.
struct SVGPath {
    private var scanner: SVGScanner
    /// The handle that a smooth curve continues, and the command that it belongs to.
    private var handle = Vector.zero
    private var handleOf: UInt8 = 0

    init(_ bytes: [UInt8]) { scanner = SVGScanner(bytes) }

    /// Draws the path; returns false if it cannot be read to its end. What came before is drawn, as SVG asks.
    ///
    /// - Throws: `SketchError`: `tooManyPoints`.
    mutating func draw(into builder: inout OutlineBuilder) throws(SketchError) -> Bool {
        var command: UInt8 = 0
        while true {
            scanner.skipSeparators()
            if scanner.isAtEnd { return true }
            if let letter = scanner.letter() {
                guard command != 0 || letter | 0x20 == UInt8(ascii: "m") else { return false }
                command = letter
            } else if command == 0 || command | 0x20 == UInt8(ascii: "z") {
                return false
            }
            guard try draw(command, &builder) else { return false }
            // More places after a move are lines.
            if command | 0x20 == UInt8(ascii: "m") { command -= 1 }
        }
    }

    private mutating func draw(_ command: UInt8, _ builder: inout OutlineBuilder) throws(SketchError) -> Bool {
        let origin = command >= UInt8(ascii: "a") ? builder.place : .zero
        let lower = command | 0x20
        switch lower {
        case UInt8(ascii: "z"):
            try builder.close()
        case UInt8(ascii: "h"):
            guard let x = scanner.number() else { return false }
            try builder.line(to: Vector(x: origin.x + x, y: builder.place.y))
        case UInt8(ascii: "v"):
            guard let y = scanner.number() else { return false }
            try builder.line(to: Vector(x: builder.place.x, y: origin.y + y))
        case UInt8(ascii: "a"):
            guard let arc = arc(origin) else { return false }
            try arc.draw(into: &builder)
            if builder.place != arc.end { try builder.line(to: arc.end) }
        default:
            guard let places = places(lower, origin) else { return false }
            try draw(lower, places, &builder)
        }
        if !"csqt".utf8.contains(lower) { handleOf = 0 }
        return true
    }

    private mutating func draw(_ command: UInt8, _ p: [Vector], _ builder: inout OutlineBuilder) throws(SketchError) {
        switch command {
        case UInt8(ascii: "m"):
            builder.move(to: p[0])
        case UInt8(ascii: "l"):
            try builder.line(to: p[0])
        case UInt8(ascii: "c"), UInt8(ascii: "s"):
            let isSmooth = command == UInt8(ascii: "s")
            let one = isSmooth ? reflected(UInt8(ascii: "c"), builder.place) : p[0]
            try builder.curve(one, p[p.count - 2], to: p[p.count - 1])
            handle = p[p.count - 2]
            handleOf = UInt8(ascii: "c")
        default:
            let control = command == UInt8(ascii: "t") ? reflected(UInt8(ascii: "q"), builder.place) : p[0]
            try builder.quadratic(control, to: p[p.count - 1])
            handle = control
            handleOf = UInt8(ascii: "q")
        }
    }

    private func reflected(_ command: UInt8, _ place: Vector) -> Vector {
        handleOf == command ? place * 2 - handle : place
    }

    /// Reads as many places as the command has; nil for an unknown command too.
    private mutating func places(_ command: UInt8, _ origin: Vector) -> [Vector]? {
        let count =
            switch command {
            case UInt8(ascii: "m"), UInt8(ascii: "l"), UInt8(ascii: "t"): 1
            case UInt8(ascii: "s"), UInt8(ascii: "q"): 2
            case UInt8(ascii: "c"): 3
            default: 0
            }
        guard count > 0, let values = scanner.numbers(2 * count) else { return nil }
        return (0..<count).map { origin + Vector(x: values[2 * $0], y: values[2 * $0 + 1]) }
    }

    private mutating func arc(_ origin: Vector) -> SVGArc? {
        guard let shape = scanner.numbers(3), let isLarge = scanner.flag(), let isClockwise = scanner.flag(),
            let end = scanner.numbers(2)
        else {
            return nil
        }
        return SVGArc(
            radii: Vector(x: shape[0], y: shape[1]), rotation: shape[2], isLarge: isLarge, isClockwise: isClockwise,
            end: origin + Vector(x: end[0], y: end[1]))
    }
}

/// `SVGArc` is an arc of an ellipse as a path writes it: where it ends, and which of the four possible ones it is.
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
