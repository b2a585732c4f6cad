// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What an open element of markup has to do when it ends.
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

/// What an element means, by its name.
enum MarkupKind {
    /// Not "head": the library opens one before a `meta` or `style`, and closes it only at elements of HTML 4.
    static let hidden: Set<String> = ["script", "style", "title", "template", "noscript"]
    static let paragraphs: Set<String> = [
        "p", "section", "article", "figure", "en-note", "html", "body", "dl", "details",
    ]
    static let blocks: Set<String> = [
        "div", "center", "header", "footer", "main", "nav", "address", "dt", "dd", "figcaption", "summary",
    ]
    static let voids: Set<String> = [
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
