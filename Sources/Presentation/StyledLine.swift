// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText

/// `StyledLine` is one line of a terminal: safe pieces of text with a style each.
struct StyledLine {
    enum Style {
        case plain, bold, dim
        /// What a search found.
        case hit

        /// SGR parameters (ECMA-48, 8.3.117). Hits are bold yellow: seen on dark and on light.
        var parameters: String? {
            switch self {
            case .plain: nil
            case .bold: "1"
            case .dim: "2"
            case .hit: "1;33"
            }
        }
    }

    private var pieces: [(text: String, style: Style)] = []
    /// Where a piece leads, by its index.
    private var links: [Int: String] = [:]
    private(set) var columns = 0

    /// Adds text, made safe; what does not fit is cut with "…".
    ///
    /// - Parameters:
    ///   - hits: byte ranges of `text.utf8` that get the style `hit`, ascending and apart.
    ///   - room: columns that it may take.
    mutating func append(_ text: String, _ style: Style = .plain, hits: [Range<Int>] = [], room: Int = .max) {
        let parts = Self.parts(of: text, style, hits: hits)
        var left = room - parts.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } < 0 ? room : Int.max
        for part in parts where left > 0 {
            let width = DisplayWidth.columns(of: part.text)
            // When all of it does not fit, a part that would just fit still leaves a column for the "…".
            let isLast = left != .max && width >= left
            let shown = isLast ? DisplayWidth.truncate(part.text + " ", to: left) : part.text
            pieces.append((shown, part.style))
            columns += DisplayWidth.columns(of: shown)
            left = isLast ? 0 : left == .max ? left : left - width
        }
    }

    /// Adds text that leads somewhere. The address has only characters that a terminal takes inside of a sequence.
    mutating func append(_ text: String, link: String?, room: Int) {
        if let link, OSC8.isSafe(link) { links[pieces.count] = link }
        append(text, room: room)
    }

    /// Adds spaces until the line has `column` columns.
    mutating func pad(to column: Int) {
        guard column > columns else { return }
        pieces.append((String(repeating: " ", count: column - columns), .plain))
        columns = column
    }

    /// Returns the line with its line feed.
    func encoded(color: Bool) -> [UInt8] {
        var text = ""
        for (number, piece) in pieces.enumerated() where !piece.text.isEmpty {
            var shown = piece.text
            if color, let parameters = piece.style.parameters { shown = "\u{1B}[\(parameters)m\(shown)\u{1B}[0m" }
            text += links[number].map { OSC8.link(shown, to: $0) } ?? shown
        }
        return Array((text + "\n").utf8)
    }

    private static func parts(of text: String, _ style: Style, hits: [Range<Int>]) -> [(text: String, style: Style)] {
        let byteCount = text.utf8.count
        // Each part is judged by what stands before it.
        var safe = SafeText(text, .singleLine)
        var parts: [(text: String, style: Style)] = []
        var offset = 0
        func add(upTo end: Int, _ style: Style) {
            guard end > offset else { return }
            parts.append((safe.take(upTo: end), style))
            offset = end
        }
        for hit in hits where hit.lowerBound >= offset && hit.upperBound <= byteCount {
            add(upTo: hit.lowerBound, style)
            add(upTo: hit.upperBound, .hit)
        }
        add(upTo: byteCount, style)
        return parts
    }
}

/// `DisplayWidth` counts columns of text on a terminal, by grapheme clusters. The text is expected to be safe and on
/// one line.
enum DisplayWidth {
    static func columns(of text: String) -> Int {
        // Printable ASCII, which most text is, needs no clusters.
        if text.utf8.allSatisfy({ $0 &- 0x20 < 0x5F }) { return text.utf8.count }
        return text.reduce(0) { $0 + CharacterWidth.columns(of: $1) }
    }

    /// Returns the text, or as much of it as fits with "…" at its end. Never cuts a cluster.
    static func truncate(_ text: String, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        var used = 0
        // Where the cut would be: the last place that leaves a column for the "…".
        var cut = text.startIndex
        for index in text.indices {
            if used < columns { cut = index }
            used += CharacterWidth.columns(of: text[index])
            if used > columns { return text[..<cut] + "…" }
        }
        return text
    }
}
