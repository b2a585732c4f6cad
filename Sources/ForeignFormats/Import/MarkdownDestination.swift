// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Where a link leads: what stands in its round brackets, with or without "<>" and a title.
struct MarkdownDestination {
    /// The destination alone.
    let range: Range<Int>
    /// The byte after ")".
    let end: Int
    /// Whether words for the pointer stand behind it.
    let hasTitle: Bool

    private static let depthMax = 32

    /// - Parameter start: the byte after "(".
    /// - Returns: nil if the line ends, or another link begins, before it does.
    init?(at start: Int, in bytes: [UInt8]) {
        var at = start
        Self.skipBlanks(&at, bytes)
        if at < bytes.count, bytes[at] == UInt8(ascii: "<") {
            guard let close = Self.find(UInt8(ascii: ">"), from: at + 1, bytes) else { return nil }
            range = at + 1..<close
            at = close + 1
        } else {
            let first = at
            var depth = 0
            scan: while at < bytes.count {
                switch bytes[at] {
                case UInt8(ascii: "("):
                    depth += 1
                    guard depth <= Self.depthMax else { return nil }
                case UInt8(ascii: ")"):
                    if depth == 0 { break scan }
                    depth -= 1
                case UInt8(ascii: "]") where at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "("): return nil
                case UInt8(ascii: " "), UInt8(ascii: "\t"): break scan
                case 0..<0x20: return nil
                default: break
                }
                at += 1
            }
            range = first..<at
        }
        Self.skipBlanks(&at, bytes)
        let isQuoted = at < bytes.count && (bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'"))
        if isQuoted {
            guard let close = Self.find(bytes[at], from: at + 1, bytes) else { return nil }
            at = close + 1
            Self.skipBlanks(&at, bytes)
        }
        guard at < bytes.count, bytes[at] == UInt8(ascii: ")"), !range.isEmpty else { return nil }
        end = at + 1
        hasTitle = isQuoted
    }

    private static func skipBlanks(_ at: inout Int, _ bytes: [UInt8]) {
        while at < bytes.count, bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") { at += 1 }
    }

    private static func find(_ mark: UInt8, from start: Int, _ bytes: [UInt8]) -> Int? {
        var at = start
        while at < bytes.count, bytes[at] >= 0x20 {
            if bytes[at] == mark { return at }
            if bytes[at] == UInt8(ascii: "]"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "(") { return nil }
            at += 1
        }
        return nil
    }
}
