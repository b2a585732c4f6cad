// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The characters of a tag in the text: letters, digits and marks of any script, symbols such as emoji, "_", "-", and
/// "/" between the parts of a nested tag.
///
/// At least one of them is not a digit, so "#123" is not a tag and "#fff" is. Source: Obsidian's help, "Tags", tag
/// format.
struct MarkdownTagText {
    /// The tag without "#" and outer "/"; nil if it is not a tag.
    let tag: Range<Int>?
    /// Where the text goes on.
    let end: Int

    /// - Parameter start: the byte after "#".
    init(at start: Int, in bytes: [UInt8]) {
        var at = start
        var (hasContent, hasNonDigit) = (false, false)
        scan: while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                (hasContent, hasNonDigit) = (true, true)
            case UInt8(ascii: "0")...UInt8(ascii: "9"): hasContent = true
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "/"): hasNonDigit = true
            case 0..<0x80: break scan
            default:
                guard let scalar = Self.scalar(at: at, in: bytes), Self.isOfTag(scalar) else { break scan }
                hasContent = true
                if scalar.properties.generalCategory != .decimalNumber { hasNonDigit = true }
                at += UTF8.width(scalar) - 1
            }
            at += 1
        }
        end = at
        var range = start..<at
        while let first = range.first, bytes[first] == UInt8(ascii: "/") { range.removeFirst() }
        while let last = range.last, bytes[last] == UInt8(ascii: "/") { range.removeLast() }
        tag = hasContent && hasNonDigit && !range.isEmpty ? range : nil
    }

    /// Whether a place is at the start of a line or after a blank, the wide and the unbreakable ones included.
    static func isBlank(before at: Int, in bytes: [UInt8]) -> Bool {
        guard at > 0 else { return true }
        switch bytes[at - 1] {
        case UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): return true
        case 0xA0: return at >= 2 && bytes[at - 2] == 0xC2
        case 0x80: return at >= 3 && bytes[at - 2] == 0x80 && bytes[at - 3] == 0xE3
        default: return false
        }
    }

    private static func isOfTag(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        case .decimalNumber, .letterNumber, .otherNumber, .otherSymbol, .modifierSymbol: true
        // Joiners bind the letters of Persian and Indian words and the parts of an emoji.
        default: scalar.value == 0x200C || scalar.value == 0x200D
        }
    }

    private static func scalar(at start: Int, in bytes: [UInt8]) -> Unicode.Scalar? {
        String(decoding: bytes[start..<min(start + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
    }
}
