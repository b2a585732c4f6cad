// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory

/// A secret key to read files with: `AGE-SECRET-KEY-1…`. Wiped when the last reference goes.
///
/// Spec: c2sp.org/age, "The X25519 recipient type".
public final class AgeIdentity: Sendable {
    /// The public key that belongs to it.
    public let recipient: AgeRecipient
    private let secret: SecretBytes

    /// Takes the one text that such a key has: Bech32, upper case, 74 characters, without a line feed.
    ///
    /// - Throws: `AgeError.badKey`, `.libraryFailure`.
    public init(parsing text: borrowing SecretBytes) throws(AgeError) {
        guard let secret = unsafe text.withUnsafeBytes({ unsafe Bech32.decode($0, part: "AGE-SECRET-KEY-") }) else {
            throw AgeError(.badKey)
        }
        recipient = AgeRecipient(point: try X25519.publicPoint(of: secret))
        self.secret = secret
    }

    /// The file key of a stanza, or nil when the stanza is not for this identity.
    ///
    /// - Throws: `AgeError.damaged` for a share that gives a shared secret of zeros.
    func unwrap(share: [UInt8], body: [UInt8]) throws(AgeError) -> SecretBytes? {
        guard let shared = try X25519.sharedSecret(secret, with: share) else { throw AgeError(.damaged, in: .header) }
        let key = try AgeKeys.x25519WrapKey(shared, share: share, recipient: recipient.point)
        return try AgeKeys.unwrap(body, under: key)
    }
}
