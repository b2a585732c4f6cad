// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims

/// `SecretBytes` holds bytes that must not be seen: on pages of their own, locked where the kernel allows, left out of
/// core files, cleared in a forked child, and wiped when the value ends.
///
/// It has no description, no equality and no way to copy it. Its bytes are reached only inside the two `with…` calls.
@safe
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    /// Number of bytes held.
    public let byteCount: Int
    /// Whether the kernel locked the pages, so that they never reach swap. RLIMIT_MEMLOCK may forbid it.
    public let isLocked: Bool
    private let pages: UnsafeMutableRawPointer

    /// Makes `byteCount` zero bytes.
    ///
    /// - Parameter byteCount: 0 or more, in bytes.
    public init(zeroes byteCount: Int) {
        precondition(byteCount >= 0, "a secret cannot have a negative size")
        var locked: Int32 = 0
        guard let pages = unsafe vs_secret_map(max(byteCount, 1), &locked) else {
            fatalError("no memory for a secret")
        }
        unsafe self.pages = pages
        self.byteCount = byteCount
        isLocked = locked == 1
    }

    /// Copies bytes that another owner will wipe.
    public init(copying source: UnsafeRawBufferPointer) {
        self.init(zeroes: source.count)
        if let base = source.baseAddress, source.count > 0 {
            unsafe pages.copyMemory(from: base, byteCount: source.count)
        }
    }

    /// Makes `byteCount` bytes and lets `fill` write them.
    public init<E: Error>(
        byteCount: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        self.init(zeroes: byteCount)
        try unsafe fill(UnsafeMutableRawBufferPointer(start: pages, count: byteCount))
    }

    deinit {
        unsafe vs_secret_unmap(pages, max(byteCount, 1))
    }

    /// Lends the bytes for reading. The pointer must not leave `body`.
    public borrowing func withUnsafeBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try unsafe body(UnsafeRawBufferPointer(start: pages, count: byteCount))
    }

    /// Lends the bytes for writing. The pointer must not leave `body`.
    public mutating func withUnsafeMutableBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try unsafe body(UnsafeMutableRawBufferPointer(start: pages, count: byteCount))
    }

    /// Returns a second owner of the same bytes.
    public borrowing func duplicate() -> SecretBytes {
        unsafe SecretBytes(copying: UnsafeRawBufferPointer(start: pages, count: byteCount))
    }

    /// Returns the first `count` bytes as a secret of their own; a typed password lands in a larger buffer first.
    public borrowing func prefix(_ count: Int) -> SecretBytes {
        precondition(count >= 0 && count <= byteCount, "a prefix cannot be longer than the secret")
        return unsafe SecretBytes(copying: UnsafeRawBufferPointer(start: pages, count: count))
    }

    /// Returns whether two secrets hold the same bytes, in a time that depends on their sizes only.
    ///
    /// For a password typed twice. Tags and commitments are compared in VaultCrypto.
    public borrowing func matches(_ other: borrowing SecretBytes) -> Bool {
        guard byteCount == other.byteCount else { return false }
        var difference: UInt8 = 0
        for index in 0..<byteCount {
            difference |=
                unsafe pages.load(fromByteOffset: index, as: UInt8.self)
                ^ other.pages.load(fromByteOffset: index, as: UInt8.self)
        }
        return difference == 0
    }
}
