// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// One scalar of a text, or one byte that is not part of a scalar.
struct UTF8Scalar {
    let byteCount: Int
    /// Nil for a byte that is not UTF-8.
    let value: UInt32?

    /// - Parameter offset: an offset before the end of the text.
    init(in text: ArraySlice<UInt8>, at offset: Int) {
        let lead = text[offset]
        guard lead >= 0x80 else { (byteCount, value) = (1, UInt32(lead)); return }
        // Neither overlong forms nor surrogates nor what is above U+10FFFF.
        let count: Int
        let second: ClosedRange<UInt8>
        switch lead {
        case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
        default: (byteCount, value) = (1, nil); return
        }
        guard text.endIndex - offset >= count, second.contains(text[offset + 1]) else {
            (byteCount, value) = (1, nil); return
        }
        var scalar = UInt32(lead) & (0x7F >> UInt32(count))
        for index in (offset + 1)..<(offset + count) {
            guard text[index] & 0xC0 == 0x80 else { (byteCount, value) = (1, nil); return }
            scalar = scalar << 6 | UInt32(text[index] & 0x3F)
        }
        (byteCount, value) = (count, scalar)
    }
}
