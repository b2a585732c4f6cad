// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Colours as SVG and CSS write them.
enum SVGColour {
    /// - Returns: nil for a notation that is not read.
    static func parse(_ text: some StringProtocol) -> Colour? {
        let text = text.lowercased()
        if text.hasPrefix("#") { return hexadecimal(text.dropFirst()) }
        if text.hasPrefix("rgb(") || text.hasPrefix("rgba(") { return function(text.drop { $0 != "(" }.dropFirst()) }
        if text == "transparent" { return Colour(red: 0, green: 0, blue: 0, alpha: 0) }
        return named[text].map(Self.opaque)
    }

    private static func opaque(_ value: UInt32) -> Colour {
        Colour(
            red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value))
    }

    private static func hexadecimal(_ digits: Substring) -> Colour? {
        guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else { return nil }
        let long = [3, 4].contains(digits.utf8.count) ? String(digits.flatMap { [$0, $0] }) : String(digits)
        guard [6, 8].contains(long.utf8.count), let value = UInt32(long, radix: 16) else { return nil }
        guard long.utf8.count == 8 else { return opaque(value) }
        let solid = opaque(value >> 8)
        return Colour(red: solid.red, green: solid.green, blue: solid.blue, alpha: UInt8(truncatingIfNeeded: value))
    }

    private static func function(_ arguments: Substring) -> Colour? {
        var scanner = SVGScanner(arguments)
        var values: [UInt8] = []
        while values.count < 4, let number = scanner.number() {
            let isPercentage = scanner.take(UInt8(ascii: "%"))
            let whole = isPercentage ? 100.0 : values.count == 3 ? 1 : 255
            values.append(UInt8((min(max(number / whole, 0), 1) * 255).rounded()))
            scanner.skipSeparators()
            _ = scanner.take(UInt8(ascii: "/"))
        }
        guard values.count >= 3, scanner.take(UInt8(ascii: ")")) else { return nil }
        return Colour(red: values[0], green: values[1], blue: values[2], alpha: values.count == 4 ? values[3] : 255)
    }
}
