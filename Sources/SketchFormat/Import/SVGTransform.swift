// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `SVGTransform` is an affine map as SVG writes it: x′ = ax + cy + e, y′ = bx + dy + f.
struct SVGTransform: Equatable {
    var a = 1.0
    var b = 0.0
    var c = 0.0
    var d = 1.0
    var e = 0.0
    var f = 0.0

    static let identity = SVGTransform()

    /// How much wider a line becomes: the square root of what happens to areas.
    var scale: Double { abs(a * d - b * c).squareRoot() }

    func apply(_ p: Vector) -> Vector { Vector(x: a * p.x + c * p.y + e, y: b * p.x + d * p.y + f) }

    /// Applies `inner` first, then this one.
    func after(_ inner: SVGTransform) -> SVGTransform {
        SVGTransform(
            a: a * inner.a + c * inner.b, b: b * inner.a + d * inner.b, c: a * inner.c + c * inner.d,
            d: b * inner.c + d * inner.d,
            e: a * inner.e + c * inner.f + e, f: b * inner.e + d * inner.f + f)
    }

    /// Reads the value of a `transform` attribute; nil if it is not one.
    static func parse(_ bytes: [UInt8]) -> SVGTransform? {
        var scanner = SVGScanner(bytes)
        var whole = SVGTransform.identity
        while true {
            scanner.skipSeparators()
            if scanner.isAtEnd { return whole }
            let name = scanner.word()
            scanner.skipSeparators()
            guard scanner.take(UInt8(ascii: "(")) else { return nil }
            var values: [Double] = []
            while values.count < 6, let value = scanner.number() { values.append(value) }
            scanner.skipSeparators()
            guard scanner.take(UInt8(ascii: ")")), let one = function(name, values) else { return nil }
            whole = whole.after(one)
        }
    }

    private static func function(_ name: String, _ v: [Double]) -> SVGTransform? {
        switch (name, v.count) {
        case ("matrix", 6): return SVGTransform(a: v[0], b: v[1], c: v[2], d: v[3], e: v[4], f: v[5])
        case ("translate", 1): return SVGTransform(e: v[0])
        case ("translate", 2): return SVGTransform(e: v[0], f: v[1])
        case ("scale", 1): return SVGTransform(a: v[0], d: v[0])
        case ("scale", 2): return SVGTransform(a: v[0], d: v[1])
        case ("rotate", 1): return rotation(v[0])
        case ("rotate", 3):
            return SVGTransform(e: v[1], f: v[2]).after(rotation(v[0])).after(SVGTransform(e: -v[1], f: -v[2]))
        case ("skewx", 1): return SVGTransform(c: tan(v[0] * .pi / 180))
        case ("skewy", 1): return SVGTransform(b: tan(v[0] * .pi / 180))
        default: return nil
        }
    }

    private static func rotation(_ degrees: Double) -> SVGTransform {
        let angle = degrees * .pi / 180
        return SVGTransform(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle))
    }
}

/// `Vector` is a place or direction while a drawing is imported.
struct Vector: Equatable {
    var x: Double
    var y: Double

    static let zero = Vector(x: 0, y: 0)

    static func + (a: Vector, b: Vector) -> Vector { Vector(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: Vector, b: Vector) -> Vector { Vector(x: a.x - b.x, y: a.y - b.y) }
    static func * (a: Vector, factor: Double) -> Vector { Vector(x: a.x * factor, y: a.y * factor) }

    var length: Double { (x * x + y * y).squareRoot() }
}
