// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Decides whether front matter may reach the YAML parser at all.
///
/// The parser calls itself for each level of nesting and copies what an anchor names, so both are limited beforehand,
/// on the bytes, by rules that err on the side of refusing. They bound the nesting for good: a block begins at a
/// column, a line opens at most `lineBlockMax` beyond its indentation, and each level of flow takes one opening
/// bracket.
enum MarkdownYAMLGuard {
    static let flowDepthMax = 32
    static let bracketCountMax = 1000
    static let indentationMax = 200
    static let lineBlockMax = 8

    static func allows(_ yaml: [UInt8]) -> Bool {
        breaksArePlain(yaml) && bracketsAreFew(yaml) && linesAreShallow(yaml) && !mayHoldAnchor(yaml)
    }

    /// YAML 1.1 also ends a line at CR, U+0085, U+2028 and U+2029; then its lines would not be ours.
    private static func breaksArePlain(_ yaml: [UInt8]) -> Bool {
        for at in yaml.indices {
            switch yaml[at] {
            case UInt8(ascii: "\r"): return false
            case 0xC2 where yaml[at...].starts(with: [0xC2, 0x85]): return false
            case 0xE2
            where yaml[at...].starts(with: [0xE2, 0x80, 0xA8]) || yaml[at...].starts(with: [0xE2, 0x80, 0xA9]):
                return false
            default: break
            }
        }
        return true
    }

    /// Brackets in quotes count too: to know a quote needs a YAML parser.
    private static func bracketsAreFew(_ yaml: [UInt8]) -> Bool {
        var (depth, count) = (0, 0)
        for byte in yaml {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                count += 1
                guard depth <= flowDepthMax, count <= bracketCountMax else { return false }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
            default: break
            }
        }
        return true
    }

    /// "- - - -", "? ? ?" and ": : :" open a block for each sign.
    private static func linesAreShallow(_ yaml: [UInt8]) -> Bool {
        yaml.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
            var rest = line.drop(while: isBlank)
            guard rest.startIndex - line.startIndex <= indentationMax else { return false }
            var signs = 0
            while let sign = rest.first, isBlockSign(sign), rest.dropFirst().first.map(isBlank) ?? true {
                signs += 1
                guard signs <= lineBlockMax else { return false }
                rest = rest.dropFirst().drop(while: isBlank)
            }
            return true
        }
    }

    /// "&name" where a value may begin. Without an anchor an alias names nothing, and the parser refuses it.
    private static func mayHoldAnchor(_ yaml: [UInt8]) -> Bool {
        for at in yaml.indices where yaml[at] == UInt8(ascii: "&") {
            guard at + 1 < yaml.count, !isBlank(yaml[at + 1]), yaml[at + 1] != UInt8(ascii: "\n") else { continue }
            guard at > 0 else { return true }
            switch yaml[at - 1] {
            case UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: "["),
                UInt8(ascii: "{"), UInt8(ascii: ":"), UInt8(ascii: "?"):
                return true
            default: break
            }
        }
        return false
    }

    private static func isBlockSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: ":")
    }
    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
