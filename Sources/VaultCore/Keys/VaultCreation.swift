// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
public import VaultCrypto
internal import VaultFormat

/// A `VaultCreation` is a vault that is prepared but not written: nothing is on disk until the recovery key was typed
/// back.
public final class VaultCreation {
    private let path: [UInt8]
    private let keys: VaultKeys
    private let header: Header
    private let recovery: ShownRecoveryKey?
    private let names: [NewKeyslot]

    /// Makes keys and keyslots.
    ///
    /// - Parameter targetMilliseconds: what the cost was measured for; 0 for the least that is allowed.
    /// - Throws: `VaultError.exists`, `.outOfMemory`, `.libraryFailed`.
    public init(
        path: [UInt8], password: consuming SecretBytes, cost: Argon2Cost, withRecoveryKey: Bool,
        targetMilliseconds: UInt32 = 0
    ) throws(VaultError) {
        try NewVaultFolder.refuseExisting(path)
        self.path = path
        recovery = withRecoveryKey ? try ShownRecoveryKey() : nil
        do throws(CryptoError) {
            let root = try SymmetricKey(random: ())
            keys = try VaultKeys(root)
            guard let vaultID = try? VaultID(SecureRandom.bytes(VaultID.byteCount)) else {
                throw CryptoError(.libraryFailure)
            }
            var content = UnverifiedHeader(vaultID: vaultID, epoch: 1, counter: 1, keyslots: [])
            content.keyslots.append(try .make(.password(password), cost: cost, wrapping: root, header: content))
            if let recovery {
                content.keyslots.append(try .make(recovery.credential(), cost: cost, wrapping: root, header: content))
            }
            header = try Header.make(content, keys: keys)
            names = content.keyslots.map { slot in
                NewKeyslot(
                    slot: slot, name: slot.kind == .password ? KeyslotName.password : KeyslotName.recovery,
                    targetMilliseconds: slot.kind.usesArgon2 ? targetMilliseconds : 0)
            }
        } catch {
            throw VaultError(error)
        }
    }

    /// Returns the recovery key as text to show once; nil when none was asked for.
    public func recoveryText() -> SecretBytes? { recovery?.text() }

    /// Returns whether the typed text is the recovery key that was shown, or none was asked for.
    public func isConfirmed(by typed: borrowing SecretBytes) -> Bool { recovery?.isConfirmed(by: typed) ?? true }

    /// Writes the vault's directory under another name and renames it: after a crash there is a whole vault or none.
    ///
    /// - Throws: `VaultError.exists`, `.busy`, `.saveFailed`, `.readOnly`, `.notOurs`; then nothing is written.
    @discardableResult
    public func commit(pins: PinStore = PinStore()) throws(VaultError) -> MadeVault {
        let folder = try NewVaultFolder(path)
        try HeaderFile.write(header, to: folder.directory)
        try IndexFile.make(folder.directory, header: header, keys: keys, names)
        let digest = try HeaderFile.digest(header)
        let made = try folder.publish()
        let pin = Pin(vaultID: header.vaultID, epoch: 1, counter: 1, digest: digest, generation: 1)
        _ = pins.record(pin, canonicalPath: made.canonicalPath)
        return MadeVault(path: path, keys: keys, headerDigest: digest, slotID: header.keyslots[0].slotID, pins: pins)
    }
}
