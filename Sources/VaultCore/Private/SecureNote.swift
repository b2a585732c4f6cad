// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
public import VaultCrypto
public import VaultFormat

/// A `SecureNote` is a note with a password of its own: all that a `Note` has, when it is unlocked, and the hash of its
/// password.
public struct SecureNote: Sendable, Equatable {
    public var id: NoteID
    /// The note itself; nil while it is locked.
    public var note: Note?
    /// Argon2id as a PHC string (c2sp.org/phc-strings), with a salt of its own: from it neither the password nor the
    /// note's key can be found, and other programs can verify a password with it.
    public var passwordHash: String

    public init(id: NoteID, note: Note?, passwordHash: String) {
        (self.id, self.note, self.passwordHash) = (id, note, passwordHash)
    }

    /// Returns whether this is the note's password, compared in constant time.
    ///
    /// - Throws: `VaultError.integrity` for a hash that is not one, `.costOutOfRange`, `.outOfMemory`.
    public func verify(_ password: borrowing SecretBytes) throws(VaultError) -> Bool {
        guard let hash = try? PasswordHash(parsing: passwordHash) else { throw VaultError(.integrity) }
        do throws(CryptoError) {
            return try hash.verify(password, memoryByteCount: Machine.memoryByteCount)
        } catch {
            throw VaultError(error)
        }
    }
}

/// `Crypto` hashes the passwords of notes.
public enum Crypto {
    /// Makes a one-way hash of a password under a fresh salt: Argon2id as a PHC string, of which `PasswordHash.verify`
    /// and other programs tell whether a password has it. A note's key is never derived from it. Spec: RFC 9106;
    /// docs/format.md §18.
    ///
    /// - Parameter cost: 64 MiB, three passes and four lanes (RFC 9106 §4, second recommendation) where nothing else is
    ///   said; the least that is taken.
    /// - Throws: `VaultError.costOutOfRange`, `.outOfMemory`, `.libraryFailed`.
    public static func hash(_ password: borrowing SecretBytes, cost: Argon2Cost = .recommended) throws(VaultError)
        -> PasswordHash
    {
        do throws(CryptoError) {
            return try PasswordHash.make(password: password, cost: cost, memoryByteCount: Machine.memoryByteCount)
        } catch { throw VaultError(error) }
    }
}
