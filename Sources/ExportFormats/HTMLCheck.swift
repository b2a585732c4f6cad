// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ParserProtocol

/// `HTMLCheck` tells whether HTML contains only what cmark-gfm makes of a text: known tags with known
/// attributes, each closed in order, links to the web, to a mail program or to the note's own footnotes.
///
/// The page's content security policy forbids scripts and requests, but not automatic redirects, nor a tag
/// that absorbs what follows it.
public struct HTMLCheck {
    private static let tags: Set = [
        "p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "pre", "code", "em", "strong", "del", "table", "thead", "tbody",
        "tr", "th", "td",
        "blockquote", "sup", "section", "a",
    ]
    private static let voidTags: Set = ["hr", "br", "input"]
    private static let schemes = ["https://", "http://", "mailto:"]

    private let name: String

    /// Makes a check for the page of one note.
    ///
    /// - Parameter name: of the note, which its own anchors begin with.
    public init(name: String) { self.name = name }

    /// Returns whether every part may be written, and all of them together close what they open.
    public func allows(_ pieces: [HTMLPiece]) -> Bool {
        var open: [String] = []
        for piece in pieces {
            // A place between two parts is one for text, so no tag is cut by it.
            if case .html(let text) = piece, !allows(Array(text.utf8), &open) { return false }
        }
        return open.isEmpty
    }

    private func allows(_ html: [UInt8], _ open: inout [String]) -> Bool {
        var at = 0
        while at < html.count {
            guard html[at] == UInt8(ascii: "<") else {
                if html[at] == UInt8(ascii: ">") || html[at] < 0x20 && ![0x09, 0x0A].contains(html[at]) {
                    return false
                }
                at += 1
                continue
            }
            guard let end = html[at...].firstIndex(of: UInt8(ascii: ">")),
                allowsTag(String(decoding: html[(at + 1)..<end], as: UTF8.self), &open)
            else { return false }
            at = end + 1
        }
        return true
    }

    /// Returns whether a tag may be written, and opens or closes it.
    ///
    /// - Parameter text: what stands between "<" and ">".
    private func allowsTag(_ text: String, _ open: inout [String]) -> Bool {
        if text.hasPrefix("/") { return open.popLast() == String(text.dropFirst()) }
        var rest = text[...]
        let tag = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
        rest = rest.dropFirst(tag.count)
        let isClosed = rest.hasSuffix(" /")
        if isClosed { rest = rest.dropLast(2) }
        guard isClosed ? Self.voidTags.contains(tag) : Self.tags.contains(tag) else { return false }
        while !rest.isEmpty {
            guard rest.first == " " else { return false }
            rest = rest.dropFirst()
            let key = String(rest.prefix { $0.isASCII && ($0.isLetter || $0 == "-") })
            rest = rest.dropFirst(key.count)
            guard rest.hasPrefix("=\"") else {
                guard ["data-footnote-ref", "data-footnotes", "data-footnote-backref"].contains(key) else {
                    return false
                }
                continue
            }
            rest = rest.dropFirst(2)
            guard let end = rest.firstIndex(of: "\""), allows(key, String(rest[..<end]), of: tag) else { return false }
            rest = rest[rest.index(after: end)...]
        }
        if !isClosed { open.append(tag) }
        return true
    }

    private func allows(_ key: String, _ value: String, of tag: String) -> Bool {
        switch (tag, key) {
        case ("a", "href"): isLink(value)
        case ("a", "id"), ("li", "id"), ("section", "id"): value.hasPrefix(name + "-fn")
        case ("a", "title"), ("a", "class"), ("a", "aria-label"), ("code", "class"), ("section", "class"),
            ("sup", "class"):
            true
        case ("a", _): key.hasPrefix("data-footnote")
        case ("section", "data-footnotes"): true
        case ("th", "align"), ("td", "align"): ["left", "right", "center"].contains(value)
        case ("ol", "start"): value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        case ("input", "type"): value == "checkbox"
        case ("input", "checked"), ("input", "disabled"): value.isEmpty
        default: false
        }
    }

    private func isLink(_ address: String) -> Bool {
        if address.hasPrefix("#" + name + "-fn") { return true }
        let lower = String(address.prefix(8)).lowercased()
        return Self.schemes.contains { lower.hasPrefix($0) && address.utf8.count > $0.utf8.count }
            && address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}
