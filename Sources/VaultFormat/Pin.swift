// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Pin` holds what this account last saw of a vault. It lies outside the vault and holds nothing secret; a vault that
/// is older than its pin is refused.
///
/// ```
/// offset  size  field
///      0     4  magic       "VPN2"
///      4    16  vaultID
///     20     4  epoch       UInt32, big-endian
///     24     8  counter     UInt64; the header's
///     32    32  digest      SHA-256 of the header file
///     64     8  generation  UInt64; highest seen
///     72     8  sequence    UInt64; of the last entry seen of the vault's own chain, 0 without one
///     80    32  chain       SHA-256 of that entry; zeros without one
///    112        end
/// ```
/// "VPN1" ends at 72 and knows no entry. Spec: docs/format.md §8.
public struct Pin: Sendable, Equatable {
    public static let magic = Array("VPN2".utf8)
    /// Of pins that know no entry; they are read and no longer written.
    static let firstMagic = Array("VPN1".utf8)

    public var vaultID: VaultID
    public var epoch: UInt32
    public var counter: UInt64
    public var digest: [UInt8]
    public var generation: UInt64
    /// Of the last entry that was seen; 0 where none is known. A vault that has another entry with this number has
    /// diverged since.
    public var sequence: UInt64
    /// 32 bytes; zeros where no entry is known.
    public var chain: [UInt8]

    public init(
        vaultID: VaultID, epoch: UInt32, counter: UInt64, digest: [UInt8], generation: UInt64, sequence: UInt64 = 0,
        chain: [UInt8] = Entry.firstPrevious
    ) {
        self.vaultID = vaultID
        self.epoch = epoch
        self.counter = counter
        self.digest = digest
        self.generation = generation
        self.sequence = sequence
        self.chain = chain
    }

    /// Reads a pin; one of the first form knows no entry of the chain.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        let magic = try reader.bytes(4)
        guard magic == Self.magic || magic == Self.firstMagic else { throw FormatError(.badMagic, offset: 0) }
        vaultID = try VaultID(reader.bytes(VaultID.byteCount))
        epoch = try reader.u32()
        counter = try reader.u64()
        digest = try reader.bytes(32)
        generation = try reader.u64()
        (sequence, chain) = (0, Entry.firstPrevious)
        if magic == Self.magic {
            sequence = try reader.u64()
            chain = try reader.bytes(Entry.digestByteCount)
        }
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
        writer.u64(sequence)
        writer.raw(chain)
        return writer.bytes
    }
}
