// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `CharacterWidth` says how many terminal columns a grapheme cluster takes.
public enum CharacterWidth {
    /// Returns how many columns a character takes: 2 for a flag, a keycap, a joined or coloured emoji; for everything
    /// else the sum of its scalars, as terminals count.
    public static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.index(after: scalars.startIndex) == scalars.endIndex { return columns(of: first) }
        if isRegionalIndicator(first) { return 2 }
        let isEmoji = first.properties.isEmoji
        var sum = 0
        for scalar in scalars {
            if isEmoji, scalar == "\u{FE0F}" || scalar == "\u{200D}" || scalar.properties.isEmojiModifier { return 2 }
            sum += columns(of: scalar)
        }
        return sum
    }

    /// Returns 0 for controls, marks and what is not shown, 2 for wide, 1 for all others.
    ///
    /// Width is not in the standard library: the ranges are those that EastAsianWidth.txt calls W and F, with
    /// neighbours joined over unassigned code points. Ambiguous ones count 1, as in a terminal outside East Asia.
    public static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F ? 1 : 0 }
        switch scalar.value {
        case 0xAD: return 1
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        // Formats by their category, and yet seen: they stand around the number behind them.
        case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return 1
        case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x2E80...0x303E, 0x3040...0x3247, 0x3250...0x4DBF: break
        case 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F: break
        case 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376: break
        case 0x1F200...0x1F265, 0x20000...0x3FFFD: break
        default: return isInvisible(scalar) ? 0 : scalar.properties.isEmojiPresentation ? 2 : 1
        }
        return isInvisible(scalar) ? 0 : 2
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
