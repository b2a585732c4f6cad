// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `LatinText` makes untrusted text in the letters that PDF's own fonts have (WinAnsiEncoding, i.e. Windows-1252).
///
/// What they lack, control characters and marks that reorder a line stand there as `\u{…}`, as in vault's messages.
package struct LatinText {
    /// Bytes of the encoding: one letter, or the six and more of an escape, which no line breaks apart.
    package let units: [[UInt8]]

    package init(_ text: String) {
        units = text.flatMap { character -> [[UInt8]] in
            if let byte = Self.codes[character] { return [[byte]] }
            return character.unicodeScalars.map { scalar in
                if let byte = Self.codes[Character(scalar)] { return [byte] }
                return Array("\\u{\(String(scalar.value, radix: 16))}".utf8)
            }
        }
    }

    /// Returns lines of at most `width` letters. If more than `count` of them were needed, the middle of the text is
    /// left out, with … in its place.
    ///
    /// - Parameter width: at least 10: the longest escape has as many letters.
    package func lines(width: Int, count: Int) -> [[UInt8]] {
        precondition(width >= 10 && count > 0, "an escape fits into a line")
        let whole = Self.broken(units, width: width)
        guard whole.count > count else { return whole }
        // A line that ends before an escape may lose up to nine letters, so that two parts of this size fit with their
        // mark.
        let half = (count * (width - 9) - 1) / 2
        return Self.broken(
            Self.fitting(units, half) + [[Self.ellipsis]] + Self.fitting(units.reversed(), half).reversed(),
            width: width)
    }

    private static func fitting(_ units: [[UInt8]], _ byteCountMax: Int) -> [[UInt8]] {
        var byteCount = 0
        return Array(
            units.prefix { unit in
                byteCount += unit.count
                return byteCount <= byteCountMax
            })
    }

    private static func broken(_ units: [[UInt8]], width: Int) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        for unit in units {
            if lines[lines.count - 1].count + unit.count > width { lines.append([]) }
            lines[lines.count - 1] += unit
        }
        return lines
    }

    private static let ellipsis: UInt8 = 0x85

    /// Characters compare by what they mean, so an accent that follows its letter finds the letter that has it.
    private static let codes: [Character: UInt8] = {
        var codes: [Character: UInt8] = [:]
        for byte: UInt8 in 0x20...0x7E { codes[Character(Unicode.Scalar(byte))] = byte }
        // Without the space that does not break (A0) and the hyphen that is not seen (AD).
        for byte: UInt8 in 0xA1...0xFF where byte != 0xAD { codes[Character(Unicode.Scalar(byte))] = byte }
        for (byte, character) in zip(UInt8(0x80)..., "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ") where character != " " {
            codes[character] = byte
        }
        return codes
    }()
}
