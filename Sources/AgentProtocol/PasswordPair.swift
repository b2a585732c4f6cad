// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
public import SecretMemory

/// `PasswordPair` puts two passwords in one secret frame: UInt16 length of the first (big-endian), the first, the
/// second.
///
/// Spec: docs/agent-protocol.md §5.
public enum PasswordPair {
    /// Puts two passwords together in locked memory.
    public static func joined(_ first: borrowing SecretBytes, _ second: borrowing SecretBytes) -> SecretBytes {
        let count = first.byteCount
        var pair = SecretBytes(zeroes: 2 + count + second.byteCount)
        unsafe pair.withUnsafeMutableBytes { raw in
            unsafe raw[0] = UInt8(truncatingIfNeeded: count >> 8)
            unsafe raw[1] = UInt8(truncatingIfNeeded: count)
            unsafe first.withUnsafeBytes { unsafe copy($0, to: raw, at: 2) }
            unsafe second.withUnsafeBytes { unsafe copy($0, to: raw, at: 2 + count) }
        }
        return pair
    }

    /// Returns the first of them, or the second.
    ///
    /// - Returns: nil when the length does not fit.
    public static func part(of pair: borrowing SecretBytes, isFirst: Bool) -> SecretBytes? {
        guard pair.byteCount >= 2 else { return nil }
        let count = unsafe pair.withUnsafeBytes { unsafe Int($0[0]) << 8 | Int($0[1]) }
        guard 2 + count <= pair.byteCount else { return nil }
        return part(of: pair, isFirst ? 2..<2 + count : 2 + count..<pair.byteCount)
    }

    private static func part(of pair: borrowing SecretBytes, _ range: Range<Int>) -> SecretBytes {
        var part = SecretBytes(zeroes: range.count)
        unsafe pair.withUnsafeBytes { source in
            unsafe part.withUnsafeMutableBytes {
                unsafe copy(UnsafeRawBufferPointer(rebasing: source[range]), to: $0, at: 0)
            }
        }
        return part
    }

    private static func copy(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer, at offset: Int)
    {
        for index in source.indices { unsafe target[offset + index] = source[index] }
    }
}
