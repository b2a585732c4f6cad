// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// URLs with a scheme that may be followed, and `www.` without one. Source: RFC 3986, with letters of every script as in RFC 3987.
enum WebAddress {
    /// Never `javascript:` or `data:`: these run or carry something.
    private static let schemes = ["http://", "https://", "ftp://", "sftp://", "ssh://", "gemini://", "vault://", "mailto:", "tel:", "geo:"]
    private static let www = "www."
    private static let byteCountMax = 4096

    /// - Parameter skip: set to where an address ends that is too long to be one: nothing in it need be looked at again.
    static func find(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>, skip: inout Int) -> DetectedLink? {
        let first = text[begin] | 0x20
        guard let mark = (schemes + [www]).first(where: { $0.utf8.first == first && starts(text, begin, segment, with: $0) }) else { return nil }
        let rest = begin + mark.utf8.count
        guard ByteClass.isWord(text[rest]) || text[rest] == UInt8(ascii: "[") || mark.hasSuffix(":"), let end = end(text, from: rest, segment) else {
            return nil
        }
        guard end - begin <= byteCountMax else {
            skip = end
            return nil
        }
        let authority = text[rest..<end].prefix { ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        guard isHost(authority, mark) else { return nil }
        let isOpaque = mark.hasSuffix(":")
        let hostEnd = isOpaque ? rest : authority.endIndex
        let prefix = mark == www ? "https://www." : mark
        let target = prefix + host(text[rest..<hostEnd]) + encoded(text[hostEnd..<end])
        return DetectedLink(
            kind: mark == "mailto:" ? .email : mark == "tel:" ? .phone : .url, range: begin..<end, target: target,
            label: String(decoding: text[begin..<end], as: UTF8.self))
    }

    private static func starts(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>, with mark: String) -> Bool {
        let bytes = Array(mark.utf8)
        guard segment.upperBound - begin > bytes.count else { return false }
        return bytes.indices.allSatisfy { offset in
            let byte = text[begin + offset]
            return (ByteClass.isLetter(byte) ? byte | 0x20 : byte) == bytes[offset]
        }
    }

    /// Where the address ends: before white space and what cannot be in one, then without marks that belong to the sentence.
    private static func end(_ text: [UInt8], from begin: Int, _ segment: Range<Int>) -> Int? {
        var at = begin
        var depth: [UInt8: Int] = [:]
        while at < segment.upperBound {
            let (scalar, byteCount) = UTF8Decoding.scalar(in: text.span, at: at)
            if scalar.value <= 0x20 || scalar.value == 0x7F || "<>\"`".unicodeScalars.contains(scalar) || ByteClass.endsAddress(scalar) { break }
            if scalar.isASCII, "()[]{}".unicodeScalars.contains(scalar) { depth[UInt8(scalar.value), default: 0] += 1 }
            at += byteCount
        }
        let pairs: [UInt8: UInt8] = [0x29: 0x28, 0x5D: 0x5B, 0x7D: 0x7B]
        while at > begin {
            let last = text[at - 1]
            if let open = pairs[last], depth[last, default: 0] > depth[open, default: 0] {
                depth[last, default: 0] -= 1
            } else if !".,;:!?'*_~|\\".utf8.contains(last) {
                break
            }
            at -= 1
        }
        return at > begin ? at : nil
    }

    private static func isHost(_ authority: ArraySlice<UInt8>, _ mark: String) -> Bool {
        if mark.hasSuffix(":") { return authority.contains { ByteClass.isWord($0) } }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
        guard let first = host.first else { return false }
        // An IPv6 address stands in brackets.
        if first == UInt8(ascii: "[") { return host.contains(UInt8(ascii: "]")) }
        guard ByteClass.isWord(first) else { return false }
        return mark != www || host.contains(UInt8(ascii: "."))
    }

    /// Letters of every script stay as they are: what a browser makes of them is its own rule (IDNA).
    private static func host(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.isASCII ? isAllowed(UInt8(scalar.value)) : scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                result.unicodeScalars.append(scalar)
            } else {
                result += encoded(ArraySlice(String(scalar).utf8))
            }
        }
    }

    /// What RFC 3986 does not allow is written in percent.
    private static func encoded(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in bytes {
            if isAllowed(byte) { result.append(byte) } else { result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        ByteClass.isDigit(byte) || ByteClass.isLetter(byte) || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte)
    }
}
