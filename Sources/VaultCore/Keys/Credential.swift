// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// A `Credential` is what a person proves to be the owner with.
public enum Credential: ~Copyable {
    case password(SecretBytes)
    /// 20 bytes, as `RecoveryKey.parse` returns them.
    case recoveryKey(SecretBytes)
    case passwordAndKeyFile(TwoFactors)

    public struct TwoFactors: ~Copyable {
        let password: SecretBytes
        /// 32 bytes, as `KeyFile.parse` returns them.
        let keyFile: SecretBytes

        public init(password: consuming SecretBytes, keyFile: consuming SecretBytes) {
            self.password = password
            self.keyFile = keyFile
        }
    }

    /// Of the slots that it may open.
    var kind: Keyslot.Kind {
        switch self {
        case .password: .password
        case .recoveryKey: .recoveryKey
        case .passwordAndKeyFile: .passwordAndKeyFile
        }
    }

    /// Returns a copy of the password in it; nil when there is none.
    borrowing func password() -> SecretBytes? {
        switch self {
        case .password(let given): given.duplicate()
        case .passwordAndKeyFile(let factors): factors.password.duplicate()
        case .recoveryKey: nil
        }
    }

    /// Returns a copy of the recovery key; nil when it is not one.
    borrowing func recoveryKey() -> SecretBytes? {
        switch self {
        case .recoveryKey(let given): given.duplicate()
        case .password: nil
        case .passwordAndKeyFile: nil
        }
    }

    /// Returns the key that a slot's vault key is wrapped under; nil when this credential is not for that kind of slot.
    borrowing func keyEncryptionKey(for slot: Keyslot) throws(CryptoError) -> SymmetricKey? {
        switch self {
        case .password(let password):
            guard slot.kind == .password else { return nil }
            return try Argon2id.deriveKey(
                password: password, salt: slot.salt, cost: slot.cost,
                memoryByteCount: Machine.memoryByteCount)
        case .recoveryKey(let key):
            guard slot.kind == .recoveryKey else { return nil }
            return try RecoveryKey.keyEncryptionKey(key, salt: slot.salt)
        case .passwordAndKeyFile(let factors):
            guard slot.kind == .passwordAndKeyFile else { return nil }
            return try Argon2id.deriveKey(
                password: factors.password, secret: factors.keyFile, salt: slot.salt, cost: slot.cost,
                memoryByteCount: Machine.memoryByteCount)
        }
    }
}

extension Keyslot {
    /// Makes a slot for a credential, with a salt of its own and today's cost; nothing is taken over from another slot
    /// (ThreatModel B01).
    static func make(
        _ credential: borrowing Credential, cost: Argon2Cost, wrapping key: SymmetricKey, header: UnverifiedHeader
    ) throws(CryptoError) -> Keyslot {
        let slotID = try SecureRandom.bytes(16)
        let salt = try SecureRandom.bytes(saltByteCount)
        let kind = credential.kind
        let cost = kind.usesArgon2 ? cost : Argon2Cost(memoryKiB: 0, iterations: 0, parallelism: 0)
        var slot = Keyslot(
            kind: kind, slotID: slotID, memoryKiB: cost.memoryKiB, iterations: cost.iterations,
            parallelism: cost.parallelism, salt: salt)
        guard let kek = try credential.keyEncryptionKey(for: slot) else { throw CryptoError(.badSize) }
        let context = header.context(for: slot).encoded
        let cobblestone = try Cobblestone()
        slot.wrappedKey = try unsafe key.withInsecureBytes { raw throws(CryptoError) in
            try unsafe cobblestone.seal(raw, key: kek, context: context)
        }
        // A slot that does not open is a vault that nobody opens: better no slot than one that is found out later.
        guard let opened = slot.unwrap(kek, header: header), try opened.isSame(as: key) else {
            throw CryptoError(.libraryFailure)
        }
        return slot
    }

    /// Returns the vault key, or nil when this slot does not open under the key given.
    func unwrap(_ kek: SymmetricKey, header: UnverifiedHeader) -> SymmetricKey? {
        guard let cobblestone = try? Cobblestone(),
            let secret = try? cobblestone.openSecret(wrappedKey, key: kek, context: header.context(for: self).encoded)
        else { return nil }
        return try? SymmetricKey(secret)
    }
}
