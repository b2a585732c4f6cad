// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `DomainName` finds the names of machines: labels with dots between, in letters of every script.
///
/// Letters stay as they are written: what becomes of them (IDNA) is the browser's own rule.
enum DomainName {
    private static let byteCountMax = 253

    /// Finds where the name that begins at `begin` ends, without a dot or hyphen that belongs to the sentence; nil when
    /// there is none, or when it goes on with something that would be lost: a link to the half of a name leads to
    /// somebody else.
    static func end(_ text: [UInt8], _ begin: Int, _ limit: Int) -> Int? {
        var at = begin
        var labelStart = begin
        while at < limit {
            let byte = text[at]
            if byte == UInt8(ascii: ".") {
                // Two dots are an ellipsis.
                guard at > labelStart, at + 1 < limit, text[at + 1] != byte else { break }
                labelStart = at + 1
            } else if byte >= 0x80 {
                let scalar = UTF8Decoding.scalar(in: text.span, at: at).scalar
                let isNext =
                    labelStart > begin && at > labelStart && text[labelStart] < 0x80 && ByteClass.isUnspaced(scalar)
                // "x.org" and the next word of a script without spaces.
                if isNext { break }
                guard ByteClass.isName(scalar) else {
                    if breaksName(scalar) { return nil }
                    break
                }
                at += UTF8Decoding.scalar(in: text.span, at: at).byteCount - 1
            } else if !ByteClass.isAlphanumeric(byte), byte != UInt8(ascii: "-"), byte != UInt8(ascii: "_") {
                break
            }
            at += 1
            guard at - begin <= byteCountMax else { return nil }
        }
        while at > begin, ".-_".utf8.contains(text[at - 1]) { at -= 1 }
        return at > begin && text[begin] != UInt8(ascii: "-") ? at : nil
    }

    /// Returns whether a name has a dot, and a last label of letters, two or more.
    static func isPublic(_ name: ArraySlice<UInt8>) -> Bool {
        let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty && $0.first != 0x2D && $0.last != 0x2D }),
            let last = labels.last
        else {
            return false
        }
        if last.starts(with: "xn--".utf8) { return last.count > 4 }
        return last.allSatisfy { ByteClass.isLetter($0) || $0 >= 0x80 }
            && String(decoding: last, as: UTF8.self).unicodeScalars.count >= 2
    }

    /// Returns true for what is neither a letter nor the end of a name: symbols, what is not seen, and ill-formed
    /// bytes.
    private static func breaksName(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == UTF8Decoding.replacement || scalar.properties.isDefaultIgnorableCodePoint { return true }
        switch scalar.properties.generalCategory {
        case .otherSymbol, .format, .privateUse, .unassigned: return true
        default: return false
        }
    }
}
