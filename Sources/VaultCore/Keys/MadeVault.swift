// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A `MadeVault` is a vault that was written just now, with the keys that it was made with, and no credential.
public final class MadeVault {
    private let path: [UInt8]
    private let keys: VaultKeys
    /// SHA-256 of the header that was written, 32 bytes.
    private let headerDigest: [UInt8]
    private let opened: OpenedKeyslot
    private let pins: PinStore

    init(path: [UInt8], keys: VaultKeys, headerDigest: [UInt8], slotID: [UInt8], pins: PinStore) {
        (self.path, self.keys, self.headerDigest, self.pins) = (path, keys, headerDigest, pins)
        opened = OpenedKeyslot(slotID: slotID, duration: nil)
    }

    /// Opens it: who has just chosen the password does not wait for a second derivation.
    ///
    /// - Throws: as `OpenVault.init`; `VaultError.integrity` when it has another header by now, or another vault is in
    ///   its place.
    public func open() throws(VaultError) -> OpenVault { try open(pins: pins) }

    func open(pins: PinStore) throws(VaultError) -> OpenVault {
        try OpenVault(VaultProbe(path: path, pins: pins), keys, headerDigest: headerDigest, opened: opened)
    }
}
