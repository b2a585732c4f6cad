// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSeededMachine

/// `Chance` is what happens by itself in a run: SplitMix64, one number is a whole run.
final class Chance: RandomNumberGenerator {
    private var state: UInt64 = 0

    /// Begins the part of a run with this number. What the vaults draw follows from it too, so that a part can be left
    /// out and the others stay what they are.
    func begin(_ part: Int, of seed: UInt64) {
        state = Self.mixed(Self.mixed(seed) &+ UInt64(bitPattern: Int64(part)) &* 0x1_0001)
        sm_seed(Self.mixed(state))
    }

    func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// Returns whether something that happens so often in a thousand times happens now.
    func isNow(_ perMille: Int) -> Bool { perMille > 0 && below(1000) < perMille }

    func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

    func pick<Element>(_ elements: [Element]) -> Element? { elements.isEmpty ? nil : elements[below(elements.count)] }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = word &+ 0x9E37_79B9_7F4A_7C15
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
