// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The quick test that comes before the search for links, as every note is indexed.
extension LinkDetector {
    private static let blockByteCount = 64

    /// Whether a text may hold an address or a note link: bytes in a row that every one of them has.
    ///
    /// `@` of mail, `://`, `geo:`, `www.` and `[[`. Telephone numbers and days are not looked for.
    public static func mayHaveLinks(_ text: Span<UInt8>) -> Bool {
        var offset = 0
        // A place is looked at together with the two that follow it; the last two have no room for a link.
        while offset + 2 < text.count {
            let size = min(blockByteCount, text.count - 2 - offset)
            let firsts = text.extracting(offset..<(offset + size))
            let seconds = text.extracting((offset + 1)..<(offset + 1 + size))
            let thirds = text.extracting((offset + 2)..<(offset + 2 + size))
            if holdsMark(firsts, seconds, thirds) {
                for index in offset..<(offset + size) where isCandidate(text, index) { return true }
            }
            offset += size
        }
        return false
    }

    /// No early exit, and one mark after the other: loops without branches over few bytes are those that get
    /// vectorised.
    private static func holdsMark(_ firsts: Span<UInt8>, _ seconds: Span<UInt8>, _ thirds: Span<UInt8>) -> Bool {
        guard firsts.count == seconds.count, firsts.count == thirds.count else { return true }
        var found: UInt8 = 0
        for index in 0..<firsts.count { found |= (firsts[index] == 0x40 ? 1 : 0) }
        for index in 0..<firsts.count { found |= (firsts[index] == 0x5B ? 1 : 0) & (seconds[index] == 0x5B ? 1 : 0) }
        for index in 0..<firsts.count { found |= (firsts[index] == 0x3A ? 1 : 0) & (seconds[index] == 0x2F ? 1 : 0) }
        for index in 0..<firsts.count {
            found |= (firsts[index] | 0x20 == 0x77 ? 1 : 0) & (thirds[index] | 0x20 == 0x77 ? 1 : 0)
        }
        for index in 0..<firsts.count {
            found |= (firsts[index] | 0x20 == 0x65 ? 1 : 0) & (thirds[index] == 0x3A ? 1 : 0)
        }
        return found != 0
    }

    private static func isCandidate(_ text: Span<UInt8>, _ offset: Int) -> Bool {
        func byte(_ distance: Int) -> UInt8 {
            let place = offset + distance
            return place >= 0 && place < text.count ? text[place] : 0
        }
        switch byte(0) {
        case UInt8(ascii: "@"): return ByteClass.isWord(byte(1)) && byte(-1) > 0x20
        case UInt8(ascii: "["): return byte(1) == UInt8(ascii: "[")
        case UInt8(ascii: ":"): return byte(1) == UInt8(ascii: "/") && byte(2) == UInt8(ascii: "/")
        case UInt8(ascii: "w"), UInt8(ascii: "W"):
            return byte(1) | 0x20 == UInt8(ascii: "w") && byte(2) | 0x20 == UInt8(ascii: "w")
                && byte(3) == UInt8(ascii: ".")
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
            return byte(1) | 0x20 == UInt8(ascii: "o") && byte(2) == UInt8(ascii: ":")
                && byte(-1) | 0x20 == UInt8(ascii: "g")
        default: return false
        }
    }
}
