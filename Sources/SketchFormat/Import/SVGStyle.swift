// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SVGStyle` holds the properties of an element that matter to its lines, inherited from element to element.
struct SVGStyle {
    enum Paint: Equatable {
        case none
        case colour(Colour)
        /// `currentColor`.
        case current
    }

    var stroke = Paint.none
    var fill = Paint.colour(.black)
    var current = Colour.black
    var width = 1.0
    var strokeOpacity = 1.0
    var fillOpacity = 1.0
    /// Of the element and of all that it lies in.
    var opacity = 1.0
    var isVisible = true
    /// `display: none`: nothing within is shown either.
    var isDisplayed = true
    var isDashed = false

    /// Takes the attributes of an element, then its `style`, which counts more.
    ///
    /// - Parameter leave: told what the style asks for and the import does not do.
    mutating func take(_ element: XMLElement, leave: (LeftOut) -> Void) {
        for name in Self.properties {
            if let value = element.text(name) { set(name, value, leave) }
        }
        for declaration in element.text("style")?.split(separator: ";") ?? [] {
            let parts = declaration.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].prefix { $0 != "!" }
            set(Self.trimmed(parts[0]).lowercased(), Self.trimmed(value), leave)
        }
    }

    /// The colour of lines; nil if there are none.
    var strokeColour: Colour? { width > 0 ? colour(stroke, strokeOpacity) : nil }
    var fillColour: Colour? { colour(fill, fillOpacity) }

    private func colour(_ paint: Paint, _ opacity: Double) -> Colour? {
        let base: Colour
        switch paint {
        case .none: return nil
        case .colour(let colour): base = colour
        case .current: base = current
        }
        let alpha = (Double(base.alpha) * opacity * self.opacity).rounded()
        guard alpha >= 1 else { return nil }
        return Colour(red: base.red, green: base.green, blue: base.blue, alpha: UInt8(min(alpha, 255)))
    }

    private static let properties = [
        "color", "stroke", "fill", "stroke-width", "stroke-opacity", "fill-opacity", "opacity", "visibility", "display",
        "stroke-dasharray",
        "filter", "mask", "clip-path", "marker-start", "marker-mid", "marker-end",
    ]

    private mutating func set(_ name: String, _ value: String, _ leave: (LeftOut) -> Void) {
        switch name {
        case "color": current = SVGColour.parse(value) ?? current
        case "stroke": stroke = paint(value, stroke, leave)
        case "fill": fill = paint(value, fill, leave)
        case "stroke-width": width = SVGLength.parse(value).map { max($0, 0) } ?? width
        case "stroke-opacity": strokeOpacity = Self.opacity(value) ?? strokeOpacity
        case "fill-opacity": fillOpacity = Self.opacity(value) ?? fillOpacity
        case "opacity": opacity *= Self.opacity(value) ?? 1
        case "visibility": isVisible = value == "inherit" ? isVisible : value == "visible"
        case "display": isDisplayed = isDisplayed && value != "none"
        case "stroke-dasharray": isDashed = value.utf8.contains { $0 >= UInt8(ascii: "1") && $0 <= UInt8(ascii: "9") }
        case "filter", "mask", "clip-path", "marker-start", "marker-mid", "marker-end", "marker":
            if value != "none" { leave(.effects) }
        default: break
        }
    }

    private func paint(_ value: String, _ inherited: Paint, _ leave: (LeftOut) -> Void) -> Paint {
        switch value.lowercased() {
        case "none": return .none
        case "inherit": return inherited
        case "currentcolor": return .current
        case let text where text.hasPrefix("url("):
            leave(.gradients)
            return .colour(.black)
        default: break
        }
        if let colour = SVGColour.parse(Self.trimmed(value[...])) { return .colour(colour) }
        leave(.unknownColours)
        return .colour(.black)
    }

    private static func opacity(_ text: String) -> Double? {
        SVGLength.parse(text, whole: 1).map { min(max($0, 0), 1) }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.utf8.first, XMLCursor.isSpace(first) { text.removeFirst() }
        while let last = text.utf8.last, XMLCursor.isSpace(last) { text.removeLast() }
        return String(text)
    }
}
