// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
public import VaultCrypto
internal import VaultFormat

/// An `ArchiveKey` is the key of one archive with its header: it is made for this archive and used for nothing else.
public final class ArchiveKey: @unchecked Sendable {
    let header: Header
    let root: SymmetricKey
    private let shown: ShownRecoveryKey?

    /// Makes a key that a password opens. It takes as long as `cost` says.
    ///
    /// - Throws: `VaultError.outOfMemory`, `.libraryFailed`.
    public convenience init(opening credential: borrowing Credential, cost: Argon2Cost) throws(VaultError) {
        try self.init(credential, cost, nil)
    }

    /// Makes a key that a new recovery key opens, which is to be shown and typed back.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    public convenience init(withRecoveryKey: Void) throws(VaultError) {
        let shown = try ShownRecoveryKey()
        try self.init(shown.credential(), .recommended, shown)
    }

    private init(_ credential: borrowing Credential, _ cost: Argon2Cost, _ shown: ShownRecoveryKey?) throws(VaultError)
    {
        self.shown = shown
        do throws(CryptoError) {
            let root = try SymmetricKey(random: ())
            // An identifier of its own: nothing of an archive opens in a vault, and nothing of a vault in an archive.
            guard let archiveID = try? VaultID(SecureRandom.bytes(VaultID.byteCount)) else {
                throw CryptoError(.libraryFailure)
            }
            var content = UnverifiedHeader(vaultID: archiveID, epoch: 1, counter: 1, keyslots: [])
            content.keyslots = [try .make(credential, cost: cost, wrapping: root, header: content)]
            (self.root, header) = (root, try Header.make(content, keys: VaultKeys(root)))
        } catch { throw VaultError(error) }
    }

    /// Returns the recovery key as text to show once; nil when a password opens the archive.
    public func recoveryText() -> SecretBytes? { shown?.text() }

    /// Tells whether the typed text is the recovery key that was shown; also true if there is no recovery key.
    public func isConfirmed(by typed: borrowing SecretBytes) -> Bool { shown?.isConfirmed(by: typed) ?? true }

    /// Magic and header: what stands before the sealed stream.
    var prefix: [UInt8] { ArchivePrefix.encode(header.content) }
}
