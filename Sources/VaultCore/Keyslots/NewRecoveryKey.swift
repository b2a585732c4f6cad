// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
internal import VaultCrypto

/// A recovery key with its keyslot: made, but in no header before somebody has typed it back.
public final class NewRecoveryKey: @unchecked Sendable {
    public let slot: NewKeyslot
    private let secret: SecretBytes

    /// - Throws: `VaultError.selfTestFailed`.
    public init(_ proof: KeyslotProof) throws(VaultError) {
        do throws(CryptoError) { secret = try SecureRandom.secret(RecoveryKey.byteCount) } catch { throw VaultError(.selfTestFailed) }
        slot = try NewKeyslot(proof, .recoveryKey(secret.duplicate()), name: KeyslotName.recovery, cost: .recommended, targetMilliseconds: 0)
    }

    /// As text to show once, 44 bytes.
    public func text() -> SecretBytes? { try? RecoveryKey.text(secret) }

    public func isConfirmed(by typed: borrowing SecretBytes) -> Bool {
        guard let parsed = RecoveryKey.parse(typed) else { return false }
        return secret.matches(parsed)
    }
}
