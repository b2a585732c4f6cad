// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ByteFinder` finds one byte string in many texts.
///
/// Looks for the needle's two rarest bytes, at their distance, in blocks that the compiler turns into vector compares,
/// and compares the whole needle only there.
public struct ByteFinder: Sendable {
    private static let blockByteCount = 64

    public let needle: [UInt8]
    /// Places in the needle of its rarest byte and of the next; the same for a needle of one byte.
    private let rareIndex: Int
    private let nextIndex: Int

    public init(_ needle: [UInt8]) {
        self.needle = needle
        let order = needle.indices.sorted { Self.frequency(of: needle[$0]) < Self.frequency(of: needle[$1]) }
        let rarest = order.first ?? 0
        rareIndex = rarest
        // Another byte says more than the same byte again.
        nextIndex = order.first { needle[$0] != needle[rarest] } ?? order.last ?? 0
    }

    /// Returns the offset of the first occurrence that starts at `start` or later; an empty needle occurs nowhere.
    public func first(in text: Span<UInt8>, from start: Int = 0) -> Int? {
        guard !needle.isEmpty, start >= 0, text.count - start >= needle.count else { return nil }
        let (rareByte, nextByte) = (needle[rareIndex], needle[nextIndex])
        let end = text.count - needle.count + 1
        var offset = start
        while offset < end {
            let size = min(Self.blockByteCount, end - offset)
            let rare = text.extracting((offset + rareIndex)..<(offset + rareIndex + size))
            let next = text.extracting((offset + nextIndex)..<(offset + nextIndex + size))
            if Self.holds(rare, rareByte, next, nextByte) {
                for index in 0..<size where rare[index] == rareByte && next[index] == nextByte {
                    if occurs(in: text, at: offset + index) { return offset + index }
                }
            }
            offset += size
        }
        return nil
    }

    private func occurs(in text: Span<UInt8>, at offset: Int) -> Bool {
        for index in needle.indices where text[offset + index] != needle[index] { return false }
        return true
    }

    /// Makes no early exit: a loop without branches is one that gets vectorised.
    @inline(__always)
    private static func holds(_ rare: Span<UInt8>, _ rareByte: UInt8, _ next: Span<UInt8>, _ nextByte: UInt8) -> Bool {
        guard rare.count == next.count else { return true }
        var found: UInt8 = 0
        for index in 0..<rare.count { found |= (rare[index] == rareByte ? 1 : 0) & (next[index] == nextByte ? 1 : 0) }
        return found != 0
    }

    /// Returns a rank, not a measurement: in folded text spaces and the letters of "etaoinsr" crowd; lead bytes of
    /// other scripts repeat with each letter, so their continuation bytes tell more.
    private static func frequency(of byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: " "): 10
        case UInt8(ascii: "e"), UInt8(ascii: "t"), UInt8(ascii: "a"), UInt8(ascii: "o"), UInt8(ascii: "i"),
            UInt8(ascii: "n"):
            9
        case 0xC0...: 8
        case UInt8(ascii: "s"), UInt8(ascii: "r"), UInt8(ascii: "h"), UInt8(ascii: "l"), UInt8(ascii: "d"),
            UInt8(ascii: "u"):
            7
        case UInt8(ascii: "j"), UInt8(ascii: "q"), UInt8(ascii: "x"), UInt8(ascii: "z"): 1
        case UInt8(ascii: "a")...UInt8(ascii: "z"): 5
        case 0x80...: 4
        default: 2
        }
    }
}
