// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
internal import VaultCrypto

/// `AgeIdentity` is a secret key to read files with: `AGE-SECRET-KEY-1…`. Wiped when the last reference is released.
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

    /// Returns the file key of a stanza, or nil when the stanza is not for this identity.
    ///
    /// - Throws: `AgeError.damaged` for a share that gives a shared secret of zeros.
    func unwrap(share: [UInt8], body: [UInt8]) throws(AgeError) -> SecretBytes? {
        guard let shared = try X25519.sharedSecret(secret, with: share) else { throw AgeError(.damaged, in: .header) }
        let key = try AgeKeys.x25519WrapKey(shared, share: share, recipient: recipient.point)
        return try AgeKeys.unwrap(body, under: key)
    }
}

/// `AgeRecipient` is a public key to write a file to: `age1…`.
///
/// Spec: c2sp.org/age, "The X25519 recipient type".
public struct AgeRecipient: Sendable, Hashable {
    let point: [UInt8]

    init(point: [UInt8]) { self.point = point }

    /// Takes the one text that such a key has: Bech32, lower case, 62 characters.
    ///
    /// - Throws: `AgeError.unsupported` for kinds that only other programs write to (`age1pq1…`, plugins, ssh),
    ///   otherwise `.badKey`.
    public init(parsing text: String) throws(AgeError) {
        let bytes = Array(text.utf8)
        guard let decoded = unsafe bytes.withUnsafeBytes({ unsafe Bech32.decode($0, part: "age")?.array }) else {
            throw AgeError(Self.isOfAnotherKind(text) ? .unsupported : .badKey)
        }
        point = decoded
        // A point of low order shares zeros with everyone: refused here rather than when a file is half written.
        guard let _ = try X25519.sharedSecret(SecureRandom.ageSecret(X25519.byteCount), with: point) else {
            throw AgeError(.badKey)
        }
    }

    /// The text that `init(parsing:)` takes.
    public var text: String { Bech32.text(point, part: "age") }

    /// Returns whether a text is a recipient of a kind that is not supported. `1` is no digit of Bech32: the last one
    /// ends the human-readable part, and that of another kind is longer.
    private static func isOfAnotherKind(_ text: String) -> Bool {
        if text.hasPrefix("ssh-") { return true }
        guard text.hasPrefix("age1"), let end = text.lastIndex(of: "1") else { return false }
        return text.distance(from: text.startIndex, to: end) > 3
    }

    /// Wraps a file key for this recipient.
    ///
    /// The nonce is zero because the wrapping key is new: it comes from an ephemeral secret that is made here and used
    /// once.
    func wrap(_ fileKey: borrowing SecretBytes) throws(AgeError) -> AgeStanza {
        let ephemeral = try SecureRandom.ageSecret(X25519.byteCount)
        let share = try X25519.publicPoint(of: ephemeral)
        guard let shared = try X25519.sharedSecret(ephemeral, with: point) else { throw AgeError(.badKey) }
        let key = try AgeKeys.x25519WrapKey(shared, share: share, recipient: point)
        let body = try AgeKeys.wrap(fileKey, under: key)
        return AgeStanza(arguments: [Array("X25519".utf8), AgeBase64.text(share)], body: body)
    }
}
