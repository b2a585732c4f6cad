// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The tags and texts of HTML or ENML, whatever their state: what is no tag is text, and no input is refused.
///
/// It knows no document type and no entities but XML's five, the unbreakable blank and numbers: another "&name;" stays as it
/// stands, so nothing can grow. Each byte is looked at a bounded number of times.
struct MarkupTokenizer {
    enum Token: Equatable {
        case start(name: String, attributes: [String: String], isEmpty: Bool)
        case end(name: String)
        case text([UInt8])
    }

    private static let attributeCountMax = 64
    private static let attributeByteCountMax = 64 << 10
    private static let nameByteCountMax = 64

    private let bytes: [UInt8]
    private var at = 0
    /// A tag or comment that nothing closes, or a document type with declarations.
    private(set) var isDamaged = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Token? {
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else { return text() }
            let following = at + 1 < bytes.count ? bytes[at + 1] : 0
            switch following {
            case UInt8(ascii: "!"), UInt8(ascii: "?"): if let text = declaration() { return text }
            case UInt8(ascii: "/"): return endTag()
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return startTag()
            default:
                isDamaged = true
                at += 1
                return .text([UInt8(ascii: "<")])
            }
        }
        return nil
    }

    private mutating func text() -> Token {
        var result: [UInt8] = []
        while at < bytes.count, bytes[at] != UInt8(ascii: "<") {
            if bytes[at] == UInt8(ascii: "&") {
                result += reference(end: bytes.count)
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return .text(result)
    }

    /// A comment, an instruction, a document type; the text of a CDATA section.
    private mutating func declaration() -> Token? {
        if bytes[at...].starts(with: "<!--".utf8) {
            skip(past: "-->")
        } else if bytes[at...].starts(with: "<![CDATA[".utf8) {
            let start = at + 9
            skip(past: "]]>")
            return .text(Array(bytes[start..<max(start, min(at, bytes.count) - 3)]))
        } else {
            let start = at
            skip(past: ">")
            if bytes[start..<at].contains(UInt8(ascii: "[")) { isDamaged = true }
        }
        return nil
    }

    private mutating func skip(past end: String) {
        let mark = Array(end.utf8)
        while at < bytes.count {
            if bytes[at] == mark[0], bytes[at...].starts(with: mark) {
                at += mark.count
                return
            }
            at += 1
        }
        isDamaged = true
    }

    private mutating func endTag() -> Token {
        at += 2
        let name = name()
        while at < bytes.count, bytes[at] != UInt8(ascii: ">") { at += 1 }
        at = min(at + 1, bytes.count)
        return .end(name: name)
    }

    private mutating func startTag() -> Token {
        at += 1
        let name = name()
        var attributes: [String: String] = [:]
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: ">"):
                at += 1
                return .start(name: name, attributes: attributes, isEmpty: false)
            case UInt8(ascii: "/") where at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: ">"):
                at += 2
                return .start(name: name, attributes: attributes, isEmpty: true)
            case UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), 0...0x20: at += 1
            default:
                let key = self.name()
                let value = value()
                if attributes.count < Self.attributeCountMax, attributes[key] == nil { attributes[key] = value }
            }
        }
        isDamaged = true
        return .start(name: name, attributes: attributes, isEmpty: false)
    }

    private mutating func name() -> String {
        let start = at
        while at < bytes.count, bytes[at] > 0x20, !"=/><\"'".utf8.contains(bytes[at]) { at += 1 }
        if at == start { at += 1 }
        let end = min(at, bytes.count, start + Self.nameByteCountMax)
        return String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
    }

    private mutating func value() -> String {
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else { return "" }
        at += 1
        skipBlanks()
        guard at < bytes.count else { return "" }
        let quote = bytes[at]
        let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        if isQuoted { at += 1 }
        let start = at
        while at < bytes.count, isQuoted ? bytes[at] != quote : bytes[at] > 0x20 && bytes[at] != UInt8(ascii: ">") { at += 1 }
        let end = at
        if isQuoted { at = min(at + 1, bytes.count) }
        // Longer values are data, which an attachment ought to hold.
        guard end - start <= Self.attributeByteCountMax else { return "" }
        return decoded(start, end)
    }

    private mutating func decoded(_ start: Int, _ end: Int) -> String {
        guard bytes[start..<end].contains(UInt8(ascii: "&")) else { return String(decoding: bytes[start..<end], as: UTF8.self) }
        let place = at
        var result: [UInt8] = []
        at = start
        while at < end {
            if bytes[at] == UInt8(ascii: "&") {
                result += reference(end: end)
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        at = place
        return String(decoding: result, as: UTF8.self)
    }

    /// One character, or the sign itself.
    private mutating func reference(end: Int) -> [UInt8] {
        let start = at + 1
        at = start
        guard let semicolon = bytes[start..<min(start + 12, end)].firstIndex(of: UInt8(ascii: ";")),
            let scalar = MarkupReference.scalar(String(decoding: bytes[start..<semicolon], as: UTF8.self))
        else { return [UInt8(ascii: "&")] }
        at = semicolon + 1
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func skipBlanks() {
        while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
    }
}
