// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
public import VaultCrypto
internal import VaultFormat

/// A `NextEpoch` is the next key of a vault with its whole header: made, but nowhere written.
public final class NextEpoch: @unchecked Sendable {
    /// The header that it follows; it must still be the vault's when the rotation begins.
    let base: Header
    let root: SymmetricKey
    let header: Header
    let slots: [NewKeyslot]
    /// SHA-256 of the header that ends the epoch before in the remote: another one than `header` where a device takes
    /// over what another has begun.
    let ending: [UInt8]
    let beginning: FormerEpoch.Beginning
    private let recovery: ShownRecoveryKey?

    /// Derives the new slots' keys. It takes as long as `cost` says.
    ///
    /// - Parameters:
    ///   - proof: of the owner's present credential.
    ///   - credential: what opens the vault from then on, the same or another.
    ///   - name: of its slot.
    /// - Throws: `VaultError.outOfMemory`, `.libraryFailed`.
    public init(
        _ proof: KeyslotProof, _ credential: borrowing Credential, name: String, cost: Argon2Cost,
        targetMilliseconds: UInt32,
        withRecoveryKey: Bool
    ) throws(VaultError) {
        base = proof.header
        let (epoch, epochIsOver) = base.epoch.addingReportingOverflow(1)
        let (counter, counterIsOver) = base.counter.addingReportingOverflow(1)
        guard !epochIsOver, !counterIsOver else { throw VaultError(.integrity) }
        recovery = withRecoveryKey ? try ShownRecoveryKey() : nil
        do throws(CryptoError) {
            // From nothing that the old key has to do with: who knows that one learns nothing of this one.
            let root = try SymmetricKey(random: ())
            var content = UnverifiedHeader(vaultID: base.vaultID, epoch: epoch, counter: counter, keyslots: [])
            content.copyID = base.copyID
            var made = [
                NewKeyslot(
                    slot: try .make(credential, cost: cost, wrapping: root, header: content), name: name,
                    targetMilliseconds: targetMilliseconds)
            ]
            if let recovery {
                let slot = try Keyslot.make(recovery.credential(), cost: cost, wrapping: root, header: content)
                made.append(NewKeyslot(slot: slot, name: KeyslotName.recovery, targetMilliseconds: 0))
            }
            content.keyslots = made.map(\.slot)
            (self.root, slots, header) = (root, made, try Header.make(content, keys: VaultKeys(root)))
            (ending, beginning) = (try Digest.sha256(header.encoded), .own)
        } catch { throw VaultError(error) }
    }

    /// Takes over the key that another device of the vault has made.
    ///
    /// - Parameter given: what the owner's credential has opened.
    /// - Throws: `VaultError.keysChanged` for a header that does not follow this one, `.libraryFailed`.
    public init(following base: Header, _ given: FollowedKey) throws(VaultError) {
        guard given.header.epoch == base.epoch + 1, given.header.identity == base.identity else {
            throw VaultError(.keysChanged)
        }
        (self.base, root, slots, recovery) = (base, given.root, [], nil)
        (ending, beginning) = (given.ending, .given)
        guard given.header.counter <= base.counter else {
            header = given.header
            return
        }
        // This device has changed its own header more often: no counter of a vault goes back.
        var content = given.header.content
        let (counter, isOver) = base.counter.addingReportingOverflow(1)
        guard !isOver else { throw VaultError(.integrity) }
        content.counter = counter
        let keys = try VaultError.mapping { () throws(CryptoError) in try VaultKeys(given.root) }
        header = try VaultError.mapping { () throws(CryptoError) in try Header.make(content, keys: keys) }
    }

    /// Returns the new recovery key as text to show once; nil when there is none.
    public func recoveryText() -> SecretBytes? { recovery?.text() }

    /// Returns whether the typed text is the recovery key that was shown, or there is none.
    public func isConfirmed(by typed: borrowing SecretBytes) -> Bool { recovery?.isConfirmed(by: typed) ?? true }
}

/// `KeyslotName` says what slots are called that nobody named.
public enum KeyslotName {
    public static let password = "password"
    public static let recovery = "recovery key"
}
