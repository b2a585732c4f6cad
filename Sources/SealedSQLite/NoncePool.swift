// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims

/// `NoncePool` holds nonces for the pages of one transaction, drawn from the kernel a few at a time: a call for each
/// page would cost half as much as the seal.
///
/// What is left is dropped at each sync, because a virtual machine that is resumed twice would use a kept nonce twice.
final class NoncePool {
    static let nonceByteCount = 24
    private static let countMax = 64
    private var bytes = [UInt8](repeating: 0, count: countMax * nonceByteCount)
    private var next = 0
    private var filled = 0
    private var drawCount = 4

    /// Writes one nonce; false when the kernel gives no randomness: then nothing may be sealed.
    func take(into target: UnsafeMutableRawBufferPointer) -> Bool {
        if next == filled {
            let failed = unsafe bytes.withUnsafeMutableBytes { raw in
                unsafe vs_random(raw.baseAddress!, drawCount * Self.nonceByteCount)
            }
            guard failed == 0 else { return false }
            next = 0
            filled = drawCount
            drawCount = min(drawCount * 2, Self.countMax)
        }
        let begin = next * Self.nonceByteCount
        unsafe bytes.withUnsafeBytes { raw in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: raw[begin..<begin + Self.nonceByteCount]))
        }
        next += 1
        return true
    }

    /// Forgets what was drawn and not used.
    func drop() {
        next = 0
        filled = 0
        drawCount = 4
    }
}
