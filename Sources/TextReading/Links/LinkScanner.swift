// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Looks for links in one piece of prose, from left to right.
struct LinkScanner {
    let text: [UInt8]
    let segment: Range<Int>
    private(set) var links: [DetectedLink] = []
    private var at: Int
    /// Where the last link ended: none reaches back behind it.
    private var consumed: Int

    init(_ text: [UInt8], _ segment: Range<Int>) {
        self.text = text
        self.segment = segment
        at = segment.lowerBound
        consumed = at
    }

    mutating func run() {
        while at < segment.upperBound {
            var skip = at + 1
            if let link = link(&skip) {
                links.append(link)
                at = link.range.upperBound
                consumed = at
            } else {
                at = skip
            }
        }
    }

    private func link(_ skip: inout Int) -> DetectedLink? {
        switch text[at] {
        case UInt8(ascii: "["): return NoteLink.find(text, at, segment)
        case UInt8(ascii: "@"): return MailAddress.find(text, at: at, in: consumed..<segment.upperBound)
        case UInt8(ascii: "+"), UInt8(ascii: "("): return isNumberStart ? PhoneNumber.find(text, at, segment) : nil
        case 0x30...0x39:
            if isNumberStart, let link = DateText.find(text, at, segment) ?? PhoneNumber.find(text, at, segment) {
                return link
            }
            // The rest of a number is not looked at by itself.
            while skip < segment.upperBound, ByteClass.isDigit(text[skip]) { skip += 1 }
            return nil
        case 0x41...0x5A, 0x61...0x7A:
            guard Self.firstLetters & (1 << UInt32(text[at] & 31)) != 0, isWordStart else { return nil }
            return WebAddress.find(text, at, segment, skip: &skip) ?? NamedAddress.find(text, at, segment)
        default: return nil
        }
    }

    /// Letters that a scheme or "www." begins with: one bit for each place in the alphabet.
    private static let firstLetters = "fghmstvw".utf8.reduce(UInt32(0)) { $0 | 1 << UInt32($1 & 31) }

    /// The byte before, or 0 where nothing is before.
    private var before: UInt8 { at > segment.lowerBound ? text[at - 1] : 0 }

    /// Whether what begins here is not the rest of a word. Scripts without spaces may stand right before it, and so may
    /// the mark of emphasis.
    private var isWordStart: Bool {
        if at == consumed { return true }
        if before < 0x80 {
            let isEmphasis = before == 0x5F && (at - 1 == segment.lowerBound || !ByteClass.isWord(text[at - 2]))
            return isEmphasis || !ByteClass.isWord(before)
        }
        let scalar = UTF8Decoding.scalar(in: text.span, before: at).scalar
        if scalar.properties.generalCategory == .currencySymbol { return false }
        return !ByteClass.isName(scalar) || ByteClass.isUnspaced(scalar)
    }

    /// Before a number these belong to it: a price, a version, a path, a fraction.
    private static let numberGlue = Set("+-.,/#$%&_~@\\".utf8)

    private var isNumberStart: Bool {
        guard isWordStart else { return false }
        let first = at - 2 >= segment.lowerBound ? text[at - 2] : 0
        // "12:30" is a time; "due:2026-11-21" is a name and its value; "a..b" are two ends.
        if before == UInt8(ascii: ":") || before == UInt8(ascii: "=") { return !ByteClass.isDigit(first) }
        if before == UInt8(ascii: "."), first == before { return true }
        return !Self.numberGlue.contains(before)
    }
}
