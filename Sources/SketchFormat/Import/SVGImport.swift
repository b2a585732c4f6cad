// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SVGImport` walks through a foreign SVG file and collects its lines. Nothing in it is run, fetched or followed.
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

    /// Reads the root element: the prefix of its namespace, and the canvas.
    ///
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

    /// Returns whether a filled rectangle lies below everything and covers the canvas.
    private func isBackground(_ outlines: [[Vector]]) -> Bool {
        guard outlines.count == 1, background == nil, strokes.isEmpty else { return false }
        let (xs, ys) = (outlines[0].map(\.x), outlines[0].map(\.y))
        return (xs.min() ?? 1) <= 0.5 && (ys.min() ?? 1) <= 0.5 && (xs.max() ?? 0) >= Double(canvas.width) - 1
            && (ys.max() ?? 0) >= Double(canvas.height) - 1
    }
}

/// `SVGCanvas` says how large a foreign drawing is, and how its units lie on the sketch's canvas.
private struct SVGCanvas {
    let width: Int
    let height: Int
    let transform: SVGTransform
    /// What 100 % is for the drawing's shapes, in its own units.
    let whole: Vector

    /// Takes the size from `width`, `height`, `viewBox` and `preserveAspectRatio` of the root; 300 × 150 where it says
    /// nothing, as in CSS. A drawing too large for a canvas is made smaller as a whole.
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

/// `LeftOut` names what an import leaves out of a foreign drawing. The raw values travel between programs: never
/// reused.
public enum LeftOut: UInt8, Sendable, Hashable, CaseIterable {
    case text = 1
    case images = 2
    /// Copies by reference (`use`), which would have to be followed.
    case references = 3
    /// Script elements and event attributes.
    case scripts = 4
    case styleSheets = 5
    /// Filters, masks, clip paths, markers.
    case effects = 6
    /// Filled areas: only their outline is kept.
    case fills = 7
    case gradients = 8
    case dashes = 9
    case animations = 10
    /// `foreignObject` and elements of other namespaces.
    case foreignContent = 11
    /// Content that the drawing itself does not show.
    case hidden = 12
    /// Targets of links; what the link showed is kept.
    case links = 13
    /// Shapes whose numbers cannot be read to their end; what came before is kept.
    case damagedShapes = 14
    case unknownElements = 15
    /// Colours in a notation that is not read; they became black.
    case unknownColours = 16
    /// Places so far outside that they were moved to the edge of what a sketch holds.
    case farPlaces = 17
}
