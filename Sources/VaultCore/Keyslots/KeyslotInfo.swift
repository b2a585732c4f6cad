// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A keyslot as its owner knows it.
public struct KeyslotInfo: Sendable, Equatable {
    /// Random, 16 bytes.
    public let slotID: [UInt8]
    public let kind: Keyslot.Kind
    /// Empty when nothing is known of it.
    public let name: String
    /// Milliseconds since 1970, UTC; nil when that is not known.
    public let made: Int64?
    public let memoryKiB: UInt32
    public let iterations: UInt32
    public let parallelism: UInt32
    /// How long a try was to take when it was made, in milliseconds; nil when that is not known.
    public let targetMilliseconds: UInt32?

    /// Beginning of the identifier, to name the slot by.
    public var shortID: String { slotID.prefix(4).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() }
}

extension Keyslot {
    /// Longest name of a keyslot, in bytes.
    public static let nameByteCountMax = 256
}
