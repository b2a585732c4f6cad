// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A number with a unit, in CSS pixels (1/96 inch).
enum SVGLength {
    private static let pixels = [
        "": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "em": 16,
        "ex": 8,
    ]

    /// - Parameter whole: what 100 % is; nil where that is not known.
    /// - Returns: nil if it is no length.
    static func parse(_ text: String?, whole: Double? = nil) -> Double? {
        guard let text else { return nil }
        var scanner = SVGScanner(text)
        guard let number = scanner.number() else { return nil }
        if scanner.take(UInt8(ascii: "%")) { return whole.map { $0 * number / 100 } }
        return pixels[scanner.word()].map { number * $0 }
    }
}
