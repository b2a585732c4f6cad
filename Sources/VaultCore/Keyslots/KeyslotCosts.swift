// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// `KeyslotCosts` says what opening a keyslot may cost. It is one rule for writing a slot and for trying one,
/// and each slot is judged by itself. Bounds of the format are `Argon2Cost`'s; a header with a slot beyond
/// them is not well-formed.
///
/// Spec: docs/format.md §5.
struct KeyslotCosts {
    /// What a slot asks that this account has no reason to expect, in KiB times passes: the most memory that a writer
    /// takes, three times.
    static let usualWork: UInt64 = 1024 * 1024 * 3
    /// How many times the work that is known a slot may ask for; one that asks for more is tried on the owner's word
    /// alone.
    static let dearFactor: UInt64 = 8
    let memoryByteCount: UInt64
    /// The greatest work of a slot in a header that this account has opened before.
    private(set) var knownWork = Self.usualWork

    /// Begins with the usual work as all that is known.
    ///
    /// - Parameter memoryByteCount: this machine's memory, in bytes.
    init(memoryByteCount: UInt64 = Machine.memoryByteCount) { self.memoryByteCount = memoryByteCount }

    /// Returns whether all machines may be asked for this.
    static func isOfTheFormat(_ slot: Keyslot) -> Bool {
        !slot.kind.usesArgon2 || slot.cost.isAcceptable(memoryByteCount: .max)
    }

    /// Takes a header that this account has opened before; what its slots ask for is known from then on.
    mutating func know(_ header: UnverifiedHeader) {
        for slot in header.keyslots { knownWork = max(knownWork, slot.work) }
    }

    /// Returns whether this machine has the memory for it.
    func fits(_ slot: Keyslot) -> Bool {
        !slot.kind.usesArgon2 || slot.cost.isAcceptable(memoryByteCount: memoryByteCount)
    }

    func isDear(_ slot: Keyslot) -> Bool { slot.work / Self.dearFactor > knownWork }

    /// Returns why a slot is not tried without further ado; nil for one that is.
    func obstacle(_ slot: Keyslot) -> CostlyKeyslot? {
        guard fits(slot) else { return CostlyKeyslot(slot, .memory, knownWork: knownWork) }
        return isDear(slot) ? CostlyKeyslot(slot, .work, knownWork: knownWork) : nil
    }
}

/// A `CostlyKeyslot` is a keyslot that is not tried, or only on the owner's word.
public struct CostlyKeyslot: Sendable, Equatable {
    public enum Obstacle: Sendable {
        /// It asks for more than half of this machine's memory.
        case memory
        /// It asks for more than eight times the work that is known here.
        case work
    }

    /// Beginning of the slot's identifier.
    public let shortID: String
    public let kind: Keyslot.Kind
    public let obstacle: Obstacle
    public let memoryKiB: UInt32
    /// The work it asks for, as a multiple of the known work.
    public let times: UInt64

    fileprivate init(_ slot: Keyslot, _ obstacle: Obstacle, knownWork: UInt64) {
        shortID = Keyslot.shortID(slot.slotID)
        kind = slot.kind
        self.obstacle = obstacle
        memoryKiB = slot.memoryKiB
        times = slot.work / max(knownWork, 1)
    }

    /// What is thrown when there was no other slot to try.
    var error: VaultError {
        switch obstacle {
        case .memory:
            VaultError(
                .keyslotNeedsMemory, found: Machine.memoryByteCount >> 20, expected: UInt64(memoryKiB) >> 9)
        case .work: VaultError(.costlyKeyslot, found: times)
        }
    }
}

extension Keyslot {
    var cost: Argon2Cost { Argon2Cost(memoryKiB: memoryKiB, iterations: iterations, parallelism: parallelism) }

    /// Memory times passes, in KiB.
    var work: UInt64 { UInt64(memoryKiB) * UInt64(iterations) }

    /// Returns the beginning of the identifier, to name the slot by.
    static func shortID(_ slotID: [UInt8]) -> String { hexadecimal(slotID.prefix(4)) }
}
