// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The commands of a path's `d` attribute.
struct SVGPath {
    private var scanner: SVGScanner
    /// The handle that a smooth curve continues, and the command that it belongs to.
    private var handle = Vector.zero
    private var handleOf: UInt8 = 0

    init(_ bytes: [UInt8]) { scanner = SVGScanner(bytes) }

    /// - Returns: false if the path cannot be read to its end; what came before is drawn, as SVG asks.
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

    /// As many places as the command has; nil for an unknown command too.
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
