// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Folded text that knows where its bytes came from.
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

    /// Where in the original, in bytes, the scalar starts that gave the folded byte at `offset`.
    ///
    /// The end of the folded text, and anything outside the window, gives the end of the original.
    public func originalOffset(of offset: Int) -> Int {
        guard offset >= window.lowerBound, offset - window.lowerBound < origins.count else { return originalByteCount }
        return origins[offset - window.lowerBound]
    }

    /// The bytes of the original that a range of folded bytes came from: whole scalars, with the marks that were
    /// dropped after them.
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
