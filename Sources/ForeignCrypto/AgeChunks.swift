// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

/// `AgeChunks` seals and opens the chunks of a payload and makes their nonces: STREAM, so that none can be left out,
/// moved or added.
///
///     offset  size  field
///          0    11  number of the chunk from 0, big-endian
///         11     1  1 for the last chunk, otherwise 0
///
/// Spec: c2sp.org/age, "Payload".
struct AgeChunks {
    static let contentByteCount = 64 * 1024
    static let sealedByteCount = contentByteCount + ChaCha20Poly1305.tagByteCount
    private let cipher: ChaCha20Poly1305
    private(set) var number: UInt64 = 0

    init(key: borrowing SecretBytes, encrypting: Bool) throws(AgeError) {
        cipher = try ChaCha20Poly1305(key: key, encrypting: encrypting)
    }

    /// Seals the next chunk into `target`, which is 16 bytes larger. A nonce comes once because the number only grows.
    mutating func seal(
        _ content: UnsafeRawBufferPointer, isLast: Bool, into target: UnsafeMutableRawBufferPointer
    ) throws(AgeError) {
        try unsafe cipher.seal(nonce: nonce(isLast: isLast), content, into: target)
        try advance()
    }

    /// Opens the next chunk into `target`, which is 16 bytes smaller. False, and still at the same chunk, when it is
    /// not authentic.
    mutating func open(
        _ sealed: UnsafeRawBufferPointer, isLast: Bool, into target: UnsafeMutableRawBufferPointer
    ) throws(AgeError) -> Bool {
        guard unsafe cipher.open(nonce: nonce(isLast: isLast), sealed, into: target) else { return false }
        try advance()
        return true
    }

    /// Counts a chunk. 2^64 chunks are more than any disk holds, but a nonce must not come back whatever happens.
    private mutating func advance() throws(AgeError) {
        guard number < .max else { throw AgeError(.tooLarge, in: .payload) }
        number += 1
    }

    private func nonce(isLast: Bool) -> [UInt8] {
        var nonce: [UInt8] = [0, 0, 0]
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            nonce.append(UInt8(truncatingIfNeeded: number >> shift))
        }
        return nonce + [isLast ? 1 : 0]
    }
}
