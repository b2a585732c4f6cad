// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
public import VaultCrypto
internal import VaultFormat

/// A `KeyslotProof` is the owner's word on a header: a credential that opened one of its slots. Every change of
/// keyslots begins with one.
public final class KeyslotProof: Sendable {
    /// The header that it was given on; it must still be the vault's when something is changed.
    let header: Header
    /// Of the slot that the credential opens.
    public let slotID: [UInt8]
    let root: SymmetricKey

    /// Derives keys from the credential for the slots of its kind, until one opens. It takes as long as their costs
    /// say.
    ///
    /// - Throws: `VaultError.wrongPassword`, `.outOfMemory`, `.libraryFailed`.
    public init(_ header: Header, _ credential: borrowing Credential) throws(VaultError) {
        // The vault's key vouches for this header, so no slot of it is too dear; one may be too large.
        var trial = KeyslotTrial(costs: KeyslotCosts(), triesDear: true)
        for slot in header.keyslots {
            guard let root = try trial.open(slot, credential, header.content) else { continue }
            (self.header, slotID, self.root) = (header, slot.slotID, root)
            return
        }
        throw trial.failure
    }
}

/// A `NewKeyslot` is a keyslot that is made, but in no header yet.
public struct NewKeyslot: Sendable {
    let slot: Keyslot
    let name: String
    let targetMilliseconds: UInt32

    public var slotID: [UInt8] { slot.slotID }

    init(slot: Keyslot, name: String, targetMilliseconds: UInt32) {
        (self.slot, self.name, self.targetMilliseconds) = (slot, name, targetMilliseconds)
    }

    /// Wraps the vault's key for another credential.
    ///
    /// - Parameters:
    ///   - cost: today's; nothing is taken over from another slot (ThreatModel B01).
    ///   - target: what the cost was measured for.
    /// - Throws: `VaultError.outOfMemory`, `.libraryFailed`.
    public init(
        _ proof: KeyslotProof, _ credential: borrowing Credential, name: String, cost: Argon2Cost,
        targetMilliseconds: UInt32
    ) throws(VaultError) {
        self.name = name
        self.targetMilliseconds = credential.kind.usesArgon2 ? targetMilliseconds : 0
        do throws(CryptoError) {
            slot = try .make(credential, cost: cost, wrapping: proof.root, header: proof.header.content)
        } catch { throw VaultError(error) }
    }
}

extension Keyslot {
    /// Returns the vault key, or nil when the credential is of another kind or does not open this slot.
    func open(_ credential: borrowing Credential, _ header: UnverifiedHeader) throws(VaultError) -> SymmetricKey? {
        do throws(CryptoError) {
            guard let kek = try credential.keyEncryptionKey(for: self) else { return nil }
            return unwrap(kek, header: header)
        } catch { throw VaultError(error) }
    }
}

/// A `NewRecoveryKey` is a recovery key with its keyslot: made, but in no header before somebody has typed it back.
public final class NewRecoveryKey: @unchecked Sendable {
    public let slot: NewKeyslot
    private let shown: ShownRecoveryKey

    /// Makes a random recovery key and its keyslot.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    public init(_ proof: KeyslotProof) throws(VaultError) {
        shown = try ShownRecoveryKey()
        slot = try NewKeyslot(
            proof, shown.credential(), name: KeyslotName.recovery, cost: .recommended, targetMilliseconds: 0)
    }

    /// Gives it as text to show once, 44 bytes.
    public func text() -> SecretBytes? { shown.text() }

    public func isConfirmed(by typed: borrowing SecretBytes) -> Bool { shown.isConfirmed(by: typed) }
}
