// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultCrypto

/// `CredentialBox` is a credential on its way to the thread that derives a key from it. It is wiped with the last one
/// who holds the box.
final class CredentialBox: @unchecked Sendable {
    let credential: Credential

    private init(_ credential: consuming Credential) { self.credential = credential }

    /// Reads what came in a secret frame.
    ///
    /// - Parameter secret: a password, a recovery key as typed, or a pair of password and key file.
    /// - Throws: `VaultError.wrongPassword` for what cannot be one, `.badKeyFile`.
    static func parse(_ kind: CredentialKind, _ secret: borrowing SecretBytes) throws(VaultError) -> CredentialBox {
        switch kind {
        case .password:
            try check(secret)
            return CredentialBox(.password(secret.duplicate()))
        case .recoveryKey:
            // A slip of the pen is told apart from a wrong key by the checksum, but not to the one who asks.
            guard let key = RecoveryKey.parse(secret) else { throw VaultError(.wrongPassword) }
            return CredentialBox(.recoveryKey(key))
        case .passwordAndKeyFile:
            guard let password = PasswordPair.part(of: secret, isFirst: true),
                let file = PasswordPair.part(of: secret, isFirst: false)
            else {
                throw VaultError(.wrongPassword)
            }
            try check(password)
            guard let key = KeyFile.parse(file) else { throw VaultError(.badKeyFile) }
            return CredentialBox(.passwordAndKeyFile(Credential.TwoFactors(password: password, keyFile: key)))
        }
    }

    private static func check(_ password: borrowing SecretBytes) throws(VaultError) {
        guard Session.passwordByteCounts.contains(password.byteCount) else { throw VaultError(.wrongPassword) }
    }
}

/// `PasswordBox` is a password on its way to the thread that derives a key from it. It is wiped with the last one who
/// holds the box.
final class PasswordBox: Sendable {
    let secret: SecretBytes

    init(_ secret: consuming SecretBytes) { self.secret = secret }
}

/// `PendingKeys` holds keys that are made and shown, and wait for being typed back, as often as it takes. Nothing of
/// them is on disk.
enum PendingKeys {
    case recovery(NewRecoveryKey, KeyslotProof)
    case rotation(NextEpoch)
    case archive(PreparedArchive)

    /// How long they are kept: time enough to write a key on paper.
    static let secondsMax = 15.0 * 60
}
