// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// A vault's directory that was looked at and found fit to ask a password for.
public final class VaultProbe {
    public let directory: VaultDirectory
    public let vaultID: VaultID
    /// The older state was accepted on the owner's word.
    public let acceptsRollback: Bool
    /// Whether this account has seen the vault before; if not, only its owner can tell an old copy from the newest.
    public var isKnownHere: Bool { pin != nil }
    let pins: PinStore
    private(set) var pin: Pin?
    private var copies: [HeaderFile.Copy] = []

    /// Checks owner and permissions, header, costs and pin; no secret is needed.
    ///
    /// - Throws: `VaultError` with `.noVault`, `.notOurs`, `.newerFormat`, `.integrity`, `.costOutOfRange`, `.otherVault`, `.rollback`.
    public init(path: [UInt8], pins: PinStore = PinStore(), acceptRollback: Bool = false) throws(VaultError) {
        directory = try VaultDirectory(path: path)
        acceptsRollback = acceptRollback
        self.pins = pins
        vaultID = try HeaderFile.read(directory)[0].header.vaultID
        try look()
    }

    /// Reads header and pin. Done again under the vault's lock: another program may have changed both since.
    func look() throws(VaultError) {
        let copies = try HeaderFile.read(directory)
        guard copies[0].header.vaultID == vaultID else { throw VaultError(.otherVault) }
        // A whole vault put in the place of ours would be given our password and our next notes (ATTACKS A11).
        if let known = pins.vault(at: directory.canonicalPath), known != vaultID, !acceptsRollback { throw VaultError(.otherVault) }
        pin = pins.pin(of: vaultID)
        self.copies = try Self.notOlder(copies, than: pin, acceptRollback: acceptsRollback)
    }

    private static func notOlder(
        _ copies: [HeaderFile.Copy], than pin: Pin?, acceptRollback: Bool
    ) throws(VaultError) -> [HeaderFile.Copy] {
        guard let pin else { return copies }
        let ours = copies.filter { $0.header.vaultID == pin.vaultID && $0.header.epoch >= pin.epoch }
        let current = ours.filter {
            $0.header.counter > pin.counter || ($0.header.counter == pin.counter && $0.digest == pin.digest)
        }
        if !current.isEmpty { return current }
        // An older key is never accepted: whoever has it may have written this vault.
        guard acceptRollback, !ours.isEmpty else {
            throw VaultError(.rollback, found: copies[0].header.counter, expected: pin.counter)
        }
        return ours
    }

    /// Tries a credential on the slots of its kind.
    ///
    /// - Returns: the verified header and its keys.
    /// - Throws: `VaultError.wrongPassword` while no slot has opened, `.integrity` after one has, `.outOfMemory`.
    func unlock(_ credential: borrowing Credential) throws(VaultError) -> (header: Header, keys: VaultKeys) {
        var slotOpened = false
        for copy in copies {
            for slot in copy.header.keyslots {
                guard let root = try Self.open(slot, credential, copy.header) else { continue }
                slotOpened = true
                guard let keys = try? VaultKeys(root), let header = try? Header.verify(copy.header, keys: keys) else { break }
                return (header, keys)
            }
        }
        throw VaultError(slotOpened ? .integrity : .wrongPassword)
    }

    private static func open(
        _ slot: Keyslot, _ credential: borrowing Credential, _ header: UnverifiedHeader
    ) throws(VaultError) -> SymmetricKey? {
        do throws(CryptoError) {
            guard let kek = try credential.keyEncryptionKey(for: slot) else { return nil }
            return slot.unwrap(kek, header: header)
        } catch {
            throw VaultError(error.code == .outOfMemory ? .outOfMemory : .selfTestFailed)
        }
    }
}
