// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
public import VaultCrypto

/// What a note's password is hashed with.
public enum Crypto {
    /// A one-way hash of a password under a fresh salt: Argon2id as a PHC string, of which `PasswordHash.verify` and other programs tell whether a
    /// password has it. A note's key is never derived from it. Spec: RFC 9106; docs/format.md §18.
    ///
    /// - Parameter cost: 64 MiB, three passes and four lanes (RFC 9106 §4, second recommendation) where nothing else is said; the least that is taken.
    /// - Throws: `VaultError.costOutOfRange`, `.outOfMemory`, `.libraryFailed`.
    public static func hash(_ password: borrowing SecretBytes, cost: Argon2Cost = .recommended) throws(VaultError) -> PasswordHash {
        do throws(CryptoError) {
            return try PasswordHash.make(password: password, cost: cost, memoryByteCount: Machine.memoryByteCount)
        } catch { throw VaultError(error) }
    }
}
