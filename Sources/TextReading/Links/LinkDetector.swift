// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `LinkDetector` finds addresses, telephone numbers, days and `[[note links]]` in a text; it finds nothing in code, as
/// Markdown marks it.
///
/// One pass: whatever a link could be made of is looked at a bounded number of times, so the time grows with the text
/// alone. In a target are the characters of RFC 3986 and, in hosts, letters of other scripts: nothing that a terminal
/// obeys.
public enum LinkDetector {
    private static let opening = ByteFinder(Array("[[".utf8))

    /// Finds links in the order of their places; they never overlap. Text need not be UTF-8.
    public static func links(in text: [UInt8]) -> [DetectedLink] {
        var links: [DetectedLink] = []
        for segment in ProseSegments.of(text) {
            var scanner = LinkScanner(text, segment)
            scanner.run()
            links += scanner.links
        }
        return links
    }

    public static func links(in text: String) -> [DetectedLink] { links(in: Array(text.utf8)) }

    /// Returns what `[[…]]` names, each once.
    public static func noteTargets(in text: [UInt8]) -> [String] {
        guard opening.first(in: text.span) != nil else { return [] }
        var known: Set<String> = []
        return links(in: text).filter { $0.kind == .note && known.insert($0.target).inserted }.map(\.target)
    }
}

/// This is the quick test that comes before the search for links, as every note is indexed.
extension LinkDetector {
    private static let blockByteCount = 64

    /// Returns whether a text may hold an address or a note link: bytes in a row that every one of them has.
    ///
    /// `@` of mail, `://`, `geo:`, `www.` and `[[`. Telephone numbers and days are not looked for.
    public static func mayHaveLinks(_ text: Span<UInt8>) -> Bool {
        var offset = 0
        // A place is looked at together with the two that follow it; the last two have no room for a link.
        while offset + 2 < text.count {
            let size = min(blockByteCount, text.count - 2 - offset)
            let firsts = text.extracting(offset..<(offset + size))
            let seconds = text.extracting((offset + 1)..<(offset + 1 + size))
            let thirds = text.extracting((offset + 2)..<(offset + 2 + size))
            if holdsMark(firsts, seconds, thirds) {
                for index in offset..<(offset + size) where isCandidate(text, index) { return true }
            }
            offset += size
        }
        return false
    }

    /// Makes no early exit, and looks for one mark after the other: loops without branches over few bytes are those
    /// that get vectorised.
    private static func holdsMark(_ firsts: Span<UInt8>, _ seconds: Span<UInt8>, _ thirds: Span<UInt8>) -> Bool {
        guard firsts.count == seconds.count, firsts.count == thirds.count else { return true }
        var found: UInt8 = 0
        for index in 0..<firsts.count { found |= (firsts[index] == 0x40 ? 1 : 0) }
        for index in 0..<firsts.count { found |= (firsts[index] == 0x5B ? 1 : 0) & (seconds[index] == 0x5B ? 1 : 0) }
        for index in 0..<firsts.count { found |= (firsts[index] == 0x3A ? 1 : 0) & (seconds[index] == 0x2F ? 1 : 0) }
        for index in 0..<firsts.count {
            found |= (firsts[index] | 0x20 == 0x77 ? 1 : 0) & (thirds[index] | 0x20 == 0x77 ? 1 : 0)
        }
        for index in 0..<firsts.count {
            found |= (firsts[index] | 0x20 == 0x65 ? 1 : 0) & (thirds[index] == 0x3A ? 1 : 0)
        }
        return found != 0
    }

    private static func isCandidate(_ text: Span<UInt8>, _ offset: Int) -> Bool {
        func byte(_ distance: Int) -> UInt8 {
            let place = offset + distance
            return place >= 0 && place < text.count ? text[place] : 0
        }
        switch byte(0) {
        case UInt8(ascii: "@"): return ByteClass.isWord(byte(1)) && byte(-1) > 0x20
        case UInt8(ascii: "["): return byte(1) == UInt8(ascii: "[")
        case UInt8(ascii: ":"): return byte(1) == UInt8(ascii: "/") && byte(2) == UInt8(ascii: "/")
        case UInt8(ascii: "w"), UInt8(ascii: "W"):
            return byte(1) | 0x20 == UInt8(ascii: "w") && byte(2) | 0x20 == UInt8(ascii: "w")
                && byte(3) == UInt8(ascii: ".")
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
            return byte(1) | 0x20 == UInt8(ascii: "o") && byte(2) == UInt8(ascii: ":")
                && byte(-1) | 0x20 == UInt8(ascii: "g")
        default: return false
        }
    }
}

/// `LinkScanner` looks for links in one piece of prose, from left to right.
private struct LinkScanner {
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
            if isNumberStart {
                let found =
                    DateText.find(text, at, segment) ?? StreetAddress.find(text, at, from: consumed, segment)
                    ?? PhoneNumber.find(text, at, segment)
                if let found { return found }
            } else if let parcel = ParcelNumber.find(text, digits: at, from: consumed, segment) {
                return parcel
            }
            // The rest of a number is not looked at by itself.
            while skip < segment.upperBound, ByteClass.isDigit(text[skip]) { skip += 1 }
            return nil
        case 0x41...0x5A, 0x61...0x7A:
            guard Self.firstLetters & (1 << UInt32(text[at] & 31)) != 0, isWordStart else { return nil }
            return WebAddress.find(text, at, segment, skip: &skip) ?? NamedAddress.find(text, at, segment)
                ?? FlightNumber.find(text, at, segment)
        default: return nil
        }
    }

    /// Letters that a scheme, "www.", or a word for a flight begins with: one bit for each place in the alphabet.
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

    /// Characters that make a number part of something else when they stand before it: a price, a version, a path, a
    /// fraction.
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

/// `DetectedLink` is something in a note's text that leads elsewhere.
public struct DetectedLink: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case url, email, phone, date, note, address, parcel, flight
    }

    public var kind: Kind
    /// Bytes of the text that are shown as the link.
    public var range: Range<Int>
    /// An absolute URI for `url`, `email`, `phone` and `address`, an ISO date, the title or identifier of a note, or
    /// the number of a parcel or a flight.
    public var target: String
    /// The text that is shown.
    public var label: String
}
