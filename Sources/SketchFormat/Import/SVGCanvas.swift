// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// How large a foreign drawing is, and how its units lie on the sketch's canvas.
struct SVGCanvas {
    let width: Int
    let height: Int
    let transform: SVGTransform
    /// What 100 % is for the drawing's shapes, in its own units.
    let whole: Vector

    /// From `width`, `height`, `viewBox` and `preserveAspectRatio` of the root; 300 × 150 where it says nothing, as in
    /// CSS. A drawing too large for a canvas is made smaller as a whole.
    init(root: XMLElement) {
        let box = Self.viewBox(root)
        let wide = SVGLength.parse(root.text("width")).flatMap { $0 > 0 ? $0 : nil }
        let high = SVGLength.parse(root.text("height")).flatMap { $0 > 0 ? $0 : nil }
        let ratio = box.map { $0.size.y / $0.size.x } ?? 0.5
        var size = Vector(x: wide ?? high.map { $0 / ratio } ?? box?.size.x ?? 300, y: 0)
        size.y = high ?? size.x * ratio
        let largest = Double(Sketch.sides.upperBound)
        let shrink = min(1, largest / max(size.x, size.y))
        size = size * (shrink.isFinite ? shrink : 1)
        width = Int(min(max(size.x.rounded(.up), 1), largest))
        height = Int(min(max(size.y.rounded(.up), 1), largest))
        guard let box else {
            transform = SVGTransform(a: shrink, d: shrink)
            whole = size * (1 / shrink)
            return
        }
        whole = box.size
        var (x, y) = (size.x / box.size.x, size.y / box.size.y)
        if root.text("preserveAspectRatio")?.hasPrefix("none") != true { (x, y) = (min(x, y), min(x, y)) }
        let rest = (size - Vector(x: box.size.x * x, y: box.size.y * y)) * 0.5
        transform = SVGTransform(a: x, d: y, e: rest.x - box.at.x * x, f: rest.y - box.at.y * y)
    }

    private static func viewBox(_ root: XMLElement) -> (at: Vector, size: Vector)? {
        guard let bytes = root.attributes["viewBox"] else { return nil }
        var scanner = SVGScanner(bytes)
        guard let values = scanner.numbers(4), values[2] >= 1e-6, values[3] >= 1e-6 else { return nil }
        return (Vector(x: values[0], y: values[1]), Vector(x: values[2], y: values[3]))
    }
}
