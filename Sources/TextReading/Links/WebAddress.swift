// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `WebAddress` finds URLs with a scheme that may be followed, and `www.` without one. Source: RFC 3986, with letters
/// of every script as in RFC 3987.
enum WebAddress {
    /// Schemes that may be followed; never `javascript:` or `data:`, which run or carry something.
    private static let schemes = ["http://", "https://", "ftp://", "sftp://", "ssh://", "gemini://", "vault://"].map {
        Array($0.utf8)
    }
    private static let www = Array("www.".utf8)
    private static let byteCountMax = 4096
    private static let userByteCountMax = 256

    /// Returns the address that begins at a place; nil if none does.
    ///
    /// - Parameter skip: set to where an address ends that is too long to be one: nothing in it need be looked at
    ///   again.
    static func find(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>, skip: inout Int) -> DetectedLink? {
        let first = text[begin] | 0x20
        guard
            let mark = first == www[0]
                ? www : schemes.first(where: { $0[0] == first && starts(text, begin, segment, with: $0) })
        else {
            return nil
        }
        let isBare = mark == www
        if isBare, !starts(text, begin, segment, with: www) { return nil }
        let rest = isBare ? begin : begin + mark.count
        guard let hostStart = isBare ? begin : afterUser(text, rest, segment),
            let authority = authorityEnd(text, hostStart, segment)
        else {
            return nil
        }
        if isBare, !isWeb(text[begin..<authority.host]) { return nil }
        var end = authority.end
        if end < segment.upperBound, "/?#".utf8.contains(text[end]) {
            end = AddressText.end(text, from: end, begin: begin, segment)
            guard end - begin <= byteCountMax else {
                skip = end
                return nil
            }
        }
        let prefix = isBare ? "https://" : String(decoding: mark, as: UTF8.self)
        let target =
            prefix + String(decoding: text[rest..<authority.end], as: UTF8.self)
            + AddressText.encoded(text[authority.end..<end])
        return DetectedLink(
            kind: .url, range: begin..<end, target: target, label: String(decoding: text[begin..<end], as: UTF8.self))
    }

    static func starts(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>, with mark: [UInt8]) -> Bool {
        guard segment.upperBound - begin > mark.count else { return false }
        for offset in mark.indices {
            let byte = text[begin + offset]
            guard (ByteClass.isLetter(byte) ? byte | 0x20 : byte) == mark[offset] else { return false }
        }
        return true
    }

    /// Returns whether an address with a scheme begins here.
    static func begins(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> Bool {
        schemes.contains { starts(text, begin, segment, with: $0) }
    }

    /// Finds where the host begins: after `user@` if there is one. Nil when it cannot be told which of two `@` ends it.
    private static func afterUser(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> Int? {
        var at = begin
        let limit = min(segment.upperBound, begin + userByteCountMax)
        while at < limit, ByteClass.isAlphanumeric(text[at]) || "-._~!$&+=:%".utf8.contains(text[at]) { at += 1 }
        guard at < limit, text[at] == UInt8(ascii: "@") else { return begin }
        // A percent sign that begins no escape would be read otherwise by each program.
        guard AddressText.encoded(text[begin..<at]).utf8.elementsEqual(text[begin..<at]) else { return nil }
        return at > begin ? at + 1 : nil
    }

    /// Returns the end of the host, and of the port behind it.
    private static func authorityEnd(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> (host: Int, end: Int)? {
        let limit = segment.upperBound
        guard begin < limit else { return nil }
        let isLiteral = text[begin] == UInt8(ascii: "[")
        guard let host = isLiteral ? literalEnd(text, begin, limit) : DomainName.end(text, begin, limit) else {
            return nil
        }
        var end = host
        // The root's own dot, where more follows.
        if !isLiteral, end + 1 < limit, text[end] == UInt8(ascii: "."), text[end + 1] == UInt8(ascii: "/") { end += 1 }
        guard end < limit else { return (host, end) }
        if text[end] == UInt8(ascii: "@") { return nil }
        guard text[end] == UInt8(ascii: ":"), end + 1 < limit else { return (host, end) }
        if text[end + 1] == UInt8(ascii: "/") { return nil }
        let digits = text[(end + 1)..<min(limit, end + 7)].prefix(while: ByteClass.isDigit)
        guard !digits.isEmpty else { return (host, end) }
        guard digits.reduce(0, { $0 * 10 + Int($1 & 15) }) <= 65535, digits.count <= 5 else { return nil }
        return digits.endIndex < limit && text[digits.endIndex] == UInt8(ascii: "@") ? nil : (host, digits.endIndex)
    }

    /// Returns the end of an IPv6 address in brackets.
    private static func literalEnd(_ text: [UInt8], _ begin: Int, _ limit: Int) -> Int? {
        let inner = text[(begin + 1)..<min(limit, begin + 47)].prefix {
            ByteClass.isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
        }
        guard inner.endIndex < limit, text[inner.endIndex] == UInt8(ascii: "]"),
            inner.count(where: { $0 == UInt8(ascii: ":") }) >= 2
        else {
            return nil
        }
        return inner.endIndex + 1
    }

    /// Returns whether a host without a scheme looks like the name of a public machine.
    private static func isWeb(_ host: ArraySlice<UInt8>) -> Bool {
        host.count > www.count && DomainName.isPublic(host.dropFirst(www.count))
    }
}
