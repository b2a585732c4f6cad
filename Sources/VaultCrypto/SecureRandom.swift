// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
public import SecretMemory

/// `SecureRandom` draws random bytes from getrandom(2), and keeps nothing for later: a virtual machine that is resumed
/// twice would use a kept buffer twice.
public enum SecureRandom {
    /// A `Source` fills the buffer and returns 0, or another number when it could not.
    package typealias Source = (UnsafeMutableRawBufferPointer) -> Int32

    /// Returns random bytes from the kernel.
    ///
    /// - Throws: `CryptoError.libraryFailure` when the kernel does not deliver; there is no other source.
    public static func bytes(_ byteCount: Int) throws(CryptoError) -> [UInt8] {
        try unsafe bytes(byteCount, from: kernel)
    }

    /// Returns random bytes that are secret from the first moment.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    public static func secret(_ byteCount: Int) throws(CryptoError) -> SecretBytes {
        try unsafe secret(byteCount, from: kernel)
    }

    /// Draws from a given source; a test gives a failing one to see that no zeros come out (ThreatModel C07).
    package static func bytes(_ byteCount: Int, from source: Source) throws(CryptoError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        let result = unsafe bytes.withUnsafeMutableBytes { raw in unsafe source(raw) }
        guard result == 0 else { throw CryptoError(.libraryFailure) }
        return bytes
    }

    package static func secret(_ byteCount: Int, from source: Source) throws(CryptoError) -> SecretBytes {
        try unsafe SecretBytes(byteCount: byteCount) { raw throws(CryptoError) in
            guard unsafe source(raw) == 0 else { throw CryptoError(.libraryFailure) }
        }
    }

    private static func kernel(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        guard let base = buffer.baseAddress else { return 0 }
        return unsafe vs_random(base, buffer.count)
    }
}
