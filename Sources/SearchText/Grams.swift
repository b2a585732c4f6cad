// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextReading

/// `Grams` collects the grams of folded text: what the search index holds instead of words, so that any substring in
/// any script is found.
///
/// A gram is one, two or three scalars that follow each other; a space is a scalar like any other, so substrings across
/// words are exact. One value serves many texts, and keeps its memory between them.
public struct Grams {
    /// The most grams that one needle asks for: each costs a look-up, and the candidates are checked anyway.
    public static let neededCountMax = 32

    private var seen = GramSet()

    public init() {}

    /// Forgets the last text, but keeps the allocated memory for reuse.
    public mutating func forget() { seen.removeAll() }

    /// Calls `body` once for each distinct gram of `folded` with its first offset and its length, both in bytes.
    ///
    /// Ill-formed UTF-8 is read as U+FFFD and does no harm.
    public mutating func forEach<Failure: Error>(
        in folded: Span<UInt8>, _ body: (_ offset: Int, _ byteCount: Int) throws(Failure) -> Void
    ) throws(Failure) {
        seen.removeAll()
        // Starts and packed values of the last two scalars. A scalar is packed as its value + 1, so that 0 means none.
        var (start1, start2) = (0, 0)
        var (packed1, packed2): (UInt64, UInt64) = (0, 0)
        var offset = 0
        while offset < folded.count {
            let (scalar, byteCount) = UTF8Decoding.scalar(in: folded, at: offset)
            let packed = UInt64(scalar.value) + 1
            let end = offset + byteCount
            if seen.insert(packed) { try body(offset, byteCount) }
            if packed1 != 0 {
                if seen.insert(packed1 << 21 | packed) { try body(start1, end - start1) }
                if packed2 != 0, seen.insert(packed2 << 42 | packed1 << 21 | packed) { try body(start2, end - start2) }
            }
            (start2, packed2) = (start1, packed1)
            (start1, packed1) = (offset, packed)
            offset = end
        }
    }

    public mutating func forEach<Failure: Error>(
        in folded: [UInt8], _ body: (_ offset: Int, _ byteCount: Int) throws(Failure) -> Void
    ) throws(Failure) {
        try forEach(in: folded.span, body)
    }

    /// Returns the grams that every text holds in which the needle occurs; a text with all of them need not hold the
    /// needle.
    ///
    /// All distinct 3-grams of a needle of three scalars or more, else the needle itself. Of a long needle, 32 spread
    /// evenly.
    ///
    /// - Parameter needle: folded.
    public static func needed(for needle: [UInt8]) -> [[UInt8]] {
        var starts: [Int] = []
        var offset = 0
        while offset < needle.count {
            starts.append(offset)
            offset += UTF8Decoding.scalar(in: needle.span, at: offset).byteCount
        }
        if starts.isEmpty { return [] }
        guard starts.count > 3 else { return [needle] }
        starts.append(needle.count)
        var known: Set<[UInt8]> = []
        var grams: [[UInt8]] = []
        for index in 0..<(starts.count - 3) {
            let gram = Array(needle[starts[index]..<starts[index + 3]])
            if known.insert(gram).inserted { grams.append(gram) }
        }
        guard grams.count > neededCountMax else { return grams }
        return (0..<neededCountMax).map { grams[$0 * (grams.count - 1) / (neededCountMax - 1)] }
    }

    /// Returns the grams that every text holds in which all of some needles occur, each once.
    public static func needed(forAll needles: [[UInt8]]) -> [[UInt8]] {
        var known: Set<[UInt8]> = []
        return needles.flatMap { needed(for: $0) }.filter { known.insert($0).inserted }
    }
}

/// `GramSet` is a set of packed grams: open addressing in one array, so that no gram costs an allocation.
///
/// Keys are not 0. It is emptied by filling, at the size of the last text, and shrinks after an outsized one.
private struct GramSet {
    private static let slotCountMin = 1 << 12
    private static let slotCountKept = 1 << 16

    private var slots = [UInt64](repeating: 0, count: slotCountMin)
    private var shift = UInt64(64 - slotCountMin.trailingZeroBitCount)
    private var count = 0

    mutating func removeAll() {
        if slots.count > Self.slotCountKept {
            self = GramSet()
        } else if count > 0 {
            slots.withFilledZeros()
            count = 0
        }
    }

    /// Adds a key to the set, and returns whether it is new.
    mutating func insert(_ key: UInt64) -> Bool {
        let mask = slots.count &- 1
        // Fibonacci hashing (Knuth, volume 3, section 6.4): the high bits of a product depend on all bits of the key.
        var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> shift)
        while slots[slot] != 0 {
            if slots[slot] == key { return false }
            slot = (slot &+ 1) & mask
        }
        slots[slot] = key
        count &+= 1
        if count &* 2 > slots.count { grow() }
        return true
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: old.count * 2)
        shift -= 1
        count = 0
        for key in old where key != 0 { _ = insert(key) }
    }
}

extension [UInt64] {
    fileprivate mutating func withFilledZeros() {
        var all = mutableSpan
        all.update(repeating: 0)
    }
}
