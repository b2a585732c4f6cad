// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL

/// `SafeCompare` is the one place where tags, commitments and hashes are compared.
public enum SafeCompare {
    /// Returns whether both hold the same bytes, in a time that depends on their sizes only.
    ///
    /// CRYPTO_memcmp because a comparison that stops early tells an attacker how many bytes fit (ThreatModel C06).
    public static func equal(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard one.count == other.count else { return false }
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return unsafe CRYPTO_memcmp(first, second, one.count) == 0
    }

    /// Compares arrays in the same way. Their content is not secret, but the position of the first difference is.
    public static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        unsafe one.withUnsafeBytes { first in
            unsafe other.withUnsafeBytes { second in unsafe equal(first, second) }
        }
    }
}
