// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MarkdownLinks` finds the links of a Markdown text and replaces those that an importer knows better, in one pass
/// over its bytes.
///
/// Code is passed over. Whatever the text, each byte is looked at a bounded number of times: brackets nest at most
/// `depthMax` deep, and a destination ends at the latest where the next one begins.
struct MarkdownLinks {
    enum Occurrence {
        /// "[[content]]", or "![[content]]" as an embed.
        case wiki(isEmbed: Bool, content: ArraySlice<UInt8>)
        /// "[text](destination)"; links in the text are replaced already.
        case inline(isEmbed: Bool, text: ArraySlice<UInt8>, destination: ArraySlice<UInt8>, hasTitle: Bool)
        /// ":/" and 32 hexadecimal digits elsewhere: in HTML, or where a link's destination is defined.
        case identifier(ArraySlice<UInt8>)
    }

    private struct Open {
        let outputStart: Int
        let isEmbed: Bool
    }

    private static let depthMax = 8
    private static let identifierByteCount = 34

    private let bytes: [UInt8]
    private var at = 0
    /// What lies before it has been written.
    private var flushed = 0
    private var output: [UInt8] = []
    private var open: [Open] = []
    private var spans = MarkdownCodeSpans()

    /// Returns the text with what `replacement` gives in place of its links.
    ///
    /// - Parameters:
    ///   - bytes: LF at the ends of lines.
    ///   - replacement: what stands for a link; nil to leave it.
    static func replacing(in bytes: [UInt8], _ replacement: (Occurrence) -> [UInt8]?) -> [UInt8] {
        var links = MarkdownLinks(bytes: bytes)
        links.run(replacement)
        return links.output
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        output.reserveCapacity(bytes.count)
    }

