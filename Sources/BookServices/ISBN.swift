// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ISBN` is the number of one edition of a book, with a check digit that was right.
///
/// The old form of ten characters has one of thirteen; that of thirteen has an old one only behind 978.
public struct ISBN: Sendable, Hashable {
    /// Thirteen digits without dashes.
    public let digits: String

    /// Reads a number of ten or thirteen digits; dashes, blanks and the word ISBN before it are passed over.
    ///
    /// - Returns: nil for anything else, and for a check digit that is wrong.
    public init?(_ text: String) {
        var plain = text.unicodeScalars.filter { !Self.isSeparator($0) }.map(Character.init)[...]
        if String(plain.prefix(4)).uppercased() == "ISBN" {
            plain = plain.dropFirst(4)
            // "ISBN-13:" names the form.
            if let colon = plain.firstIndex(of: ":") { plain = plain[plain.index(after: colon)...] }
        }
        guard let digits = Self.thirteen(plain) else { return nil }
        self.digits = digits
    }

    /// The old form; nil for a number that has none.
    public var ten: String? {
        guard digits.hasPrefix("978") else { return nil }
        let body = digits.dropFirst(3).prefix(9)
        let sum = zip(body, 0...).reduce(0) { $0 + (10 - $1.1) * ($1.0.wholeNumberValue ?? 0) }
        let check = (11 - sum % 11) % 11
        return body + (check == 10 ? "X" : String(check))
    }

    private static func thirteen(_ text: ArraySlice<Character>) -> String? {
        switch text.count {
        case 10:
            guard isTen(text) else { return nil }
            let body = "978" + text.prefix(9)
            return body + String(checkDigit(of: body))
        case 13:
            guard text.allSatisfy(isDigit) else { return nil }
            let whole = String(text)
            guard whole.hasPrefix("978") || whole.hasPrefix("979") else { return nil }
            let body = String(whole.prefix(12))
            return body + String(checkDigit(of: body)) == whole ? whole : nil
        default: return nil
        }
    }

    /// Returns the digit that makes the sum, in which each second digit counts three times, a multiple of ten.
    private static func checkDigit(of twelve: String) -> Int {
        let sum = zip(twelve, 0...).reduce(0) { $0 + ($1.1 % 2 == 0 ? 1 : 3) * ($1.0.wholeNumberValue ?? 0) }
        return (10 - sum % 10) % 10
    }

    /// Returns whether the sum, in which the digits count ten times to once, is a multiple of eleven.
    private static func isTen(_ text: ArraySlice<Character>) -> Bool {
        guard text.dropLast().allSatisfy(isDigit), let last = text.last, isDigit(last) || last == "X" || last == "x"
        else { return false }
        let sum = zip(text, 0...).reduce(0) { $0 + (10 - $1.1) * ($1.0.wholeNumberValue ?? 10) }
        return sum % 11 == 0
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isWholeNumber }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Blanks, the dash of a keyboard and those that are set in print.
        case 0x20, 0x2D, 0xA0, 0xAD, 0x2010...0x2015, 0x2212: true
        default: false
        }
    }
}
