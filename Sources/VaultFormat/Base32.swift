// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Base32` writes and reads base32 of RFC 4648 §6 in lower case and without padding: no 0, 1, 8 or 9 to be mistaken
/// for letters.
public enum Base32 {
    private static let digits = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// Encodes five bits to a character; a last partial group is filled with zero bits.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var value: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            value = (value << 8 | UInt32(byte)) & 0xFFFF
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                text.append(digits[Int(value >> UInt32(bitCount)) & 31])
            }
        }
        if bitCount > 0 { text.append(digits[Int(value << UInt32(5 - bitCount)) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the five bits of one character in either case, or nil.
    public static func value(of character: UInt8) -> UInt8? {
        let lower = (0x41...0x5A).contains(character) ? character | 0x20 : character
        switch lower {
        case 0x61...0x7A: return lower - 0x61
        case 0x32...0x37: return lower - 0x32 + 26
        default: return nil
        }
    }

    /// Returns the smallest and the largest byte string of `byteCount` bytes whose text begins with `prefix`; nil when
    /// it is not base32 or too long. For look-ups by prefix.
    public static func bounds(prefix: String, byteCount: Int) -> (low: [UInt8], high: [UInt8])? {
        let values = prefix.utf8.map { value(of: $0) }
        guard !values.isEmpty, values.count * 5 <= byteCount * 8 + 4 else { return nil }
        var bits: [UInt8] = []
        for digit in values {
            guard let digit else { return nil }
            for shift in stride(from: UInt8(4), through: 0, by: -1) { bits.append(digit >> shift & 1) }
        }
        guard bits.dropFirst(byteCount * 8).allSatisfy({ $0 == 0 }) else { return nil }
        return (pack(bits, filledWith: 0, byteCount), pack(bits, filledWith: 1, byteCount))
    }

    private static func pack(_ bits: [UInt8], filledWith filler: UInt8, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { index in
            (0..<8).reduce(UInt8(0)) { byte, bit in
                let at = index * 8 + bit
                return byte << 1 | (at < bits.count ? bits[at] : filler)
            }
        }
    }
}