    private mutating func run(_ replacement: (Occurrence) -> [UInt8]?) {
        skipFences()
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\n"):
                at += 1
                if byte(at) == UInt8(ascii: "\n") { open.removeAll(keepingCapacity: true) }
                skipFences()
            case UInt8(ascii: "`"): at = spans.end(ofSpanAt: at, in: bytes)
            case UInt8(ascii: "\\"): at += byte(at + 1) == UInt8(ascii: "\n") ? 1 : 2
            case UInt8(ascii: "!") where byte(at + 1) == UInt8(ascii: "["): begin(isEmbed: true, replacement)
            case UInt8(ascii: "["): begin(isEmbed: false, replacement)
            case UInt8(ascii: "]"): end(replacement)
            case UInt8(ascii: ":"): identifier(replacement)
            default: at += 1
            }
        }
        at = bytes.count
        flush()
    }

    private mutating func skipFences() {
        while at < bytes.count, let fence = MarkdownFence(at: at, in: bytes) { at = fence.end(in: bytes) }
    }

    private mutating func begin(isEmbed: Bool, _ replacement: (Occurrence) -> [UInt8]?) {
        let bracket = isEmbed ? at + 1 : at
        if byte(bracket + 1) == UInt8(ascii: "["), let end = wikiEnd(bracket + 2) {
            if let text = replacement(.wiki(isEmbed: isEmbed, content: bytes[(bracket + 2)..<end])) {
                flush()
                output += text
                flushed = end + 2
            }
            at = end + 2
            return
        }
        flush()
        if open.count == Self.depthMax { open.removeFirst() }
        open.append(Open(outputStart: output.count, isEmbed: isEmbed))
        at = bracket + 1
    }

    private mutating func end(_ replacement: (Occurrence) -> [UInt8]?) {
        defer { at += 1 }
        guard let start = open.popLast(), byte(at + 1) == UInt8(ascii: "("),
            let destination = MarkdownDestination(at: at + 2, in: bytes)
        else { return }
        flush()
        // A copy of the words: a slice would keep all of the output shared, and the change below would copy it for each
        // link.
        let text = Array(output[(start.outputStart + (start.isEmbed ? 2 : 1))...])[...]
        let link = Occurrence.inline(
            isEmbed: start.isEmbed, text: text, destination: bytes[destination.range], hasTitle: destination.hasTitle)
        guard let new = replacement(link) else { return }
        output.removeSubrange(start.outputStart...)
        output += new
        flushed = destination.end
        at = destination.end - 1
    }

    private mutating func identifier(_ replacement: (Occurrence) -> [UInt8]?) {
        defer { at += 1 }
        let end = at + Self.identifierByteCount
        guard at > 0, byte(at + 1) == UInt8(ascii: "/"), end <= bytes.count,
            bytes[(at + 2)..<end].allSatisfy(Self.isHexadecimal)
        else { return }
        switch bytes[at - 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: " "), UInt8(ascii: "<"), UInt8(ascii: "="): break
        default: return
        }
        guard let new = replacement(.identifier(bytes[(at + 2)..<end])) else { return }
        flush()
        output += new
        flushed = end
        at = end - 1
    }

    /// Returns the place of "]]" on the same line and before another "[[".
    private func wikiEnd(_ start: Int) -> Int? {
        var at = start
        while at + 1 < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\n"), UInt8(ascii: "["): return nil
            case UInt8(ascii: "]"): return bytes[at + 1] == UInt8(ascii: "]") && at > start ? at : nil
            default: at += 1
            }
        }
        return nil
    }

    private mutating func flush() {
        if flushed < min(at, bytes.count) { output += bytes[flushed..<min(at, bytes.count)] }
        flushed = max(flushed, min(at, bytes.count))
    }

    private func byte(_ place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

    static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

/// `MarkdownDestination` tells where a link leads: what stands in its round brackets, with or without "<>" and a title.
private struct MarkdownDestination {
    /// The destination alone.
    let range: Range<Int>
    /// The byte after ")".
    let end: Int
    /// Whether words for the pointer stand behind it.
    let hasTitle: Bool

    private static let depthMax = 32

    /// Finds where the destination and the link end.
    ///
    /// - Parameter start: the byte after "(".
    /// - Returns: nil if the line ends, or another link begins, before it does.
    init?(at start: Int, in bytes: [UInt8]) {
        var at = start
        Self.skipBlanks(&at, bytes)
        if at < bytes.count, bytes[at] == UInt8(ascii: "<") {
            guard let close = Self.find(UInt8(ascii: ">"), from: at + 1, bytes) else { return nil }
            range = at + 1..<close
            at = close + 1
        } else {
            let first = at
            var depth = 0
            scan: while at < bytes.count {
                switch bytes[at] {
                case UInt8(ascii: "("):
                    depth += 1
                    guard depth <= Self.depthMax else { return nil }
                case UInt8(ascii: ")"):
                    if depth == 0 { break scan }
                    depth -= 1
                case UInt8(ascii: "]") where at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "("): return nil
                case UInt8(ascii: " "), UInt8(ascii: "\t"): break scan
                case 0..<0x20: return nil
                default: break
                }
                at += 1
            }
            range = first..<at
        }
        Self.skipBlanks(&at, bytes)
        let isQuoted = at < bytes.count && (bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'"))
        if isQuoted {
            guard let close = Self.find(bytes[at], from: at + 1, bytes) else { return nil }
            at = close + 1
            Self.skipBlanks(&at, bytes)
        }
        guard at < bytes.count, bytes[at] == UInt8(ascii: ")"), !range.isEmpty else { return nil }
        end = at + 1
        hasTitle = isQuoted
    }

    private static func skipBlanks(_ at: inout Int, _ bytes: [UInt8]) {
        while at < bytes.count, bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") { at += 1 }
    }

    private static func find(_ mark: UInt8, from start: Int, _ bytes: [UInt8]) -> Int? {
        var at = start
        while at < bytes.count, bytes[at] >= 0x20 {
            if bytes[at] == mark { return at }
            if bytes[at] == UInt8(ascii: "]"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "(") { return nil }
            at += 1
        }
        return nil
    }
}
