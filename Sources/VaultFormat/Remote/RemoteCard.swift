// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `RemoteCard` says that a device is there. A listing of cards finds devices that no other device has quoted yet.
///
/// ```
/// UInt16 version (1) | UInt32 flags (0) | device 16 bytes | Int64 made
/// ```
/// Spec: docs/format.md §25.4.
public struct RemoteCard: Sendable, Equatable {
    public static let version: UInt16 = 1
    /// Size of a card as it lies, in bytes: it has room to spare in the smallest padding.
    public static let sealedByteCount = 328

    public var device: DeviceID
    /// When, in milliseconds since 1970, UTC; for display only.
    public var made: Int64

    public init(device: DeviceID, made: Int64) {
        self.device = device
        self.made = made
    }

    /// Reads a card.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        guard try reader.u32() == 0 else { throw FormatError(.unknownFeature, offset: 2) }
        device = try DeviceID(reader.bytes(DeviceID.byteCount))
        made = try reader.i64()
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 32)
        writer.u16(Self.version)
        writer.u32(0)
        writer.raw(device.bytes)
        writer.i64(made)
        return writer.bytes
    }

    /// Returns what a card is sealed with: its name in the place of the device, which its reader does not know yet.
    /// That the device inside is the one of the name is compared after it was opened.
    public static func context(named name: RemoteName, in vault: VaultIdentity, epoch: UInt32) -> Context {
        Context(
            kind: .card, vaultID: vault.vaultID, objectID: name.bytes, role: RemotePlace.role(of: vault), epoch: epoch)
    }
}
