// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What a line of Markdown begins.
enum HTMLLine: Equatable {
    case blank
    case heading(level: Int, start: Int)
    case rule
    /// Opens a block of code; or closes one, if there are enough signs and nothing behind them.
    case fence(mark: UInt8, count: Int)
    case quote(start: Int)
    /// `indentation` counts blanks before the sign.
    case item(isOrdered: Bool, indentation: Int, start: Int)
    case text(indentation: Int)

    /// - Parameter line: without its LF.
    init(_ line: Range<Int>, in bytes: [UInt8]) {
        var at = line.lowerBound
        while at < line.upperBound, bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") { at += 1 }
        let indentation = bytes[line.lowerBound..<at].reduce(0) { $0 + ($1 == UInt8(ascii: "\t") ? 4 : 1) }
        let rest = at..<line.upperBound
        guard let first = rest.first.map({ bytes[$0] }) else {
            self = .blank
            return
        }
        let count = bytes[rest].prefix { $0 == first }.count
        switch first {
        case UInt8(ascii: "#") where count <= 6 && Self.isBlank(at + count, rest, bytes):
            self = .heading(level: count, start: min(at + count + 1, line.upperBound))
        case UInt8(ascii: "`") where count >= 3 && !bytes[(at + count)..<line.upperBound].contains(first), UInt8(ascii: "~") where count >= 3:
            self = .fence(mark: first, count: count)
        case UInt8(ascii: ">"): self = .quote(start: Self.isBlank(at + 1, rest, bytes) ? min(at + 2, line.upperBound) : at + 1)
        default:
            if Self.isRule(first, bytes[rest]) {
                self = .rule
            } else if let sign = Self.item(rest, in: bytes) {
                self = .item(isOrdered: sign.isOrdered, indentation: indentation, start: sign.start)
            } else {
                self = .text(indentation: indentation)
            }
        }
    }

    private static func isRule(_ first: UInt8, _ rest: ArraySlice<UInt8>) -> Bool {
        guard first == UInt8(ascii: "-") || first == UInt8(ascii: "*") || first == UInt8(ascii: "_") else { return false }
        guard rest.allSatisfy({ $0 == first || $0 == UInt8(ascii: " ") }) else { return false }
        return rest.count { $0 == first } >= 3
    }

    /// "- ", "* ", "+ ", "1. " and "1) ".
    private static func item(_ rest: Range<Int>, in bytes: [UInt8]) -> (isOrdered: Bool, start: Int)? {
        var at = rest.lowerBound
        let digits = bytes[rest].prefix(10).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        at += digits
        guard digits <= 9, at < rest.upperBound else { return nil }
        let signs = digits > 0 ? [UInt8(ascii: "."), UInt8(ascii: ")")] : [UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+")]
        guard signs.contains(bytes[at]), isBlank(at + 1, rest, bytes) else { return nil }
        return (digits > 0, min(at + 2, rest.upperBound))
    }

    private static func isBlank(_ at: Int, _ rest: Range<Int>, _ bytes: [UInt8]) -> Bool {
        at >= rest.upperBound || bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t")
    }
}
