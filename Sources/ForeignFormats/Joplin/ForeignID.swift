// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// 128 bits that another program calls an item by: 32 hexadecimal digits.
struct ForeignID: Hashable {
    static let digitCount = 32
    private let high: UInt64
    private let low: UInt64

    init?(_ digits: some Collection<UInt8>) {
        guard digits.count == Self.digitCount, digits.allSatisfy(MarkdownLinks.isHexadecimal) else { return nil }
        let text = String(decoding: digits, as: UTF8.self)
        guard let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16) else {
            return nil
        }
        self.high = high
        self.low = low
    }

    init?(_ text: String) { self.init(Array(text.utf8.prefix(Self.digitCount + 1))) }

    /// In lower case.
    var text: String { Self.padded(high) + Self.padded(low) }

    private static func padded(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
