// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Makes HTML or ENML fit for a library that reads HTML as it was in 1999.
///
/// - A CDATA section, which ENML has and HTML does not, becomes the text that it stands for.
/// - `&#…;` that names no character stays as it stands; the library would drop it.
/// - A tag with more than a thousand attributes loses them: the library compares each with all before it.
struct MarkupInput {
    private static let sectionMark = Array("<![CDATA[".utf8)
    private static let sectionEnd = Array("]]>".utf8)
    private static let referenceByteCountMax = 12
    /// Blanks and quotes in a tag, of which each attribute has one at least.
    private static let separatorCountMax = 1024
    /// What follows is cut: a reference may take five bytes for one.
    private static let byteCountMax = 64 << 20

    private(set) var bytes: [UInt8] = []
    /// A section that nothing closes, a tag that lost its attributes, or more than may be.
    private(set) var isDamaged = false
    /// Up to here tags are known to be short.
    private var shortTagsEnd = 0

    init(_ text: [UInt8]) {
        let text = XMLCharacters.clean(text)[...]
        bytes.reserveCapacity(text.count)
        var at = text.startIndex
        while at < text.endIndex {
            isDamaged = isDamaged || bytes.count > Self.byteCountMax
            guard bytes.count <= Self.byteCountMax else { return }
            let next = text[at...].firstIndex { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") } ?? text.endIndex
            bytes += text[at..<next]
            at = next
            guard at < text.endIndex else { return }
            let rest = text[at...]
            if rest.starts(with: Self.sectionMark) {
                at = takeSection(rest.dropFirst(Self.sectionMark.count))
            } else if text[at] == UInt8(ascii: "<") {
                at = takeTag(rest)
            } else {
                bytes += Self.isKept(rest) ? Array("&".utf8) : Array("&amp;".utf8)
                at += 1
            }
        }
    }

    /// - Returns: where the text goes on.
    private mutating func takeSection(_ rest: ArraySlice<UInt8>) -> Int {
        var end = rest.startIndex
        while let bracket = rest[end...].firstIndex(of: UInt8(ascii: "]")),
            !rest[bracket...].starts(with: Self.sectionEnd)
        { end = bracket + 1 }
        end = rest[end...].firstIndex(of: UInt8(ascii: "]")) ?? rest.endIndex
        if end == rest.endIndex { isDamaged = true }
        for byte in rest[..<end] where bytes.count <= Self.byteCountMax {
            switch byte {
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            default: bytes.append(byte)
            }
        }
        return min(end + Self.sectionEnd.count, rest.endIndex)
    }

    private mutating func takeTag(_ rest: ArraySlice<UInt8>) -> Int {
        var (at, separatorCount) = (rest.startIndex + 1, 0)
        let isTag = at < rest.endIndex && at >= shortTagsEnd && Self.isLetter(rest[at])
        while isTag, at < rest.endIndex, rest[at] != UInt8(ascii: ">"), separatorCount <= Self.separatorCountMax {
            if rest[at] <= 0x20 || rest[at] == UInt8(ascii: "\"") || rest[at] == UInt8(ascii: "'") {
                separatorCount += 1
            }
            at += 1
        }
        guard separatorCount > Self.separatorCountMax else {
            if isTag { shortTagsEnd = at }
            bytes.append(rest[rest.startIndex])
            return rest.startIndex + 1
        }
        isDamaged = true
        bytes += rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
        return rest[at...].firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    /// Whether an "&" begins what the library knows, or what it leaves alone.
    private static func isKept(_ rest: ArraySlice<UInt8>) -> Bool {
        let name = rest.dropFirst()
        guard name.first == UInt8(ascii: "#") else { return true }
        guard let end = name.prefix(referenceByteCountMax).firstIndex(of: UInt8(ascii: ";")) else { return false }
        return isCharacter(String(decoding: name[..<end].dropFirst(), as: UTF8.self))
    }

    private static func isCharacter(_ digits: String) -> Bool {
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        let value = digits.dropFirst(isHexadecimal ? 1 : 0)
        guard value.allSatisfy(\.isHexDigit), let number = UInt32(value, radix: isHexadecimal ? 16 : 10),
            number >= 0x20 || number == 9 || number == 10 || number == 13, !(0x7F...0x9F).contains(number)
        else { return false }
        return Unicode.Scalar(number) != nil
    }
}
