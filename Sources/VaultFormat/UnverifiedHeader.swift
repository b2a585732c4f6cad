// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `UnverifiedHeader` is a vault's public header as read: well-formed, but nobody has vouched for it yet. `VaultCore`
/// makes a `Header` of it with the vault key.
///
/// ```
/// offset  size  field
///      0     4  magic     "VLT1", or "VLC1" of a copy
///      4     2  version   UInt16, big-endian; 1
///      6    16  vaultID   random, never all zero
///    [22    16  copyID    only with "VLC1": random, never all zero; all that follows lies 16 bytes further on]
///     22     4  flags     UInt32; 0, an unknown flag is refused
///     26     4  epoch     UInt32; from 1, one more at each rotation
///     30     8  counter   UInt64; from 1, one more at each change of the header
///     38     1  count     UInt8; 1 to 8 keyslots
///     39  165n  keyslots  docs/format.md §5
///          64  mac       HMAC-SHA-512 over all before it, under the vault key's header subkey
/// ```
/// Spec: docs/format.md §5. Vectors: Vectors/header.json
public struct UnverifiedHeader: Sendable, Equatable {
    public static let magic = Array("VLT1".utf8)
    /// Of a copy with an identity of its own.
    public static let magicOfCopy = Array("VLC1".utf8)
    public static let version: UInt16 = 1
    public static let macByteCount = 64
    public static let keyslotCountMax = 8
    /// The offset of the vault's ID, which a copy's ID follows; a client needs no more of the header.
    public static let vaultIDOffset = 6
    /// Largest header, in bytes.
    public static let byteCountMax = 39 + CopyID.byteCount + keyslotCountMax * Keyslot.byteCount + macByteCount

    public var vaultID: VaultID
    /// Nil unless the vault is a copy with an identity of its own. No context holds it, only the MAC: what the vault's
    /// ID is bound to opens in a copy too.
    public var copyID: CopyID?
    public var flags: UInt32 = 0
    public var epoch: UInt32
    public var counter: UInt64
    public var keyslots: [Keyslot]
    public var mac: [UInt8] = []

    public init(vaultID: VaultID, epoch: UInt32, counter: UInt64, keyslots: [Keyslot]) {
        self.vaultID = vaultID
        self.epoch = epoch
        self.counter = counter
        self.keyslots = keyslots
    }

    /// Reads a header; its MAC is not compared here.
    ///
    /// - Throws: `FormatError` with `.badMagic`, `.unknownVersion`, `.unknownFeature` and the codes of `ByteReader`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        let magic = try reader.bytes(4)
        guard magic == Self.magic || magic == Self.magicOfCopy else { throw FormatError(.badMagic, offset: 0) }
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 4) }
        vaultID = try VaultID(reader.bytes(VaultID.byteCount))
        if magic == Self.magicOfCopy { copyID = try CopyID(reader.bytes(CopyID.byteCount)) }
        let at = reader.offset
        flags = try reader.u32()
        guard flags == 0 else { throw FormatError(.unknownFeature, offset: at) }
        epoch = try reader.u32()
        counter = try reader.u64()
        guard epoch >= 1, counter >= 1 else { throw FormatError(.notCanonical, offset: at + 4) }
        keyslots = try Self.keyslots(from: &reader)
        mac = try reader.bytes(Self.macByteCount)
        try reader.end()
    }

    private static func keyslots(from reader: inout ByteReader) throws(FormatError) -> [Keyslot] {
        let at = reader.offset
        let count = Int(try reader.u8())
        guard (1...keyslotCountMax).contains(count) else { throw FormatError(.tooLarge, offset: at) }
        var slots: [Keyslot] = []
        for _ in 0..<count { slots.append(try Keyslot(from: &reader)) }
        guard Set(slots.map(\.slotID)).count == count else { throw FormatError(.duplicate, offset: at) }
        return slots
    }

    /// Everything that the MAC covers.
    public var authenticatedBytes: [UInt8] {
        var writer = ByteWriter(reserving: Self.byteCountMax)
        writer.raw(copyID == nil ? Self.magic : Self.magicOfCopy)
        writer.u16(Self.version)
        writer.raw(vaultID.bytes)
        if let copyID { writer.raw(copyID.bytes) }
        writer.u32(flags)
        writer.u32(epoch)
        writer.u64(counter)
        writer.u8(UInt8(keyslots.count))
        for slot in keyslots { writer.raw(slot.encoded) }
        return writer.bytes
    }

    public var encoded: [UInt8] { authenticatedBytes + mac }

    /// Which vault this is, or which copy of one.
    public var identity: VaultIdentity { VaultIdentity(vaultID: vaultID, copyID: copyID) }

    /// Returns what a slot's wrapped key is bound to: version, flags, vault, slot and all of its clear fields.
    public func context(for slot: Keyslot) -> Context {
        var role = ByteWriter(reserving: 80)
        role.u16(Self.version)
        role.u32(flags)
        role.raw(slot.clearFields)
        return Context(kind: .keyslot, vaultID: vaultID, objectID: slot.slotID, role: role.bytes, epoch: epoch)
    }
}
