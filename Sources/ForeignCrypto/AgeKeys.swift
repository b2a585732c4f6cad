// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto

/// `AgeKeys` derives age's keys, each from a labelled HKDF-SHA-256, and wraps the file key.
enum AgeKeys {
    static let fileKeyByteCount = 16
    static let wrappedByteCount = fileKeyByteCount + ChaCha20Poly1305.tagByteCount
    static let payloadNonceByteCount = 16
    /// A nonce for keys that are made new for one message.
    private static let zeroNonce = [UInt8](repeating: 0, count: ChaCha20Poly1305.nonceByteCount)

    static func x25519WrapKey(_ shared: borrowing SecretBytes, share: [UInt8], recipient: [UInt8]) throws(AgeError)
        -> SecretBytes
    {
        try derive(shared, salt: share + recipient, info: "age-encryption.org/v1/X25519")
    }

    /// Returns the key that authenticates the header.
    static func headerKey(_ fileKey: borrowing SecretBytes) throws(AgeError) -> SecretBytes {
        try derive(fileKey, salt: [], info: "header")
    }

    /// Returns the key that encrypts the payload; `nonce` makes it differ even if a file key came twice.
    static func payloadKey(_ fileKey: borrowing SecretBytes, nonce: [UInt8]) throws(AgeError) -> SecretBytes {
        try derive(fileKey, salt: nonce, info: "payload")
    }

    static func headerTag(_ fileKey: borrowing SecretBytes, _ header: [UInt8]) throws(AgeError) -> [UInt8] {
        let key = try headerKey(fileKey)
        do { return try HMAC.tag(key, header, hash: .sha256) } catch { throw AgeError(.libraryFailure) }
    }

    static func wrap(_ fileKey: borrowing SecretBytes, under key: borrowing SecretBytes) throws(AgeError) -> [UInt8] {
        let cipher = try ChaCha20Poly1305(key: key, encrypting: true)
        let sealed = try unsafe SecretBytes(byteCount: wrappedByteCount) { target throws(AgeError) in
            try unsafe fileKey.withUnsafeBytes { content throws(AgeError) in
                try unsafe cipher.seal(nonce: zeroNonce, content, into: target)
            }
        }
        return sealed.array
    }

    /// Opens a wrapped file key; nil when the tag does not fit. The size is checked before anything is decrypted: a
    /// body of another size could fit under many keys.
    static func unwrap(_ body: [UInt8], under key: borrowing SecretBytes) throws(AgeError) -> SecretBytes? {
        guard body.count == wrappedByteCount else { return nil }
        let cipher = try ChaCha20Poly1305(key: key, encrypting: false)
        var isAuthentic = false
        let fileKey = unsafe SecretBytes(byteCount: fileKeyByteCount) { target in
            isAuthentic = unsafe body.withUnsafeBytes { unsafe cipher.open(nonce: zeroNonce, $0, into: target) }
        }
        guard isAuthentic else { return nil }
        return fileKey
    }

    private static func derive(_ input: borrowing SecretBytes, salt: [UInt8], info: StaticString) throws(AgeError)
        -> SecretBytes
    {
        do {
            let extracted = try HKDF.extract(salt: salt, input: input, hash: .sha256)
            return try HKDF.expand(
                extracted, info: Array(info.description.utf8), byteCount: ChaCha20Poly1305.keyByteCount, hash: .sha256)
        } catch { throw AgeError(.libraryFailure) }
    }
}

extension SecureRandom {
    static func ageSecret(_ byteCount: Int) throws(AgeError) -> SecretBytes {
        do { return try secret(byteCount) } catch { throw AgeError(.libraryFailure) }
    }

    static func ageBytes(_ byteCount: Int) throws(AgeError) -> [UInt8] {
        do { return try bytes(byteCount) } catch { throw AgeError(.libraryFailure) }
    }
}

extension SecretBytes {
    /// The bytes, for what turned out to be no secret.
    var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
