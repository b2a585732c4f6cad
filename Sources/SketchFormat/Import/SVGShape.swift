// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SVGShape` draws the basic shapes as paths.
enum SVGShape {
    static let names: Set<String> = ["path", "line", "polyline", "polygon", "rect", "circle", "ellipse"]

    /// Draws the shape that an element is named after; returns false if its numbers cannot be read to their end.
    ///
    /// - Parameters:
    ///   - canvas: what 100 % is.
    /// - Throws: `SketchError`: `tooManyPoints`.
    static func draw(_ name: String, _ element: XMLElement, canvas: Vector, into builder: inout OutlineBuilder)
        throws(SketchError) -> Bool
    {
        func x(_ name: String) -> Double { SVGLength.parse(element.text(name), whole: canvas.x) ?? 0 }
        func y(_ name: String) -> Double { SVGLength.parse(element.text(name), whole: canvas.y) ?? 0 }
        switch name {
        case "path":
            var path = SVGPath(element.attributes["d"] ?? [])
            return try path.draw(into: &builder)
        case "line":
            builder.move(to: Vector(x: x("x1"), y: y("y1")))
            try builder.line(to: Vector(x: x("x2"), y: y("y2")))
        case "polyline", "polygon":
            return try polyline(element.attributes["points"] ?? [], isClosed: name == "polygon", &builder)
        case "rect":
            let rx = SVGLength.parse(element.text("rx"), whole: canvas.x) ?? y("ry")
            let ry = SVGLength.parse(element.text("ry"), whole: canvas.y) ?? rx
            try rectangle(
                Vector(x: x("x"), y: y("y")), Vector(x: x("width"), y: y("height")), Vector(x: rx, y: ry), &builder)
        case "circle":
            try ellipse(Vector(x: x("cx"), y: y("cy")), Vector(x: x("r"), y: x("r")), &builder)
        default:
            try ellipse(Vector(x: x("cx"), y: y("cy")), Vector(x: x("rx"), y: y("ry")), &builder)
        }
        return true
    }

    private static func polyline(_ bytes: [UInt8], isClosed: Bool, _ builder: inout OutlineBuilder) throws(SketchError)
        -> Bool
    {
        var scanner = SVGScanner(bytes)
        var isFirst = true
        while let values = scanner.numbers(2) {
            let place = Vector(x: values[0], y: values[1])
            if isFirst { builder.move(to: place) } else { try builder.line(to: place) }
            isFirst = false
        }
        if isClosed, !isFirst { try builder.close() }
        scanner.skipSeparators()
        return scanner.isAtEnd
    }

    private static func rectangle(_ at: Vector, _ size: Vector, _ radii: Vector, _ builder: inout OutlineBuilder)
        throws(SketchError)
    {
        guard size.x > 0, size.y > 0 else { return }
        let r = Vector(x: min(max(radii.x, 0), size.x / 2), y: min(max(radii.y, 0), size.y / 2))
        let end = at + size
        func corner(_ x: Double, _ y: Double) throws(SketchError) {
            guard r.x > 0, r.y > 0 else { return try builder.line(to: Vector(x: x, y: y)) }
            try SVGArc(radii: r, rotation: 0, isLarge: false, isClockwise: true, end: Vector(x: x, y: y)).draw(
                into: &builder)
        }
        builder.move(to: Vector(x: at.x + r.x, y: at.y))
        try builder.line(to: Vector(x: end.x - r.x, y: at.y))
        try corner(end.x, at.y + r.y)
        try builder.line(to: Vector(x: end.x, y: end.y - r.y))
        try corner(end.x - r.x, end.y)
        try builder.line(to: Vector(x: at.x + r.x, y: end.y))
        try corner(at.x, end.y - r.y)
        try builder.line(to: Vector(x: at.x, y: at.y + r.y))
        try corner(at.x + r.x, at.y)
        try builder.close()
    }

    private static func ellipse(_ centre: Vector, _ radii: Vector, _ builder: inout OutlineBuilder) throws(SketchError)
    {
        guard radii.x > 0, radii.y > 0 else { return }
        let (left, right) = (Vector(x: centre.x - radii.x, y: centre.y), Vector(x: centre.x + radii.x, y: centre.y))
        builder.move(to: right)
        for end in [left, right] {
            try SVGArc(radii: radii, rotation: 0, isLarge: false, isClockwise: true, end: end).draw(into: &builder)
        }
    }
}
