// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ByteClass` says what bytes and scalars may be part of.
enum ByteClass {
    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
    @inline(__always)
    static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }
    /// Returns true for letters, digits, the underscore, and every byte of what is not ASCII.
    @inline(__always)
    static func isWord(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || byte == 0x5F || byte >= 0x80 }
    static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }

    /// Returns true for marks that reorder or hide what stands around them.
    static func isReordering(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    /// Returns true for letters of scripts that put no spaces between words: an address may stand right beside them.
    static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x31FF,
            0x3400...0x9FFF, 0xA960...0xA97F,
            0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// Returns true for letters, digits and marks that are seen: what a name in a host may be made of.
    static func isName(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        guard !properties.isDefaultIgnorableCodePoint else { return false }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber,
            .letterNumber:
            return true
        default: return false
        }
    }

    /// Returns true for what is not ASCII and may be part of a path: names, numbers and symbols, and the few marks that
    /// stand inside of words.
    static func isPath(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Joiners, and marks inside of words: "L’Équipe", "col·legi", "Michelson–Morley".
        case 0x200C, 0x200D, 0xFE0F, 0xB7, 0x2010, 0x2011, 0x2013, 0x2019: return true
        // Signs of East Asian text, and what stands for something that cannot be shown.
        case 0x3000...0x3004, 0x3008...0x3020, 0xFF00...0xFF0F, 0xFF1A...0xFF20, 0xFF3B...0xFF40, 0xFF5B...0xFF65,
            0xFFE0...0xFFFF:
            return false
        default: break
        }
        if isName(scalar) { return true }
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        switch scalar.properties.generalCategory {
        case .otherNumber, .otherSymbol, .mathSymbol, .currencySymbol, .modifierSymbol, .enclosingMark: return true
        default: return false
        }
    }
}
