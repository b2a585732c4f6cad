// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `NamedAddress` finds `mailto:`, `tel:` and `geo:` URIs. Source: RFC 6068, RFC 3966, RFC 5870.
enum NamedAddress {
    private static let mail = Array("mailto:".utf8)
    private static let telephone = Array("tel:".utf8)
    private static let place = Array("geo:".utf8)
    private static let digitCounts = 3...15

    static func find(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> DetectedLink? {
        switch text[begin] | 0x20 {
        case UInt8(ascii: "m"):
            WebAddress.starts(text, begin, segment, with: mail) ? mailLink(text, begin, segment) : nil
        case UInt8(ascii: "t"):
            WebAddress.starts(text, begin, segment, with: telephone) ? phoneLink(text, begin, segment) : nil
        case UInt8(ascii: "g"):
            WebAddress.starts(text, begin, segment, with: place) ? placeLink(text, begin, segment) : nil
        default: nil
        }
    }

    private static func link(_ kind: DetectedLink.Kind, _ text: [UInt8], _ range: Range<Int>, _ target: String)
        -> DetectedLink
    {
        DetectedLink(kind: kind, range: range, target: target, label: String(decoding: text[range], as: UTF8.self))
    }

    /// Reads one address, and after "?" what the letter shall hold.
    private static func mailLink(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> DetectedLink? {
        let rest = begin + mail.count
        let near = text[rest..<min(segment.upperBound, rest + MailAddress.localByteCountMax + 1)]
        guard let at = near.firstIndex(of: UInt8(ascii: "@")),
            let address = MailAddress.find(text, at: at, in: rest..<segment.upperBound, isAfterScheme: true),
            address.range.lowerBound == rest
        else { return nil }
        var end = address.range.upperBound
        if end < segment.upperBound, text[end] == UInt8(ascii: "?") {
            end = AddressText.end(text, from: end, begin: begin, segment)
        }
        return link(
            .email, text, begin..<end, address.target + AddressText.encoded(text[address.range.upperBound..<end]))
    }

    /// Reads a number as `PhoneNumber` finds it, or a short one without spaces.
    private static func phoneLink(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> DetectedLink? {
        let rest = begin + telephone.count
        if let number = PhoneNumber.find(text, rest, rest..<segment.upperBound) {
            return link(.phone, text, begin..<number.range.upperBound, number.target)
        }
        let isPlus = text[rest] == UInt8(ascii: "+")
        let body = text[(rest + (isPlus ? 1 : 0))..<min(segment.upperBound, rest + 40)].prefix {
            ByteClass.isDigit($0) || "-.()".utf8.contains($0)
        }
        let digits = body.filter(ByteClass.isDigit)
        guard digitCounts.contains(digits.count), let last = body.lastIndex(where: ByteClass.isDigit) else {
            return nil
        }
        if last + 1 < segment.upperBound, ByteClass.isWord(text[last + 1]) { return nil }
        return link(
            .phone, text, begin..<(last + 1), "tel:" + (isPlus ? "+" : "") + String(decoding: digits, as: UTF8.self))
    }

    /// Reads two or three coordinates, then parameters.
    private static func placeLink(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> DetectedLink? {
        let rest = begin + place.count
        var end = rest
        for index in 0..<3 {
            var at = end
            if index > 0 {
                guard at < segment.upperBound, text[at] == UInt8(ascii: ",") else { break }
                at += 1
            }
            if at < segment.upperBound, text[at] == UInt8(ascii: "-") { at += 1 }
            let number = text[at..<min(segment.upperBound, at + 24)].prefix {
                ByteClass.isDigit($0) || $0 == UInt8(ascii: ".")
            }
            guard let first = number.first, ByteClass.isDigit(first),
                let last = number.lastIndex(where: ByteClass.isDigit)
            else { break }
            guard number.count(where: { $0 == UInt8(ascii: ".") }) <= 1 || last + 1 < number.endIndex else {
                return nil
            }
            end = last + 1
        }
        guard text[rest..<end].contains(UInt8(ascii: ",")) else { return nil }
        if end < segment.upperBound, ";?".utf8.contains(text[end]) {
            end = AddressText.end(text, from: end, begin: begin, segment)
        }
        if end < segment.upperBound, ByteClass.isAlphanumeric(text[end]) { return nil }
        return link(.url, text, begin..<end, "geo:" + AddressText.encoded(text[rest..<end]))
    }
}
