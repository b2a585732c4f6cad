// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `MarkupConverter` makes Markdown of HTML or of Evernote's ENML. Looks are dropped; what else has no Markdown is
/// named in `lost`.
struct MarkupConverter {
    /// `Resolver` answers what only the importer knows.
    struct Resolver {
        /// The Markdown for a file by its MD5 in hexadecimal digits.
        var media: (String) -> String? = { _ in nil }
        /// The Markdown for a link with an address and a text; nil for an ordinary link.
        var link: (String, String) -> String? = { _, _ in nil }
        /// Whether pictures that lie elsewhere are named in the text.
        var takesPictures = true
    }

    let resolver: Resolver
    var text = MarkupText()
    var open: [MarkupElement] = []
    var hiddenDepth = 0
    /// The content of a block of code, as it is.
    var code: [UInt8]?
    var link: (address: String, start: Int)?
    var columns = (count: 0, isFirstRow: true)
    var tableDepth = 0
    /// Names of elements that have no Markdown.
    var lost: Set<String> = []
    var hasEncryption = false

    private init(_ resolver: Resolver) { self.resolver = resolver }

    struct Result {
        let markdown: [UInt8]
        let lost: [String]
        let isDamaged: Bool
        let hasEncryption: Bool
    }

    static func convert(_ bytes: [UInt8], _ resolver: Resolver = Resolver()) -> Result {
        var converter = MarkupConverter(resolver)
        let isWhole = MarkupParser.parse(bytes) { converter.take($0) }
        while !converter.open.isEmpty { converter.endLast() }
        return Result(
            markdown: converter.text.finished(), lost: converter.lost.sorted(), isDamaged: !isWhole,
            hasEncryption: converter.hasEncryption)
    }

    mutating func take(_ token: MarkupParser.Token) {
        switch token {
        case .text(let bytes):
            guard hiddenDepth == 0 else { return }
            if code != nil { code? += bytes } else { text.add(text: bytes) }
        case .start(let name, let attributes):
            if MarkupKind.voids.contains(name) {
                if hiddenDepth == 0 { void(name, attributes) }
            } else {
                open.append(MarkupElement(name: name, endings: hiddenDepth > 0 ? [] : begin(name, attributes)))
            }
        // Elements end in the order of their nesting: the library sees to that.
        case .end(let name): if open.last?.name == name { endLast() }
        case .strayEnd(let name):
            // A block within a paragraph has ended it: what stands between the two ends is one by itself.
            if name == "p", hiddenDepth == 0, code == nil, !open.contains(where: { $0.name == name }) {
                text.breakLine(2)
            }
        }
    }

    mutating func void(_ name: String, _ attributes: [String: String]) {
        if code != nil {
            if name == "br" { code?.append(UInt8(ascii: "\n")) }
            return
        }
        switch name {
        case "br": text.breakLine(1)
        case "hr":
            text.breakLine(2)
            text.add(markdown: "---")
            text.breakLine(2)
        case "en-todo":
            let box = attributes["checked"] == "true" ? "[x] " : "[ ] "
            if text.lists.isEmpty { text.beginItem("- " + box) } else { text.add(markdown: box) }
        case "en-media":
            if let media = resolver.media(attributes["hash"] ?? "") {
                text.add(markdown: media)
            } else {
                lost.insert(name)
            }
        case "img": image(attributes)
        case "input":
            if attributes["type"] == "checkbox" {
                text.add(markdown: attributes["checked"] != nil ? "[x] " : "[ ] ")
            } else {
                lost.insert(name)
            }
        default: break
        }
    }

    mutating func image(_ attributes: [String: String]) {
        let source = attributes["src"] ?? ""
        guard resolver.takesPictures, !source.isEmpty, !source.hasPrefix("data:"), let address = Self.address(source)
        else {
            lost.insert("img")
            return
        }
        let caption = (attributes["alt"] ?? "").filter { $0 != "[" && $0 != "]" && !$0.isNewline }
        text.add(markdown: "![\(caption)](\(address))")
    }

    private mutating func endLast() {
        guard let element = open.popLast() else { return }
        for ending in element.endings.reversed() { end(ending) }
    }

    /// Returns an address that cannot end its brackets early; nil for a script.
    static func address(_ text: String) -> String? {
        guard text.utf8.count <= 4096, !text.lowercased().hasPrefix("javascript:") else { return nil }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "(": result += "%28"
            case ")": result += "%29"
            case " ": result += "%20"
            case "<": result += "%3C"
            case ">": result += "%3E"
            default: if scalar.value > 0x20, scalar.value != 0x7F { result.unicodeScalars.append(scalar) }
            }
        }
        return result.isEmpty ? nil : result
    }
}

/// `MarkupElement` says what an open element of markup has to do when it ends.
struct MarkupElement {
    enum Ending {
        case nothing
        case block
        case paragraph
        case mark
        case item
        case list
        case quotation
        case code
        case link
        case row
        case cell
        case table
        case hidden
    }

    let name: String
    var endings: [Ending]
}

/// `MarkupKind` says what an element means, by its name.
enum MarkupKind {
    /// Not "head": the library opens one before a `meta` or `style`, and closes it only at elements of HTML 4.
    static let hidden: Set<String> = ["script", "style", "title", "template", "noscript"]
    static let paragraphs: Set<String> = [
        "p", "section", "article", "figure", "en-note", "html", "body", "dl", "details",
    ]
    static let blocks: Set<String> = [
        "div", "center", "header", "footer", "main", "nav", "address", "dt", "dd", "figcaption", "summary",
    ]
    fileprivate static let voids: Set<String> = [
        "br", "hr", "img", "en-media", "en-todo", "input", "meta", "link", "area", "col", "wbr",
    ]
    static let marks: [String: String] = [
        "b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*", "s": "~~", "del": "~~", "strike": "~~",
        "code": "`", "tt": "`", "kbd": "`",
    ]
    /// Without a counterpart in Markdown, so that something is lost besides looks.
    static let lost: Set<String> = [
        "u", "sub", "sup", "mark", "iframe", "object", "embed", "video", "audio", "svg", "math", "form", "input",
        "select", "textarea", "canvas",
        "ruby", "ins",
    ]
}
