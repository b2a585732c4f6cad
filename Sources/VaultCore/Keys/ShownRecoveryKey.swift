// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto

/// A `ShownRecoveryKey` is a new recovery key that its owner has to type back before it counts. It is never written by
/// us, and nobody shows it twice.
final class ShownRecoveryKey: Sendable {
    private let secret: SecretBytes

    /// Makes a random key.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    init() throws(VaultError) {
        secret = try VaultError.mapping { () throws(CryptoError) in try SecureRandom.secret(RecoveryKey.byteCount) }
    }

    func credential() -> Credential { .recoveryKey(secret.duplicate()) }

    /// Gives it as text to show once, 44 bytes.
    func text() -> SecretBytes? { try? RecoveryKey.text(secret) }

    /// Returns whether the typed text is this key.
    func isConfirmed(by typed: borrowing SecretBytes) -> Bool {
        guard let parsed = RecoveryKey.parse(typed) else { return false }
        return secret.matches(parsed)
    }
}
