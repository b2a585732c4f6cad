// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Base64` writes and reads Base64 of RFC 4648 §4 without padding, as PHC strings use it.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for begin in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[begin..<min(begin + 3, bytes.count)]
            let value = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32((3 - group.count) * 8)
            for index in 0...group.count { text.append(digits[Int(value >> UInt32(18 - 6 * index)) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes, and nil for padding, foreign characters, a length that cannot be, or bits set beyond the last
    /// byte.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var value: UInt32 = 0
        var bitCount = 0
        for character in text.utf8 {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            value = (value << 6 | UInt32(digit)) & 0xFFFF
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(bitCount)))
                value &= (1 << UInt32(bitCount)) - 1
            }
        }
        return bitCount < 6 && value == 0 ? bytes : nil
    }
}
