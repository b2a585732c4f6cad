// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `TextFold` folds text for search, so that two spellings of a word that a reader takes for the same become the same
/// bytes.
///
/// For each scalar, in this order:
/// 1. width: U+FF01…FFEE become their plain forms;
/// 2. Hangul syllables become conjoining jamo, everything else its canonical decomposition;
/// 3. diacritics: marks of combining class 10 and above are dropped. Classes 1 to 9 stay: they change the letter (kana
///    voicing, nukta, virama);
/// 4. case: the lowercase mapping; final sigma becomes sigma, ẞ becomes ß and ß stays;
/// 5. white space: a run of any length becomes one space, so that a phrase matches across a line end.
///
/// Ill-formed UTF-8 becomes U+FFFD. The outcome depends on the text and the Unicode data of the runtime, on nothing
/// else, and folding it again changes nothing. Text composed or decomposed folds alike.
public enum TextFold {
    /// Raised whenever these rules change. An index must be told the very bytes that it was given, so it stores this.
    public static let version: UInt32 = 1

    /// Returns the folded form of `text`, in UTF-8.
    public static func fold(_ text: Span<UInt8>) -> [UInt8] {
        var engine = FoldEngine(expecting: text.count, window: nil)
        engine.run(text)
        return engine.finish().bytes
    }

    public static func fold(_ text: [UInt8]) -> [UInt8] { fold(text.span) }

    public static func fold(_ text: String) -> [UInt8] { fold(Array(text.utf8)) }

    /// Returns the folded form with the way back to the original, for highlighting.
    ///
    /// - Parameter window: the folded bytes whose origin is kept; without it all. Eight bytes are kept for each.
    public static func mapped(_ text: [UInt8], window: Range<Int>? = nil) -> FoldedText {
        let window = window ?? 0..<Int.max
        var engine = FoldEngine(expecting: text.count, window: window)
        engine.run(text.span)
        let (bytes, origins) = engine.finish()
        return FoldedText(bytes: bytes, window: window, origins: origins, originalByteCount: text.count)
    }

    /// Returns the fold of a fixed sample: the scalars whose mapping newer Unicode data is likely to change, with a bar
    /// after each.
    ///
    /// A program that stores folded text stores a digest of this with it and compares at start-up: another digest means
    /// that the runtime folds differently now, and the index must be rebuilt. It takes about four milliseconds, or
    /// half of one when those scalars were folded before.
    public static func probe() -> [UInt8] {
        var text = String.UnicodeScalarView()
        for scalar in sample.joined().compactMap(Unicode.Scalar.init) {
            text.append(scalar)
            text.append("|")
        }
        return fold(String(text))
    }

    private static let sample: [ClosedRange<UInt32>] = [
        0x00A0...0x05FF, 0x0890...0x09FF, 0x1C80...0x1CFF, 0x1DC0...0x1FFF, 0x3040...0x30FF, 0xA700...0xA7FF,
        0xAC00...0xAC3F, 0xFF00...0xFFEF, 0x10570...0x105FF,
    ]
}

/// `FoldedText` is folded text that knows where its bytes came from.
public struct FoldedText: Sendable {
    /// The folded form, in UTF-8.
    public let bytes: [UInt8]
    /// The folded bytes whose origin is known.
    private let window: Range<Int>
    /// Offset of the original scalar of each byte of the window; never decreases.
    private let origins: [Int]
    private let originalByteCount: Int

    init(bytes: [UInt8], window: Range<Int>, origins: [Int], originalByteCount: Int) {
        self.bytes = bytes
        self.window = window
        self.origins = origins
        self.originalByteCount = originalByteCount
    }

    /// Finds where in the original, in bytes, the scalar starts that gave the folded byte at `offset`.
    ///
    /// The end of the folded text, and anything outside the window, gives the end of the original.
    public func originalOffset(of offset: Int) -> Int {
        guard offset >= window.lowerBound, offset - window.lowerBound < origins.count else { return originalByteCount }
        return origins[offset - window.lowerBound]
    }

    /// Returns the bytes of the original that a range of folded bytes came from: whole scalars, with the marks that
    /// were dropped after them.
    public func originalRange(of range: Range<Int>) -> Range<Int> {
        let start = originalOffset(of: range.lowerBound)
        if range.isEmpty { return start..<start }
        // A range that ends inside of what one scalar became (the vowel of a Hangul syllable) takes all of that scalar.
        let last = originalOffset(of: range.upperBound - 1)
        var end = range.upperBound
        while end < bytes.count, originalOffset(of: end) == last { end += 1 }
        return start..<max(start, end < bytes.count ? originalOffset(of: end) : originalByteCount)
    }
}
