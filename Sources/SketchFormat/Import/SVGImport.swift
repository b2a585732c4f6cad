// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Walks through a foreign SVG file and collects its lines. Nothing in it is run, fetched or followed.
struct SVGImport {
    private struct Level {
        var style: SVGStyle
        var transform: SVGTransform
        /// Nothing within is drawn.
        var isSkipped: Bool
    }

    private static let namespace = "http://www.w3.org/2000/svg"
    /// Elements that group others and are drawn as their content.
    private static let groups: Set<String> = ["svg", "g", "a", "switch"]
    /// Elements that say something about the drawing and are no part of it.
    private static let silent: Set<String> = ["title", "desc", "metadata", "defs", "view"]
    private static let kinds: [String: LeftOut] = [
        "text": .text, "image": .images, "use": .references, "symbol": .references, "script": .scripts,
        "style": .styleSheets,
        "filter": .effects, "mask": .effects, "clipPath": .effects, "marker": .effects, "pattern": .gradients,
        "linearGradient": .gradients,
        "radialGradient": .gradients, "animate": .animations, "animateTransform": .animations,
        "animateMotion": .animations,
        "set": .animations, "foreignObject": .foreignContent,
    ]

    private let canvas: SVGCanvas
    private let prefix: String
    private var levels: [Level] = []
    private var background: Colour?
    private var strokes = StrokeCollector()
    private(set) var leftOut: [LeftOut: Int] = [:]

    /// - Throws: `SketchError`: `notASketch` if the root is not `svg` of the SVG namespace.
    private init(root: XMLElement) throws(SketchError) {
        let parts = root.name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.last == "svg", parts.count <= 2 else { throw SketchError(.notASketch) }
        prefix = parts.count == 2 ? parts[0] + ":" : ""
        guard root.text(parts.count == 2 ? "xmlns:\(parts[0])" : "xmlns") == Self.namespace else {
            throw SketchError(.notASketch)
        }
        canvas = SVGCanvas(root: root)
    }

    static func run(_ bytes: [UInt8]) throws(SketchError) -> (sketch: Sketch, leftOut: [LeftOut: Int]) {
        guard bytes.count <= Sketch.byteCountMax else { throw SketchError(.tooLarge) }
        var tokenizer = try XMLTokenizer(bytes)
        var work: SVGImport?
        var styleSheetCount = 0
        while let token = try tokenizer.next() {
            switch token {
            case .styleSheet: styleSheetCount += 1
            case .end: work?.levels.removeLast()
            case .start(let element):
                if work == nil { work = try SVGImport(root: element) }
                try work?.start(element)
            }
        }
        guard var work else { throw SketchError(.notASketch) }
        if styleSheetCount > 0 { work.leftOut[.styleSheets, default: 0] += styleSheetCount }
        return try work.finish()
    }

    private mutating func finish() throws(SketchError) -> (sketch: Sketch, leftOut: [LeftOut: Int]) {
        try strokes.endStroke()
        if strokes.farCount > 0 { leftOut[.farPlaces] = strokes.farCount }
        let sketch = try Sketch(
            width: canvas.width, height: canvas.height, background: background, strokes: strokes.strokes)
        // What cannot be kept as a master is no import.
        _ = try sketch.svg
        return (sketch, leftOut)
    }

    private mutating func leave(_ kind: LeftOut) { leftOut[kind, default: 0] += 1 }

    private mutating func start(_ element: XMLElement) throws(SketchError) {
        var level = levels.last ?? Level(style: SVGStyle(), transform: canvas.transform, isSkipped: false)
        defer { if !element.isEmpty { levels.append(level) } }
        if element.attributes.keys.contains(where: { $0.hasPrefix("on") }) { leave(.scripts) }
        // Definitions are skipped, but scripts and style sheets in them are still named.
        let name = element.name.hasPrefix(prefix) ? String(element.name.dropFirst(prefix.count)) : element.name
        if level.isSkipped {
            if name == "script" || name == "style" { leave(Self.kinds[name] ?? .unknownElements) }
            return
        }
        guard Self.groups.contains(name) || SVGShape.names.contains(name) else {
            level.isSkipped = true
            if !Self.silent.contains(name) {
                leave(name.contains(":") ? .foreignContent : Self.kinds[name] ?? .unknownElements)
            }
            return
        }
        if name == "a" { leave(.links) }
        var found: [LeftOut] = []
        level.style.take(element) { found.append($0) }
        for kind in found { leave(kind) }
        place(&level, element, name)
        if !level.style.isDisplayed {
            leave(.hidden)
            level.isSkipped = true
        } else if SVGShape.names.contains(name) {
            try draw(name, element, level)
        }
    }

    private mutating func place(_ level: inout Level, _ element: XMLElement, _ name: String) {
        if let bytes = element.attributes["transform"] {
            if let transform = SVGTransform.parse(bytes) {
                level.transform = level.transform.after(transform)
            } else {
                leave(.damagedShapes)
            }
        }
        guard name == "svg", !levels.isEmpty else { return }
        let at = Vector(x: SVGLength.parse(element.text("x")) ?? 0, y: SVGLength.parse(element.text("y")) ?? 0)
        let inner = element.attributes["viewBox"] == nil ? .identity : SVGCanvas(root: element).transform
        level.transform = level.transform.after(SVGTransform(e: at.x, f: at.y)).after(inner)
    }

    private mutating func draw(_ name: String, _ element: XMLElement, _ level: Level) throws(SketchError) {
        let style = level.style
        guard style.isVisible, let colour = style.strokeColour ?? style.fillColour else { return leave(.hidden) }
        var builder = OutlineBuilder(level.transform)
        if try !SVGShape.draw(name, element, canvas: canvas.whole, into: &builder) { leave(.damagedShapes) }
        let outlines = builder.finished()
        if style.strokeColour == nil, name == "rect", isBackground(outlines) {
            background = colour
            return
        }
        if style.isDashed, style.strokeColour != nil { leave(.dashes) }
        // A line alone has no area.
        if style.fillColour != nil, outlines.contains(where: { $0.count > 2 }) { leave(.fills) }
        let width = style.strokeColour == nil ? 1 : style.width * level.transform.scale
        for outline in outlines { try strokes.add(outline, colour: colour, width: width) }
    }

    /// Whether a filled rectangle lies below everything and covers the canvas.
    private func isBackground(_ outlines: [[Vector]]) -> Bool {
        guard outlines.count == 1, background == nil, strokes.isEmpty else { return false }
        let (xs, ys) = (outlines[0].map(\.x), outlines[0].map(\.y))
        return (xs.min() ?? 1) <= 0.5 && (ys.min() ?? 1) <= 0.5 && (xs.max() ?? 0) >= Double(canvas.width) - 1
            && (ys.max() ?? 0) >= Double(canvas.height) - 1
    }
}
