// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `AgeBase64` is Base64 of RFC 4648 §4 in the one form that each place of an age file allows: the header has no
/// padding, the armor has it.
enum AgeBase64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let none: UInt8 = 0xff
    /// 256 entries, `none` for bytes that are no digit. The armor of gigabytes goes through here.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: none, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Appends the text of `bytes`.
    static func encode(_ bytes: ArraySlice<UInt8>, padded: Bool, to text: inout [UInt8]) {
        var at = bytes.startIndex
        while at + 2 < bytes.endIndex {
            let group = Int(bytes[at]) << 16 | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
            text.append(digits[group >> 18])
            text.append(digits[group >> 12 & 63])
            text.append(digits[group >> 6 & 63])
            text.append(digits[group & 63])
            at += 3
        }
        switch bytes.endIndex - at {
        case 1:
            text.append(digits[Int(bytes[at]) >> 2])
            text.append(digits[Int(bytes[at]) << 4 & 63])
            if padded { text.append(contentsOf: Array("==".utf8)) }
        case 2:
            let group = Int(bytes[at]) << 8 | Int(bytes[at + 1])
            text.append(digits[group >> 10])
            text.append(digits[group >> 4 & 63])
            text.append(digits[group << 2 & 63])
            if padded { text.append(UInt8(ascii: "=")) }
        default: break
        }
    }

    /// Returns the text of a header: no padding.
    static func text(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        encode(bytes[...], padded: false, to: &text)
        return text
    }

    /// Decodes a text; nil for padding, foreign characters, a length that cannot be, or bits set beyond the last byte:
    /// each value has one text.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var at = text.startIndex
        while at + 4 <= text.endIndex {
            let (one, two, three, four) = (
                value(text[at]), value(text[at + 1]), value(text[at + 2]), value(text[at + 3])
            )
            // `none` has bits above the six of a digit.
            let all = one | two | three | four
            let group = one << 18 | two << 12 | three << 6 | four
            guard all < 64 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: group >> 16))
            bytes.append(UInt8(truncatingIfNeeded: group >> 8))
            bytes.append(UInt8(truncatingIfNeeded: group))
            at += 4
        }
        guard at < text.endIndex else { return bytes }
        return decodeRest(text[at...]).map { bytes + $0 }
    }

    /// Decodes one or two bytes, from two or three digits.
    private static func decodeRest(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var group: UInt32 = 0
        for character in text {
            guard value(character) < 64 else { return nil }
            group = group << 6 | value(character)
        }
        let spare: UInt32 = text.count == 2 ? 4 : 2
        guard group & ((1 << spare) - 1) == 0 else { return nil }
        let bytes = group >> spare
        return text.count == 2 ? [UInt8(bytes)] : [UInt8(bytes >> 8), UInt8(bytes & 0xff)]
    }

    private static func value(_ character: UInt8) -> UInt32 { UInt32(values[Int(character)]) }

    /// Decodes as `decode` does, with the padding that a line of armor must have.
    static func decodePadded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
        guard let bytes = decode(text.dropLast(padding)) else { return nil }
        // Padding where none belongs would be a second text for the same bytes.
        return (bytes.count + 2) / 3 * 4 == text.count ? bytes : nil
    }
}
