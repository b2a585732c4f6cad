// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// What cmark-gfm wrote, cut at the places of attachments.
struct RenderedHTML {
    /// Stands before the number of a place. No text holds it, see `MarkdownHTML`.
    private static let markByte: UInt8 = 1
    /// How cmark-gfm begins the anchors of footnotes and the links to them. A text cannot hold them: its quotation marks
    /// are escaped.
    private static let anchors = [Array("id=\"fn".utf8), Array("href=\"#fn".utf8)]

    private let bytes: [UInt8]
    private let name: [UInt8]

    init(_ bytes: [UInt8], _ name: String) {
        self.bytes = bytes
        self.name = Array(name.utf8)
    }

    static func mark(of place: Int) -> String { "\u{1}\(place)\u{1}" }

    func pieces(_ references: [MarkdownTree.Reference]) -> [HTMLPiece] {
        var pieces: [HTMLPiece] = []
        var html: [UInt8] = []
        html.reserveCapacity(bytes.count + 64)
        var at = 0
        while at < bytes.count {
            switch bytes[at] {
            case Self.markByte:
                let digits = bytes[(at + 1)...].prefix { (0x30...0x39).contains($0) }
                if let place = Int(String(decoding: digits, as: UTF8.self)), references.indices.contains(place) {
                    let reference = references[place]
                    pieces.append(.html(String(decoding: html, as: UTF8.self)))
                    pieces.append(.reference(reference.number, isPicture: reference.isPicture, label: reference.label))
                    html.removeAll(keepingCapacity: true)
                }
                at = digits.endIndex + 1
            case MarkdownPage.markByte:
                html += "\u{FFFD}".utf8
                at += 1
            case UInt8(ascii: "i"), UInt8(ascii: "h"):
                at = copyAnchor(at, to: &html)
            default:
                html.append(bytes[at])
                at += 1
            }
        }
        pieces.append(.html(String(decoding: html, as: UTF8.self)))
        return pieces.filter { $0 != .html("") }
    }

    /// Puts the note's name into an anchor of a footnote: a page has many notes.
    private func copyAnchor(_ at: Int, to html: inout [UInt8]) -> Int {
        for anchor in Self.anchors where bytes[at...].starts(with: anchor) {
            html += anchor.dropLast(2)
            html += name
            html += "-fn".utf8
            return at + anchor.count
        }
        html.append(bytes[at])
        return at + 1
    }
}
