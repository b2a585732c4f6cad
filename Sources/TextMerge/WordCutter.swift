// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `WordCutter` cuts a text into words, runs of white space and single marks.
///
/// A line's end is a token of its own, so that a new empty line is seen as one. Of the scripts that write no spaces
/// each character is a token. What joins to the character before it (accents, variation selectors, joined emoji) stays
/// with it. A byte that is not UTF-8 is a token.
enum WordCutter {
    private enum Class {
        case word
        case space
        /// Always a token of its own.
        case single
        /// Part of the token before it.
        case joining
    }

    private static let joiner: UInt32 = 0x200D

    /// Returns where each token ends; nil when there are more than `limit`.
    static func ends(of text: ArraySlice<UInt8>, atMost limit: Int) -> [Int]? {
        var ends: [Int] = []
        var last = Class.single
        var isJoined = false
        var offset = text.startIndex
        while offset < text.endIndex {
            let scalar = UTF8Scalar(in: text, at: offset)
            let kind = scalar.value.map { classify($0) } ?? .single
            let isPart = offset > text.startIndex && (isJoined || kind == .joining || kind == last && kind != .single)
            if !isPart, offset > text.startIndex {
                if ends.count >= limit { return nil }
                ends.append(offset)
            }
            // A joined character keeps its token open for what the token is made of, not for what joined.
            if !isPart { last = kind }
            isJoined = scalar.value == joiner
            offset += scalar.byteCount
            if scalar.value == 0x0D, offset < text.endIndex, text[offset] == 0x0A { isJoined = true }
        }
        if offset > text.startIndex {
            if ends.count >= limit { return nil }
            ends.append(offset)
        }
        return ends
    }

    private static func classify(_ value: UInt32) -> Class {
        switch value {
        case 0x0A, 0x0D: return .single
        case 0x20, 0x09, 0x0B, 0x0C: return .space
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: return .word
        case 0..<0x80: return .single
        // Kana, Bopomofo, Han, Hangul syllables.
        case 0x3041...0x3096, 0x309D...0x30FF, 0x3105...0x312F, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
            0xF900...0xFAFF:
            return .single
        case 0x20000...0x3FFFF: return .single
        // Flags are pairs of these letters, colours of skin follow what they colour.
        case 0x1F1E6...0x1F1FF: return .word
        case 0x1F3FB...0x1F3FF, joiner: return .joining
        default: return Unicode.Scalar(value).map { classify($0.properties) } ?? .single
        }
    }

    private static func classify(_ properties: Unicode.Scalar.Properties) -> Class {
        if properties.isGraphemeExtend { return .joining }
        if properties.isWhitespace { return .space }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return .word
        case .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark, .format:
            return .word
        default: return .single
        }
    }
}

/// `UTF8Scalar` is one scalar of a text, or one byte that is not part of a scalar.
private struct UTF8Scalar {
    let byteCount: Int
    /// Nil for a byte that is not UTF-8.
    let value: UInt32?

    /// Reads the scalar at an offset before the end of the text, or one byte where there is no whole scalar.
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
