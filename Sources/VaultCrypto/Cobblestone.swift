// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL
public import SecretMemory

/// `Cobblestone` makes the sealed form of everything but index pages: Cobblestone-256. It commits to its key, so
/// nothing opens under two passwords, and it sees truncation and reordering.
///
/// ```
/// offset  size  field
///      0    24  salt        random; never used twice under one key
///     24    32  commitment  derived from key, salt and context
///     56        chunks      AES-256-GCM of 16 KiB each, 16 bytes of tag after each; the last is shorter, perhaps empty
/// ```
/// One object for one thread. Spec: c2sp.org/chunked-encryption; vectors: Vectors/cobblestone_256.json.
public final class Cobblestone {
    public static let saltByteCount = 24
    public static let prefixByteCount = 24 + 32
    public static let chunkByteCount = 16 * 1024
    public static let tagByteCount = 16

    private let gcm: AESGCM

    /// Prepares to seal and to open.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    public init() throws(CryptoError) { gcm = try AESGCM() }

    /// Returns the size of the sealed form of `byteCount` bytes.
    public static func sealedByteCount(_ byteCount: Int) -> Int {
        prefixByteCount + byteCount + (byteCount / chunkByteCount + 1) * tagByteCount
    }

    /// Returns the size of the content of a sealed form, or nil when no content has a sealed form of that size.
    public static func contentByteCount(_ sealedByteCount: Int) -> Int? {
        let body = sealedByteCount - prefixByteCount
        guard body >= tagByteCount else { return nil }
        let whole = body / (chunkByteCount + tagByteCount)
        let rest = body % (chunkByteCount + tagByteCount)
        guard rest >= tagByteCount else { return nil }
        return whole * chunkByteCount + rest - tagByteCount
    }

    /// Seals bytes under a fresh salt.
    ///
    /// - Parameter context: binds the result to its place; no two kinds of object share a form of it.
    /// - Throws: `CryptoError.libraryFailure`.
    public func seal(
        _ plaintext: UnsafeRawBufferPointer, key: SymmetricKey, context: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        // A new salt for each object because a chunk is never sealed twice under one salt.
        try unsafe seal(plaintext, key: key, context: context, salt: SecureRandom.bytes(Self.saltByteCount))
    }

    /// Seals content that is an array in the same way.
    public func seal(_ plaintext: [UInt8], key: SymmetricKey, context: [UInt8]) throws(CryptoError) -> [UInt8] {
        try unsafe plaintext.withUnsafeBufferPointer { raw throws(CryptoError) in
            try unsafe seal(UnsafeRawBufferPointer(raw), key: key, context: context)
        }
    }

    /// Seals with a given salt: for vectors only, since a repeated salt would repeat a nonce.
    package func seal(
        _ plaintext: UnsafeRawBufferPointer, key: SymmetricKey, context: [UInt8], salt: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let chunks = try CobblestoneChunks(key, salt: salt, context: context, gcm: gcm)
        var sealed = chunks.prefix
        sealed.reserveCapacity(Self.sealedByteCount(plaintext.count))
        sealed.append(contentsOf: repeatElement(0, count: Self.sealedByteCount(plaintext.count) - sealed.count))
        try unsafe sealed.withUnsafeMutableBufferPointer { raw throws(CryptoError) in
            try unsafe sealChunks(chunks, plaintext, into: UnsafeMutableRawBufferPointer(raw))
        }
        return sealed
    }

    /// Returns the SHA-256 that a sealed object has, from its content and the salt that it was sealed with. The sealed
    /// bytes themselves are not given out, so no second content under the salt ever leaves here.
    ///
    /// - Throws: `CryptoError.badSize` for a salt of another size, `.libraryFailure`.
    public func digestOfSealed(
        _ plaintext: [UInt8], key: SymmetricKey, context: [UInt8], salt: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let sealed = try unsafe plaintext.withUnsafeBufferPointer { raw throws(CryptoError) in
            try unsafe seal(UnsafeRawBufferPointer(raw), key: key, context: context, salt: salt)
        }
        return try Digest.sha256(sealed)
    }

    /// Opens a sealed object.
    ///
    /// - Throws: `CryptoError.notAuthentic` for a wrong key or context and for altered, cut or lengthened bytes alike.
    public func open(_ sealed: [UInt8], key: SymmetricKey, context: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let byteCount = Self.contentByteCount(sealed.count) else { throw CryptoError(.notAuthentic) }
        var content = [UInt8](repeating: 0, count: byteCount)
        try unsafe content.withUnsafeMutableBufferPointer { target throws(CryptoError) in
            try unsafe open(sealed, key: key, context: context, into: UnsafeMutableRawBufferPointer(target))
        }
        return content
    }

    /// Opens a wrapped key or another secret into locked memory.
    ///
    /// - Throws: `CryptoError.notAuthentic`.
    public func openSecret(_ sealed: [UInt8], key: SymmetricKey, context: [UInt8]) throws(CryptoError) -> SecretBytes {
        guard let byteCount = Self.contentByteCount(sealed.count) else { throw CryptoError(.notAuthentic) }
        return try unsafe SecretBytes(byteCount: byteCount) { target throws(CryptoError) in
            try unsafe open(sealed, key: key, context: context, into: target)
        }
    }

    private func open(
        _ sealed: [UInt8], key: SymmetricKey, context: [UInt8], into target: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        let chunks = try CobblestoneChunks(
            opening: Array(sealed[0..<Self.prefixByteCount]), key: key, context: context, gcm: gcm)
        try unsafe sealed.withUnsafeBufferPointer { raw throws(CryptoError) in
            do throws(CryptoError) {
                try unsafe openChunks(chunks, UnsafeRawBufferPointer(raw), into: target)
            } catch {
                // Chunks before the bad one are authentic, but the object is not: nothing of it is released.
                unsafe OPENSSL_cleanse(target.baseAddress, target.count)
                throw error
            }
        }
    }

    private func sealChunks(
        _ chunks: CobblestoneChunks, _ plaintext: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        for chunk in 0...plaintext.count / Self.chunkByteCount {
            let begin = chunk * Self.chunkByteCount
            let count = min(Self.chunkByteCount, plaintext.count - begin)
            let at = Self.prefixByteCount + chunk * (Self.chunkByteCount + Self.tagByteCount)
            try unsafe chunks.seal(
                chunk, UnsafeRawBufferPointer(rebasing: plaintext[begin..<begin + count]),
                into: UnsafeMutableRawBufferPointer(rebasing: sealed[at..<at + count + Self.tagByteCount]))
        }
    }

    private func openChunks(
        _ chunks: CobblestoneChunks, _ sealed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        for chunk in 0...target.count / Self.chunkByteCount {
            let begin = chunk * Self.chunkByteCount
            let count = min(Self.chunkByteCount, target.count - begin)
            let at = Self.prefixByteCount + chunk * (Self.chunkByteCount + Self.tagByteCount)
            try unsafe chunks.open(
                chunk, UnsafeRawBufferPointer(rebasing: sealed[at..<at + count + Self.tagByteCount]),
                into: UnsafeMutableRawBufferPointer(rebasing: target[begin..<begin + count]))
        }
    }
}
