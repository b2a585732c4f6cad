// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Where a link may lead: to the web or to a mail program, and nowhere else (ThreatModel H11).
enum HTMLLink {
    private static let schemes = ["https://", "http://", "mailto:"].map { Array($0.utf8) }
    private static let byteCountMax = 4096

    /// The address as it is, without "<" and ">" around it or a title behind it; nil for `javascript:`, `data:`, `file:`, relative ones
    /// and all that a browser might read in another way than we do.
    static func address(_ destination: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard destination.count <= byteCountMax else { return nil }
        var address = destination.drop { $0 == UInt8(ascii: " ") }
        if address.first == UInt8(ascii: "<") {
            address = address.dropFirst().prefix { $0 != UInt8(ascii: ">") }
        } else {
            address = address.prefix { $0 != UInt8(ascii: " ") }
        }
        return isAllowed(address) ? address : nil
    }

    /// The address that begins at a place in running text; nil if none does.
    static func bare(at start: Int, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        let rest = bytes[start...].prefix(byteCountMax)
        guard schemes.prefix(2).contains(where: { rest.starts(with: $0) }) else { return nil }
        var end =
            rest.firstIndex { $0 <= 0x20 || [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "`")].contains($0) }
            ?? rest.endIndex
        while end > start, ".,;:!?)]}'*_~".utf8.contains(bytes[end - 1]) { end -= 1 }
        return isAllowed(bytes[start..<end]) ? start..<end : nil
    }

    private static func isAllowed(_ address: ArraySlice<UInt8>) -> Bool {
        let lower = address.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard let scheme = schemes.first(where: { lower.starts(with: $0) }), address.count > scheme.count else { return false }
        return address.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}
