// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Looks for links in one piece of prose, from left to right.
struct LinkScanner {
    let text: [UInt8]
    let segment: Range<Int>
    private(set) var links: [DetectedLink] = []
    var at: Int
    /// Where the last link ended: none reaches back behind it.
    private var consumed: Int

    private static let noteLinkByteCountMax = 500

    init(_ text: [UInt8], _ segment: Range<Int>) {
        self.text = text
        self.segment = segment
        at = segment.lowerBound
        consumed = at
    }

    mutating func run() {
        while at < segment.upperBound {
            let byte = text[at]
            var skip = at
            let link: DetectedLink? =
                switch byte {
                case UInt8(ascii: "["): noteLink()
                case UInt8(ascii: "@"): MailAddress.find(text, at: at, in: consumed..<segment.upperBound)
                case UInt8(ascii: "+"), UInt8(ascii: "("), 0x30...0x39:
                    isWordStart ? DateText.find(text, at, segment) ?? PhoneNumber.find(text, at, segment) : nil
                case 0x41...0x5A, 0x61...0x7A: isWordStart ? WebAddress.find(text, at, segment, skip: &skip) : nil
                default: nil
                }
            if let link {
                links.append(link)
                at = max(link.range.upperBound, at + 1)
                consumed = at
            } else if skip > at {
                at = skip
            } else if (0x30...0x39).contains(byte), isWordStart {
                skipNumber()
            } else {
                at += 1
            }
        }
    }

    /// Whether what begins here is not the rest of something longer.
    private var isWordStart: Bool {
        guard at > segment.lowerBound, at > consumed else { return true }
        let before = text[at - 1]
        // Scripts without spaces between words may stand right before an address.
        return (before >= 0x80 || !ByteClass.isWord(before)) && (!ByteClass.isDigit(text[at]) || !Self.numberGlue.contains(before))
    }

    /// Before a digit these belong to it: a price, a version, a path, a fraction.
    private static let numberGlue = Set("+-.,:/#$%&=_~".utf8)

    /// A number that is no link is passed as a whole, so that its parts are not looked at one by one.
    private mutating func skipNumber() {
        while at < segment.upperBound, ByteClass.isDigit(text[at]) { at += 1 }
    }

    /// `[[title]]` or `[[identifier|label]]`, on one line and not nested.
    private func noteLink() -> DetectedLink? {
        let open = UInt8(ascii: "["), close = UInt8(ascii: "]")
        let limit = min(segment.upperBound, at + 4 + Self.noteLinkByteCountMax)
        guard at + 1 < limit, text[at + 1] == open, at + 2 < limit, text[at + 2] != open else { return nil }
        guard let end = (at + 2..<limit).first(where: { text[$0] == close || text[$0] == open }), text[end] == close, end + 1 < limit,
            text[end + 1] == close
        else { return nil }
        let parts = String(decoding: text[(at + 2)..<end], as: UTF8.self).split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let target = Self.clean(parts[0])
        let label = parts.count > 1 ? Self.clean(parts[1]) : target
        guard !target.isEmpty else { return nil }
        return DetectedLink(kind: .note, range: at..<(end + 2), target: target, label: label.isEmpty ? target : label)
    }

    /// One line without controls, so that it can be typed, shown and compared.
    private static func clean(_ text: Substring) -> String {
        let kept = text.unicodeScalars.filter {
            $0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value) && !ByteClass.isReordering($0)
        }
        return String(String.UnicodeScalarView(kept)).split(separator: " ").joined(separator: " ")
    }
}

/// What bytes and scalars may be part of.
enum ByteClass {
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    /// Letters, digits, the underscore, and every byte of what is not ASCII.
    static func isWord(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) || byte == 0x5F || byte >= 0x80 }

    /// Marks that reorder or hide what stands around them.
    static func isReordering(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    /// Marks of East Asian text that end an address, and quotes.
    static func endsAddress(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3000...0x3003, 0x3008...0x3011, 0x3014...0x301F, 0xFF01, 0xFF08...0xFF09, 0xFF0C, 0xFF0E, 0xFF1A...0xFF1B, 0xFF1F, 0xFF61...0xFF64,
            0x2018...0x201F, 0xAB, 0xBB, 0xFFFD, 0x80...0xA0:
            true
        default: isReordering(scalar)
        }
    }
}
