// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `RenderedHTML` holds what cmark-gfm wrote, cut at the places of attachments.
struct RenderedHTML {
    /// How cmark-gfm begins the anchors of footnotes and the links to them. A text cannot hold them: its quotation
    /// marks are escaped.
    private static let anchors = [Array("id=\"fn".utf8), Array("href=\"#fn".utf8)]

    private let bytes: [UInt8]
    private let page: MarkdownPage
    private let nonce: [UInt8]
    private let name: [UInt8]

    init(_ bytes: [UInt8], _ page: MarkdownPage) {
        self.bytes = bytes
        self.page = page
        nonce = Array(page.nonce.utf8)
        name = Array(page.name.utf8)
    }

    /// Returns the mark that stands where an attachment is to be put.
    static func mark(of place: Int, _ nonce: String) -> String { "\(nonce)m\(place)e" }

    func pieces(_ references: [MarkdownTree.Reference]) -> [HTMLPiece] {
        var pieces: [HTMLPiece] = []
        var html: [UInt8] = []
        html.reserveCapacity(bytes.count + 64)
        var at = 0
        while at < bytes.count {
            if let (kind, number, end) = mark(at) {
                if kind == UInt8(ascii: "m"), references.indices.contains(number) {
                    let reference = references[number]
                    pieces.append(.html(String(decoding: html, as: UTF8.self)))
                    pieces.append(.reference(reference.number, isPicture: reference.isPicture, label: reference.label))
                    html.removeAll(keepingCapacity: true)
                } else if page.references.indices.contains(number) {
                    // A place that is no link: what was typed there.
                    for byte in page.references[number].utf8 { append(byte, to: &html) }
                }
                at = end
            } else if let anchor = Self.anchors.first(where: { bytes[at...].starts(with: $0) }) {
                // A page has many notes.
                html += anchor.dropLast(2) + name + "-fn".utf8
                at += anchor.count
            } else {
                // No HTML has these, not even escaped; a text can name them by entities.
                let isControl = bytes[at] < 0x20 && bytes[at] != 0x0A && bytes[at] != 0x09 || bytes[at] == 0x7F
                html += isControl ? Array("\u{FFFD}".utf8) : [bytes[at]]
                at += 1
            }
        }
        pieces.append(.html(String(decoding: html, as: UTF8.self)))
        return pieces.filter { $0 != .html("") }
    }

    /// Returns the mark that begins at a place: the letter of its kind, its number, and where it ends.
    private func mark(_ at: Int) -> (kind: UInt8, number: Int, end: Int)? {
        guard bytes[at] == nonce[0], bytes[at...].starts(with: nonce) else { return nil }
        let start = at + nonce.count
        guard start < bytes.count, bytes[start] == UInt8(ascii: "n") || bytes[start] == UInt8(ascii: "m") else {
            return nil
        }
        let digits = bytes[(start + 1)...].prefix(10).prefix { (0x30...0x39).contains($0) }
        guard let number = Int(String(decoding: digits, as: UTF8.self)), digits.endIndex < bytes.count,
            bytes[digits.endIndex] == UInt8(ascii: "e")
        else { return nil }
        return (bytes[start], number, digits.endIndex + 1)
    }

    private func append(_ byte: UInt8, to html: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "<"): html += "&lt;".utf8
        case UInt8(ascii: ">"): html += "&gt;".utf8
        case UInt8(ascii: "&"): html += "&amp;".utf8
        case UInt8(ascii: "\""): html += "&quot;".utf8
        case ..<0x20, 0x7F: html += "\u{FFFD}".utf8
        default: html.append(byte)
        }
    }
}
