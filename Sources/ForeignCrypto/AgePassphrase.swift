// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL
internal import Glibc
public import SecretMemory
internal import VaultCrypto

/// `AgePassphrase` is a passphrase for files that are written to no key. Wiped when the last reference is released.
///
/// Spec: c2sp.org/age, "The scrypt recipient type"; RFC 7914.
public final class AgePassphrase: Sendable {
    /// Base-two logarithm of scrypt's N: 256 MiB and about a second, as the age program writes.
    public static let workFactorDefault = 18
    /// The highest work factor that a file may ask for: 4 GiB and some 16 seconds.
    public static let workFactorMax = 22
    static let saltByteCount = 16
    private static let blockSize: UInt64 = 8
    private let secret: SecretBytes

    /// Takes the bytes as they were typed.
    ///
    /// - Throws: `AgeError.badKey` when it is empty.
    public init(_ secret: consuming SecretBytes) throws(AgeError) {
        guard secret.byteCount > 0 else { throw AgeError(.badKey) }
        self.secret = secret
    }

    /// Wraps a file key. The nonce is zero because the salt, and so the key, is new.
    func wrap(_ fileKey: borrowing SecretBytes, workFactor: Int) throws(AgeError) -> AgeStanza {
        precondition(workFactor >= 1 && workFactor <= Self.workFactorMax, "a work factor is between 1 and 22")
        let salt = try SecureRandom.ageBytes(Self.saltByteCount)
        let body = try AgeKeys.wrap(fileKey, under: key(salt: salt, workFactor: workFactor))
        return AgeStanza(
            arguments: [Array("scrypt".utf8), AgeBase64.text(salt), Array(String(workFactor).utf8)], body: body)
    }

    /// Returns the file key of a stanza, or nil when this is not its passphrase.
    ///
    /// - Throws: `AgeError.tooExpensive` before any memory is taken (ThreatModel B02).
    func unwrap(salt: [UInt8], workFactor: Int, body: [UInt8]) throws(AgeError) -> SecretBytes? {
        guard workFactor <= Self.workFactorMax, Self.memoryByteCount(workFactor) <= Self.machineByteCount / 2 else {
            throw AgeError(.tooExpensive, in: .header)
        }
        return try AgeKeys.unwrap(body, under: key(salt: salt, workFactor: workFactor))
    }

    private func key(salt: [UInt8], workFactor: Int) throws(AgeError) -> SecretBytes {
        let labelled = Array("age-encryption.org/v1/scrypt".utf8) + salt
        // OpenSSL's own limit is 32 MiB; a MiB more than the large array holds the small ones.
        let limit = Self.memoryByteCount(workFactor) + 1 << 20
        return try unsafe SecretBytes(byteCount: ChaCha20Poly1305.keyByteCount) { target throws(AgeError) in
            let result = unsafe secret.withUnsafeBytes { typed in
                unsafe EVP_PBE_scrypt(
                    typed.bindMemory(to: CChar.self).baseAddress, typed.count, labelled, labelled.count,
                    1 << UInt64(workFactor),
                    Self.blockSize, 1, limit, target.bindMemory(to: UInt8.self).baseAddress, target.count)
            }
            guard result == 1 else { throw AgeError(.libraryFailure) }
        }
    }

    /// Returns the memory that scrypt needs: 128 · r · N, in bytes.
    private static func memoryByteCount(_ workFactor: Int) -> UInt64 { 128 * blockSize << UInt64(workFactor) }

    private static var machineByteCount: UInt64 {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let size = sysconf(Int32(_SC_PAGESIZE))
        return pages > 0 && size > 0 ? UInt64(pages) * UInt64(size) : 0
    }
}
