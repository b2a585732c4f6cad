// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What this account last saw of a vault. It lies outside the vault and holds nothing secret; a vault that is older
/// than its pin is refused.
///
/// ```
/// offset  size  field
///      0     4  magic       "VPN1"
///      4    16  vaultID
///     20     4  epoch       UInt32, big-endian
///     24     8  counter     UInt64; the header's
///     32    32  digest      SHA-256 of the header file
///     64     8  generation  UInt64; highest seen
///     72        end
/// ```
/// Spec: docs/format.md §8.
public struct Pin: Sendable, Equatable {
    public static let magic = Array("VPN1".utf8)

    public var vaultID: VaultID
    public var epoch: UInt32
    public var counter: UInt64
    public var digest: [UInt8]
    public var generation: UInt64

    public init(vaultID: VaultID, epoch: UInt32, counter: UInt64, digest: [UInt8], generation: UInt64) {
        self.vaultID = vaultID
        self.epoch = epoch
        self.counter = counter
        self.digest = digest
        self.generation = generation
    }

    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.bytes(4) == Self.magic else { throw FormatError(.badMagic, offset: 0) }
        vaultID = try VaultID(reader.bytes(VaultID.byteCount))
        epoch = try reader.u32()
        counter = try reader.u64()
        digest = try reader.bytes(32)
        generation = try reader.u64()
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.raw(Self.magic)
        writer.raw(vaultID.bytes)
        writer.u32(epoch)
        writer.u64(counter)
        writer.raw(digest)
        writer.u64(generation)
        return writer.bytes
    }
}
