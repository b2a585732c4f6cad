// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Renders the signs within a paragraph: code, emphasis, links and attachments. Everything else is text.
///
/// One pass from left to right. A search for what closes a sign is never made in vain twice over the same bytes, and emphasis in emphasis
/// ends at `depthMax`, so the time grows with the length alone.
struct HTMLInline {
    private static let depthMax = 6
    /// A sign that nothing closes, on one level of emphasis: searched from here to there.
    private typealias Misses = [[UInt8]: Range<Int>]

    private let bytes: [UInt8]
    private let attachments: HTMLAttachments
    private var misses = [Misses](repeating: [:], count: depthMax + 1)
    private var links: HTMLLinkFinder
    private var text: [UInt8] = []

    init(_ bytes: [UInt8], _ attachments: HTMLAttachments) {
        self.bytes = bytes
        self.attachments = attachments
        links = HTMLLinkFinder(bytes)
        text.reserveCapacity(bytes.count + bytes.count / 8)
    }

    mutating func render(to output: ByteOutput) throws {
        try render(0..<bytes.count, depth: 0, to: output)
        try output.write(text)
        text = []
    }

    private mutating func render(_ range: Range<Int>, depth: Int, to output: ByteOutput) throws {
        var at = range.lowerBound
        while at < range.upperBound {
            switch bytes[at] {
            case UInt8(ascii: "\\"): at = escape(at, range)
            case UInt8(ascii: "`"): at = code(at, range, depth)
            case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): at = try emphasis(at, range, depth, to: output)
            case UInt8(ascii: "!") where at + 1 < range.upperBound && bytes[at + 1] == UInt8(ascii: "["):
                at = try link(at + 1, range, isPicture: true, to: output)
            case UInt8(ascii: "["): at = try link(at, range, isPicture: false, to: output)
            case UInt8(ascii: "h"): at = bareLink(at, range)
            default: at = plain(at, range)
            }
        }
    }

    /// Most of a text: up to the next byte that may be a sign.
    private mutating func plain(_ start: Int, _ range: Range<Int>) -> Int {
        var at = start
        while at < range.upperBound, Self.isPlain(bytes[at]) { at += 1 }
        if at > start {
            text += bytes[start..<at]
            return at
        }
        HTMLText.append(bytes[start], to: &text)
        return start + 1
    }

    /// Neither a sign nor to be escaped, nor the "h" that an address begins with.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte != UInt8(ascii: "h")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80..., UInt8(ascii: " "), UInt8(ascii: "."),
            UInt8(ascii: ","):
            true
        default: false
        }
    }

    /// "\*" is "*"; before a letter it is itself.
    private mutating func escape(_ at: Int, _ range: Range<Int>) -> Int {
        guard at + 1 < range.upperBound, isPunctuation(bytes[at + 1]) else {
            text.append(bytes[at])
            return at + 1
        }
        HTMLText.append(bytes[at + 1], to: &text)
        return at + 2
    }

    private mutating func code(_ at: Int, _ range: Range<Int>, _ depth: Int) -> Int {
        let count = run(at, range)
        let start = at + count
        guard count <= 8, let close = find([UInt8](repeating: bytes[at], count: count), from: start, range, depth) else {
            text += bytes[at..<start]
            return start
        }
        text += "<code>".utf8
        HTMLText.append(bytes[start..<close], to: &text)
        text += "</code>".utf8
        return close + count
    }

    private mutating func emphasis(_ at: Int, _ range: Range<Int>, _ depth: Int, to output: ByteOutput) throws -> Int {
        let mark = bytes[at]
        let (runCount, isStrike) = (run(at, range), mark == UInt8(ascii: "~"))
        let count = runCount >= 2 ? 2 : 1
        let start = at + count
        let isInWord = mark == UInt8(ascii: "_") && at > 0 && isWord(bytes[at - 1])
        guard depth < Self.depthMax, runCount <= 3, !isInWord, !(isStrike && count == 1), start < range.upperBound, !isBlank(bytes[start]),
            let close = find([UInt8](repeating: mark, count: count), from: start + 1, range, depth)
        else {
            text += bytes[at..<(at + runCount)]
            return at + runCount
        }
        let tag = isStrike ? "s" : count == 2 ? "strong" : "em"
        text += "<\(tag)>".utf8
        try render(start..<close, depth: depth + 1, to: output)
        text += "</\(tag)>".utf8
        return close + count
    }

    private mutating func link(_ at: Int, _ range: Range<Int>, isPicture: Bool, to output: ByteOutput) throws -> Int {
        let label = at + 1
        if let close = links.close(ofLabelAt: at), close < range.upperBound {
            let words = bytes[label..<close]
            if let found = attachments.references.match(at: close, in: bytes), found.end <= range.upperBound {
                try output.write(text)
                text.removeAll(keepingCapacity: true)
                try attachments.show(found.attachment, words: words, isPicture: isPicture, in: output)
                return found.end
            }
            if let end = links.end(ofDestinationAt: close + 2), end < range.upperBound, let address = HTMLLink.address(bytes[(close + 2)..<end]) {
                appendLink(address, words: words.isEmpty ? address : words)
                return end + 1
            }
        }
        text += isPicture ? "![".utf8 : "[".utf8
        return label
    }

    private mutating func bareLink(_ at: Int, _ range: Range<Int>) -> Int {
        guard at == 0 || !isWord(bytes[at - 1]), let found = HTMLLink.bare(at: at, in: bytes[..<range.upperBound]) else {
            text.append(bytes[at])
            return at + 1
        }
        appendLink(bytes[found], words: bytes[found])
        return found.upperBound
    }

    private mutating func appendLink(_ address: ArraySlice<UInt8>, words: ArraySlice<UInt8>) {
        text += "<a rel=\"noopener noreferrer\" href=\"".utf8
        HTMLText.append(address, to: &text)
        text += "\">".utf8
        HTMLText.append(words, to: &text)
        text += "</a>".utf8
    }

    /// The next run of just this sign that stands behind something.
    private mutating func find(_ mark: [UInt8], from start: Int, _ range: Range<Int>, _ depth: Int) -> Int? {
        if let miss = misses[depth][mark], miss.lowerBound <= start, range.upperBound <= miss.upperBound { return nil }
        var at = start
        while at < range.upperBound {
            guard bytes[at] == mark[0] else {
                at += 1
                continue
            }
            let count = run(at, range)
            if count == mark.count, mark[0] == UInt8(ascii: "`") || !isBlank(bytes[at - 1]) { return at }
            at += count
        }
        misses[depth][mark] = start..<max(start, range.upperBound)
        return nil
    }

    private func run(_ start: Int, _ range: Range<Int>) -> Int {
        var at = start
        while at < range.upperBound, bytes[at] == bytes[start] { at += 1 }
        return at - start
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t") }
    private func isPunctuation(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && !isWord(byte) || byte == UInt8(ascii: "_") }
    private func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
