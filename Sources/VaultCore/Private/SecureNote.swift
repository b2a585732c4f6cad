// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
internal import VaultCrypto
public import VaultFormat

/// A note with a password of its own: all that a `Note` has, when it is unlocked, and the hash of its password.
public struct SecureNote: Sendable, Equatable {
    public var id: NoteID
    /// The note itself; nil while it is locked.
    public var note: Note?
    /// Argon2id as a PHC string (c2sp.org/phc-strings), with a salt of its own: from it neither the password nor the note's key can be found,
    /// and other programs can verify a password with it.
    public var passwordHash: String

    public init(id: NoteID, note: Note?, passwordHash: String) { (self.id, self.note, self.passwordHash) = (id, note, passwordHash) }

    /// Whether this is the note's password, compared in constant time.
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
