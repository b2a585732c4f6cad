// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL
internal import SecretMemory

/// `CobblestoneChunks` seals and opens one Cobblestone-256 object, chunk by chunk: for files that are larger than
/// memory, and for reading in their middle. `Cobblestone` does whole objects with it.
///
/// The last chunk is shorter than 16 KiB, perhaps empty. Its position follows from the size of the object, which
/// its reader must know from elsewhere before it trusts a part. One value for one thread. Spec:
/// c2sp.org/chunked-encryption.
public final class CobblestoneChunks {
    private static let label = Array("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM".utf8) + [0]
    private static let chunkCountMax = 1 << 38

    /// Salt and commitment: the first 56 bytes of the object.
    public let prefix: [UInt8]
    private let gcm: AESGCM
    /// The object's key as it lies in `gcm`; nil before the first chunk.
    private var held: HeldKey?
    /// Key, base nonce and commitment of the object: 32 + 12 + 32 bytes, then the chunk's nonce.
    private var derived: SecretBytes

    /// Begins a new object under a fresh salt.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    public convenience init(sealing key: SymmetricKey, context: [UInt8]) throws(CryptoError) {
        // A new salt for each object because a chunk is never sealed twice under one salt.
        try self.init(key, salt: SecureRandom.bytes(Cobblestone.saltByteCount), context: context, gcm: AESGCM())
    }

    /// Opens an object by its first 56 bytes.
    ///
    /// - Throws: `CryptoError.notAuthentic` unless they commit to this key and context.
    public convenience init(opening prefix: [UInt8], key: SymmetricKey, context: [UInt8]) throws(CryptoError) {
        try self.init(opening: prefix, key: key, context: context, gcm: AESGCM())
    }

    /// Makes the same object for another thread, which then has its own cipher context.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    public init(sharing other: CobblestoneChunks) throws(CryptoError) {
        gcm = try AESGCM()
        prefix = other.prefix
        derived = other.derived.duplicate()
    }

    convenience init(opening prefix: [UInt8], key: SymmetricKey, context: [UInt8], gcm: AESGCM) throws(CryptoError) {
        guard prefix.count == Cobblestone.prefixByteCount else { throw CryptoError(.notAuthentic) }
        try self.init(key, salt: Array(prefix[..<Cobblestone.saltByteCount]), context: context, gcm: gcm)
        // The commitment first: a key that it does not fit never decrypts a chunk (partitioning oracles, ThreatModel
        // B05).
        guard SafeCompare.equal(self.prefix, prefix) else { throw CryptoError(.notAuthentic) }
    }

    init(_ key: SymmetricKey, salt: [UInt8], context: [UInt8], gcm: AESGCM) throws(CryptoError) {
        guard salt.count == Cobblestone.saltByteCount else { throw CryptoError(.badSize) }
        self.gcm = gcm
        var derived = SecretBytes(zeroes: 76 + 12)
        let done = unsafe derived.withUnsafeMutableBytes { raw in
            unsafe key.secret.withUnsafeBytes {
                unsafe HKDF.expand(
                    $0, info: Self.label + salt + context, hash: .sha512,
                    into: UnsafeMutableRawBufferPointer(rebasing: raw[0..<76]))
            }
        }
        guard done else { throw CryptoError(.libraryFailure) }
        let commitment = unsafe derived.withUnsafeBytes { unsafe Array($0[44..<76]) }
        prefix = salt + commitment
        self.derived = derived
    }

    /// Seals chunk `number`, from 0: 16 KiB, or fewer bytes for the last one. `sealed` has 16 bytes more.
    ///
    /// The caller vouches that each number is sealed once: a second time would repeat its nonce.
    ///
    /// - Throws: `CryptoError.badSize`, `.libraryFailure`.
    public func seal(
        _ number: Int, _ plaintext: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        let count = plaintext.count
        guard count <= Cobblestone.chunkByteCount, sealed.count == count + Cobblestone.tagByteCount else {
            throw CryptoError(.badSize)
        }
        try unsafe withChunkKey(number, encrypting: true) { key, nonce throws(CryptoError) in
            try unsafe gcm.seal(
                key, nonce: nonce, plaintext, into: UnsafeMutableRawBufferPointer(rebasing: sealed[0..<count]),
                tag: UnsafeMutableRawBufferPointer(rebasing: sealed[count...]))
        }
    }

    /// Opens chunk `number`. `target` has 16 bytes fewer; it is wiped when the chunk is not authentic. Whether it
    /// should have been the last, shorter one can only be told from the object's size.
    ///
    /// - Throws: `CryptoError.notAuthentic`, `.badSize`.
    public func open(
        _ number: Int, _ sealed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        let count = target.count
        guard count <= Cobblestone.chunkByteCount, sealed.count == count + Cobblestone.tagByteCount else {
            throw CryptoError(.badSize)
        }
        try unsafe withChunkKey(number, encrypting: false) { key, nonce throws(CryptoError) in
            try unsafe gcm.open(
                key, nonce: nonce, UnsafeRawBufferPointer(rebasing: sealed[0..<count]),
                tag: UnsafeRawBufferPointer(rebasing: sealed[count...]), into: target)
        }
    }

    /// Lends the object's key and the chunk's nonce: base nonce XOR chunk number, so it is unique within the object.
    private func withChunkKey(
        _ chunk: Int, encrypting isEncrypting: Bool,
        _ body: (HeldKey, UnsafeRawBufferPointer) throws(CryptoError) -> Void
    ) throws(CryptoError) {
        guard chunk >= 0, chunk < Self.chunkCountMax else { throw CryptoError(.badSize) }
        try unsafe derived.withUnsafeMutableBytes { raw throws(CryptoError) in
            let key = try unsafe heldKey(UnsafeRawBufferPointer(rebasing: raw[0..<32]), encrypting: isEncrypting)
            for index in 0..<12 {
                let number = index < 4 ? 0 : UInt8(truncatingIfNeeded: UInt64(chunk) >> UInt64((11 - index) * 8))
                unsafe raw[76 + index] = raw[32 + index] ^ number
            }
            try unsafe body(key, UnsafeRawBufferPointer(rebasing: raw[76..<88]))
        }
    }

    /// Returns the context's hold on the key, which is put into it once, and again only after the other direction or
    /// another object has used it.
    private func heldKey(_ key: UnsafeRawBufferPointer, encrypting isEncrypting: Bool) throws(CryptoError) -> HeldKey {
        if let held, held.isEncrypting == isEncrypting, gcm.holds(held) { return held }
        let fresh = try unsafe gcm.hold(key, encrypting: isEncrypting)
        held = fresh
        return fresh
    }
}
