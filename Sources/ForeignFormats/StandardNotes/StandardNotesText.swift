// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `StandardNotesText` makes the text of a note by the editor that it was written in.
enum StandardNotesText {
    /// Converts the text of a note to Markdown.
    ///
    /// - Returns: Markdown, and the name of the original where it has to be kept.
    static func markdown(
        _ text: String, type: String, _ note: inout NoteAssembly, _ titles: NoteTitles
    ) -> (body: [UInt8], original: String?) {
        switch type {
        case "super":
            var bubbles: [String] = []
            let lexical = LexicalText(text) { id in
                bubbles.append(id)
                // Stands in for the link until the note can be asked for it.
                return titles.target(of: id).map { "[[\($0)]]" }
            }
            guard let lexical else {
                note.losses.add(.damagedMarkup)
                return (Array(text.utf8), nil)
            }
            for id in bubbles {
                if let target = titles.target(of: id) {
                    _ = note.link(to: id, target: target, label: "")
                } else {
                    note.losses.add(.linkTargetMissing)
                }
            }
            for kind in lexical.lost.sorted() { note.losses.add(.unsupportedMarkup, detail: kind) }
            return (Array(lexical.markdown.utf8), "original.json")
        case "rich-text":
            let result = MarkupConverter.convert(Array(text.utf8))
            for name in result.lost { note.losses.add(.unsupportedMarkup, detail: name) }
            if result.isDamaged { note.losses.add(.damagedMarkup) }
            return (result.markdown, "original.html")
        case "", "plain-text", "markdown", "code", "unknown": return (Array(text.utf8), nil)
        // Tables, tasks and one-time codes are JSON: the text is all of it.
        default:
            note.losses.add(.unsupportedMarkup, detail: type)
            return (Array(text.utf8), nil)
        }
    }
}

/// `LexicalText` makes Markdown of Lexical's JSON, which Standard Notes keeps its "super" notes in.
private struct LexicalText {
    private static let depthMax = 64
    /// Bits of a text's format.
    private static let signs: [(bit: Int, sign: String)] = [(1, "**"), (2, "*"), (4, "~~"), (16, "`")]

    private(set) var markdown = ""
    /// Kinds of nodes whose content has no Markdown.
    private(set) var lost: Set<String> = []
    private let link: (String) -> String?

    /// Reads a text of Lexical's JSON.
    ///
    /// - Parameter link: the Markdown for a note by its identifier.
    /// - Returns: nil if it is no such text.
    init?(_ text: String, link: @escaping (String) -> String?) {
        guard let value = JSONValue.parse(Array(text.utf8)), let root = value["root"], !root["children"].isNil else {
            return nil
        }
        self.link = link
        blocks(root, indentation: "", depth: 0)
    }

    private mutating func blocks(_ node: JSONValue, indentation: String, depth: Int) {
        guard depth < Self.depthMax else { return }
        for child in node["children"]?.items ?? [] {
            switch child["type"]?.text ?? "" {
            case "heading":
                let level = child["tag"]?.text?.last.flatMap { $0.wholeNumberValue } ?? 1
                markdown +=
                    indentation + String(repeating: "#", count: min(max(level, 1), 6)) + " " + inline(child, depth)
                    + "\n\n"
            case "list": list(child, indentation: indentation, depth: depth)
            case "quote": markdown += indentation + "> " + inline(child, depth) + "\n\n"
            case "code": markdown += "```\n" + plain(child, depth) + "\n```\n\n"
            case "horizontalrule": markdown += "---\n\n"
            case "paragraph": markdown += indentation + inline(child, depth) + "\n\n"
            case let type:
                lost.insert(type)
                if Self.holdsBlocks(child) {
                    // What stands in lines of its own there must not become one word here.
                    blocks(child, indentation: indentation, depth: depth + 1)
                } else {
                    let text = inline(child, depth)
                    if !text.isEmpty { markdown += indentation + text + "\n\n" }
                }
            }
        }
    }

    private static func holdsBlocks(_ node: JSONValue) -> Bool {
        let children = node["children"]?.items ?? []
        return !children.isEmpty
            && children.allSatisfy { !$0["children"].isNil && !["link", "autolink"].contains($0["type"]?.text ?? "") }
    }

    private mutating func list(_ node: JSONValue, indentation: String, depth: Int) {
        guard depth < Self.depthMax else { return }
        var number = 1
        for item in node["children"]?.items ?? [] {
            let nested = (item["children"]?.items ?? []).filter { $0["type"]?.text == "list" }
            if nested.isEmpty {
                let sign =
                    switch node["listType"]?.text {
                    case "number": "\(number). "
                    case "check": item["checked"]?.isTrue == true ? "- [x] " : "- [ ] "
                    default: "- "
                    }
                markdown += indentation + sign + inline(item, depth) + "\n"
                number += 1
            }
            for list in nested { self.list(list, indentation: indentation + "   ", depth: depth + 1) }
        }
        if indentation.isEmpty { markdown += "\n" }
    }

    private mutating func inline(_ node: JSONValue, _ depth: Int) -> String {
        guard depth < Self.depthMax else { return "" }
        var result = ""
        for child in node["children"]?.items ?? [] {
            switch child["type"]?.text ?? "" {
            case "text", "code-highlight": result += Self.marked(child)
            case "linebreak": result += "\n"
            case "tab": result += "\t"
            case "link", "autolink":
                let label = inline(child, depth + 1)
                let address = child["url"]?.text ?? ""
                Self.append(label == address ? address : "[\(label)](\(address))", to: &result)
            case "snbubble":
                if let id = child["itemUuid"]?.text, let text = link(id) {
                    Self.append(text, to: &result)
                } else {
                    lost.insert("snbubble")
                }
            case let type:
                if child["children"].isNil { lost.insert(type) }
                result += inline(child, depth + 1)
            }
        }
        return result
    }

    /// Adds a link to a text. A "!" at the end of the text would make a picture of it, and is escaped.
    private static func append(_ link: String, to text: inout String) {
        if link.hasPrefix("["), text.hasSuffix("!") {
            text.removeLast()
            text += "\\!"
        }
        text += link
    }

    private func plain(_ node: JSONValue, _ depth: Int) -> String {
        (node["children"]?.items ?? []).map { child in
            child["type"]?.text == "linebreak" ? "\n" : child["text"]?.text ?? ""
        }.joined()
    }

    private static func marked(_ node: JSONValue) -> String {
        let text = node["text"]?.text ?? ""
        guard case .number(let number)? = node["format"], let format = Int(exactly: number), !text.isEmpty,
            !text.allSatisfy(\.isWhitespace)
        else {
            return text
        }
        return signs.filter { format & $0.bit != 0 }.reduce(text) { "\($1.sign)\($0)\($1.sign)" }
    }
}

extension JSONValue? {
    fileprivate var isNil: Bool { self == nil }
}
