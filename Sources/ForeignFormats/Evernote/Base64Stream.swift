// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Base64Stream` decodes Base64 that comes in pieces, blanks among them. Source: RFC 4648 §4.
struct Base64Stream {
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var isPadded = false
    private var signCount = 0
    private var padCount = 0
    private var hasBlanks = false
    /// A character outside the alphabet, or characters after the end.
    private(set) var isDamaged = false

    mutating func decode(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3 + 3)
        for sign in text {
            let value: UInt32
            switch sign {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(sign) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(sign) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(sign) + 4
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="):
                isPadded = true
                padCount = min(padCount + 1, 3)
                continue
            case 0x20, 9, 10, 13:
                hasBlanks = true
                continue
            default:
                isDamaged = true
                continue
            }
            if isPadded { isDamaged = true }
            signCount = (signCount + 1) % 4
            bits = (bits << 6 | value) & 0xFFFF
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        return result
    }

    /// Whether all of it was Base64 and ended at the end of a byte.
    var isWhole: Bool { !isDamaged && bitCount < 6 }

    /// Whether it was also written as the standard asks: in one piece, padded, and nothing hidden in the bits that are
    /// left over.
    var isCanonical: Bool {
        isWhole && !hasBlanks && padCount == (4 - signCount) % 4 && bits & (1 << UInt32(bitCount) - 1) == 0
    }
}
