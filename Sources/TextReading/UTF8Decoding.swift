// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `UTF8Decoding` reads Unicode scalars out of bytes that may be anything.
public enum UTF8Decoding {
    /// Stands for bytes that are not UTF-8.
    public static let replacement = Unicode.Scalar(0xFFFD as UInt16)!

    /// Returns the scalar that starts at `offset`, and how many bytes it takes.
    ///
    /// Ill-formed bytes give U+FFFD once for each longest piece that could have begun a scalar (Unicode, chapter 3,
    /// table 3-7), so the length is 1 to 4 and reading on always ends.
    ///
    /// - Parameter offset: in bytes, below `text.count`.
    @inlinable
    public static func scalar(in text: Span<UInt8>, at offset: Int) -> (scalar: Unicode.Scalar, byteCount: Int) {
        let lead = text[offset]
        if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
        let expected: Int
        var value: UInt32
        // The second byte has a narrower range after some leads: no overlong form, no surrogate, nothing above
        // U+10FFFF.
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        switch lead {
        case 0xC2...0xDF: (expected, value) = (2, UInt32(lead & 0x1F))
        case 0xE0...0xEF: (expected, value) = (3, UInt32(lead & 0x0F))
        case 0xF0...0xF4: (expected, value) = (4, UInt32(lead & 0x07))
        default: return (replacement, 1)
        }
        if lead == 0xE0 { low = 0xA0 }
        if lead == 0xED { high = 0x9F }
        if lead == 0xF0 { low = 0x90 }
        if lead == 0xF4 { high = 0x8F }
        var length = 1
        while length < expected {
            guard offset + length < text.count else { return (replacement, length) }
            let byte = text[offset + length]
            guard byte >= low, byte <= high else { return (replacement, length) }
            value = value << 6 | UInt32(byte & 0x3F)
            (low, high) = (0x80, 0xBF)
            length += 1
        }
        return (Unicode.Scalar(value) ?? replacement, length)
    }

    /// Returns whether a byte continues a scalar that began before it.
    @inlinable
    public static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// Returns the scalar that ends just before `end`, and where it starts.
    ///
    /// - Parameter end: in bytes, above 0 and at most `text.count`.
    @inlinable
    public static func scalar(in text: Span<UInt8>, before end: Int) -> (scalar: Unicode.Scalar, start: Int) {
        var start = end - 1
        while start > 0, end - start < 4, isContinuation(text[start]) { start -= 1 }
        let (found, byteCount) = scalar(in: text, at: start)
        return start + byteCount == end ? (found, start) : (replacement, end - 1)
    }
}
