// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MailAddress` finds mail addresses as people write them: the dot-atom of RFC 5322 in ASCII, and a domain with a dot.
enum MailAddress {
    static let localByteCountMax = 64
    private static let localMarks = Set("._%+-".utf8)
    /// Names of files and of accounts elsewhere have an `@` as well: `icon@2x.png`.
    private static let fileEndings: Set = [
        "png", "jpg", "jpeg", "gif", "svg", "webp", "pdf", "md", "txt", "html", "js", "ts", "json", "service",
    ]

    /// Returns the address around an `@`; nil if it is not part of one.
    ///
    /// - Parameters:
    ///   - at: the place of the `@`.
    ///   - segment: nothing before it is part of the address.
    static func find(_ text: [UInt8], at: Int, in segment: Range<Int>, isAfterScheme: Bool = false) -> DetectedLink? {
        var begin = at
        while begin > segment.lowerBound, at - begin <= localByteCountMax, isLocal(text[begin - 1]) { begin -= 1 }
        while begin < at, !ByteClass.isAlphanumeric(text[begin]), text[begin] != UInt8(ascii: "_") { begin += 1 }
        guard begin < at, at - begin <= localByteCountMax, text[at - 1] != UInt8(ascii: "."),
            !hasDoubleDot(text[begin..<at])
        else { return nil }
        guard isAfterScheme || isStart(text, begin, segment),
            let end = DomainName.end(text, at + 1, segment.upperBound), isEnd(text, end, segment)
        else { return nil }
        let domain = text[(at + 1)..<end]
        guard DomainName.isPublic(domain), !domain.contains(UInt8(ascii: "_")) else { return nil }
        let ending = domain.suffix { $0 != UInt8(ascii: ".") }
        if !isAfterScheme, fileEndings.contains(String(decoding: ending, as: UTF8.self).lowercased()) { return nil }
        // "_a@x.org_" is emphasis in Markdown.
        if text[begin] == UInt8(ascii: "_"), end < segment.upperBound, text[end] == UInt8(ascii: "_"), begin + 1 < at {
            begin += 1
        }
        let local = String(decoding: text[begin..<at], as: UTF8.self)
        let escaped = isAfterScheme ? AddressText.encoded(text[begin..<at]) : local.replacing("%", with: "%25")
        let label = String(decoding: text[begin..<end], as: UTF8.self)
        return DetectedLink(
            kind: .email, range: begin..<end, target: "mailto:\(escaped)@" + String(decoding: domain, as: UTF8.self),
            label: label)
    }

    private static func isLocal(_ byte: UInt8) -> Bool { ByteClass.isAlphanumeric(byte) || localMarks.contains(byte) }

    /// Returns whether an address can begin at a place. The rest of a name in letters that are not ASCII, of a path, a
    /// handle (`@user@host`) or an address with another scheme is no mail address.
    private static func isStart(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> Bool {
        guard begin > segment.lowerBound else { return true }
        let before = text[begin - 1]
        if before >= 0x80 {
            let scalar = UTF8Decoding.scalar(in: text.span, before: begin).scalar
            return !ByteClass.isName(scalar) || ByteClass.isUnspaced(scalar)
        }
        if before == UInt8(ascii: "/") || before == UInt8(ascii: "@") { return false }
        guard before == UInt8(ascii: ":") else { return true }
        // "scheme://user:password@host", but not "Mail:me@host".
        let word = text[max(segment.lowerBound, begin - localByteCountMax)..<begin].suffix { $0 > 0x20 }
        return !zip(word, word.dropFirst()).contains { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "/") }
    }

    /// Returns whether an address can end at a place: `user@host:path` is a place for ssh, and two `@` are no address.
    private static func isEnd(_ text: [UInt8], _ end: Int, _ segment: Range<Int>) -> Bool {
        guard end < segment.upperBound else { return true }
        if text[end] == UInt8(ascii: "@") { return false }
        guard text[end] == UInt8(ascii: ":") || text[end] == UInt8(ascii: "-"), end + 1 < segment.upperBound else {
            return true
        }
        return !ByteClass.isWord(text[end + 1]) && !"/~.".utf8.contains(text[end + 1])
    }

    private static func hasDoubleDot(_ bytes: ArraySlice<UInt8>) -> Bool {
        zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: ".") && $1 == UInt8(ascii: ".") }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the longest end of which every byte passes.
    fileprivate func suffix(while passes: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[(lastIndex { !passes($0) }.map { $0 + 1 } ?? startIndex)...]
    }
}
