// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A set of packed grams: open addressing in one array, so that no gram costs an allocation.
///
/// Keys are not 0. It is emptied by filling, at the size of the last text, and shrinks after an outsized one.
struct GramSet {
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

    /// - Returns: whether the key is new.
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
