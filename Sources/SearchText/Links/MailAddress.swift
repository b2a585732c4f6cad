// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Mail addresses as people write them: the dot-atom of RFC 5322 and a domain with a dot.
enum MailAddress {
    private static let localByteCountMax = 64
    private static let domainByteCountMax = 253
    private static let localMarks = Set("._%+-".utf8)

    /// - Parameter at: the place of the `@`.
    static func find(_ text: [UInt8], at: Int, in segment: Range<Int>) -> DetectedLink? {
        var begin = at
        while begin > segment.lowerBound, at - begin <= localByteCountMax, isLocal(text[begin - 1]) { begin -= 1 }
        while begin < at, text[begin] == UInt8(ascii: ".") || text[begin] == UInt8(ascii: "-") { begin += 1 }
        guard begin < at, at - begin <= localByteCountMax, text[at - 1] != UInt8(ascii: "."), !hasDoubleDot(text[begin..<at]) else { return nil }
        // A name of another script before it, or an address that goes on, is none of ours.
        if begin > segment.lowerBound, ByteClass.isWord(text[begin - 1]) || "/:@=".utf8.contains(text[begin - 1]) { return nil }
        var end = at + 1
        while end < segment.upperBound, end - at <= domainByteCountMax, isDomain(text, end) {
            end += UTF8Decoding.scalar(in: text.span, at: end).byteCount
        }
        while end > at + 1, text[end - 1] == UInt8(ascii: ".") || text[end - 1] == UInt8(ascii: "-") { end -= 1 }
        if end < segment.upperBound, text[end] == UInt8(ascii: "@") { return nil }
        guard isDomain(text[(at + 1)..<end]) else { return nil }
        let label = String(decoding: text[begin..<end], as: UTF8.self)
        return DetectedLink(kind: .email, range: begin..<end, target: "mailto:" + label.replacing("%", with: "%25"), label: label)
    }

    private static func isLocal(_ byte: UInt8) -> Bool { ByteClass.isDigit(byte) || ByteClass.isLetter(byte) || localMarks.contains(byte) }

    private static func isDomain(_ text: [UInt8], _ at: Int) -> Bool {
        let scalar = UTF8Decoding.scalar(in: text.span, at: at).scalar
        if scalar.isASCII { return ByteClass.isDigit(text[at]) || ByteClass.isLetter(text[at]) || ".-".utf8.contains(text[at]) }
        return scalar.properties.isAlphabetic
    }

    /// Labels that are not empty, and a last one of two letters or more.
    private static func isDomain(_ domain: ArraySlice<UInt8>) -> Bool {
        let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty && $0.first != 0x2D && $0.last != 0x2D }), let last = labels.last else {
            return false
        }
        if last.starts(with: "xn--".utf8) { return true }
        return last.allSatisfy { ByteClass.isLetter($0) || $0 >= 0x80 } && String(decoding: last, as: UTF8.self).unicodeScalars.count >= 2
    }

    private static func hasDoubleDot(_ bytes: ArraySlice<UInt8>) -> Bool {
        zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: ".") && $1 == UInt8(ascii: ".") }
    }
}
