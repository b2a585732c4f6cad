// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory

/// `SymmetricKey` is a 32-byte key in locked memory. It derives subkeys; its bytes do not leave this module.
public final class SymmetricKey: Sendable {
    public static let byteCount = 32
    let secret: SecretBytes

    /// Takes a secret as a key.
    ///
    /// - Throws: `CryptoError.badSize` unless it is 32 bytes.
    public init(_ secret: consuming SecretBytes) throws(CryptoError) {
        guard secret.byteCount == Self.byteCount else { throw CryptoError(.badSize) }
        self.secret = secret
    }

    /// Makes a new key.
    ///
    /// - Throws: `CryptoError.libraryFailure` when the kernel delivers no random bytes.
    public convenience init(random: Void = ()) throws(CryptoError) {
        try self.init(SecureRandom.secret(Self.byteCount))
    }

    /// Whether the kernel locked its page, so that it never reaches swap.
    public var isLocked: Bool { secret.isLocked }

    /// Returns the key for one use. HKDF-Expand because this key is uniform already; one label for each use, so that no
    /// key serves two primitives.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    /// Spec: docs/format.md §3, RFC 5869 §2.3.
    public func subkey(_ label: Label) throws(CryptoError) -> SymmetricKey {
        try SymmetricKey(HKDF.expand(secret, info: label.info, byteCount: Self.byteCount, hash: .sha512))
    }

    /// Lends the key itself, only for wrapping it under another key.
    public func withInsecureBytes<R>(_ body: (UnsafeRawBufferPointer) throws(CryptoError) -> R) throws(CryptoError) -> R
    {
        try unsafe secret.withUnsafeBytes(body)
    }

    /// Returns whether both are one key.
    package func isSame(as other: SymmetricKey) throws(CryptoError) -> Bool {
        try unsafe withInsecureBytes { one throws(CryptoError) in
            try unsafe other.withInsecureBytes { two throws(CryptoError) in unsafe SafeCompare.equal(one, two) }
        }
    }

    /// Returns a second owner of the bytes, for HMAC, which takes secrets of any size.
    package func duplicateSecret() -> SecretBytes { secret.duplicate() }
}

/// `HeldKey` says which key an `AESGCM` holds, and for which direction. Each key that is put into a context gets a
/// number of its own, so that nobody who shares the context goes on under the key of another.
package struct HeldKey: Equatable {
    let number: UInt64
    let isEncrypting: Bool
}
