// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SVGScanner` reads numbers as SVG writes them: space and commas between them, or nothing where a sign or a second
/// point parts them.
struct SVGScanner {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { offset == bytes.count }
    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func skipSeparators() {
        while let byte = peek, XMLCursor.isSpace(byte) || byte == UInt8(ascii: ",") { offset += 1 }
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    mutating func letter() -> UInt8? {
        guard let byte = peek, (byte | 0x20) >= UInt8(ascii: "a"), (byte | 0x20) <= UInt8(ascii: "z") else {
            return nil
        }
        offset += 1
        return byte
    }

    /// Reads ASCII letters, for names of functions and units.
    mutating func word() -> String {
        var word: [UInt8] = []
        while let byte = letter() { word.append(byte | (byte >= UInt8(ascii: "a") ? 0 : 0x20)) }
        return String(decoding: word, as: UTF8.self)
    }

    /// Reads a flag of an arc: one digit, with or without anything between it and the next number.
    mutating func flag() -> Bool? {
        skipSeparators()
        if take(UInt8(ascii: "0")) { return false }
        return take(UInt8(ascii: "1")) ? true : nil
    }

    /// Reads a number; nil, at the same place, if none stands here or it is beyond any drawing.
    mutating func number() -> Double? {
        skipSeparators()
        let start = offset
        let isNegative = take(UInt8(ascii: "-"))
        if !isNegative { _ = take(UInt8(ascii: "+")) }
        var mantissa = 0.0
        var exponent = 0
        var digitCount = digits { mantissa = min(mantissa * 10 + Double($0), 1e300) }
        if take(UInt8(ascii: ".")) {
            digitCount += digits { digit in
                guard exponent > -17 else { return }
                mantissa = min(mantissa * 10 + Double(digit), 1e300)
                exponent -= 1
            }
        }
        guard digitCount > 0 else {
            offset = start
            return nil
        }
        exponent += scannedExponent()
        for _ in 0..<min(abs(exponent), 330) { mantissa = exponent < 0 ? mantissa / 10 : mantissa * 10 }
        guard mantissa.isFinite, mantissa <= 1e12 else {
            offset = start
            return nil
        }
        return isNegative ? -mantissa : mantissa
    }

    /// Reads all of them; nil, at the same place, if there are fewer.
    mutating func numbers(_ count: Int) -> [Double]? {
        let start = offset
        var values: [Double] = []
        for _ in 0..<count {
            guard let value = number() else {
                offset = start
                return nil
            }
            values.append(value)
        }
        return values
    }

    /// Reads "e" and digits; where no digits follow, the letter is left: "1em" is a number and a unit.
    private mutating func scannedExponent() -> Int {
        let start = offset
        guard take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) else { return 0 }
        let isNegative = take(UInt8(ascii: "-"))
        if !isNegative { _ = take(UInt8(ascii: "+")) }
        var value = 0
        guard digits({ value = min(value * 10 + $0, 1000) }) > 0 else {
            offset = start
            return 0
        }
        return isNegative ? -value : value
    }

    private mutating func digits(_ each: (Int) -> Void) -> Int {
        let start = offset
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            each(Int(byte - UInt8(ascii: "0")))
            offset += 1
        }
        return offset - start
    }
}

/// `SVGLength` reads a number with a unit, in CSS pixels (1/96 inch).
enum SVGLength {
    private static let pixels = [
        "": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "em": 16,
        "ex": 8,
    ]

    /// Returns the length that a text gives; nil if it is not a length.
    ///
    /// - Parameter whole: what 100 % is; nil where that is not known.
    static func parse(_ text: String?, whole: Double? = nil) -> Double? {
        guard let text else { return nil }
        var scanner = SVGScanner(text)
        guard let number = scanner.number() else { return nil }
        if scanner.take(UInt8(ascii: "%")) { return whole.map { $0 * number / 100 } }
        return pixels[scanner.word()].map { number * $0 }
    }
}
