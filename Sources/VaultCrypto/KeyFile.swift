// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory

/// `KeyFile` is a key file: 32 random bytes that we made, as one line of text with a checksum. With a password it is a
/// second factor.
///
/// ```
/// offset  size  field
///      0     5  "vkf1-"
///      5    52  the key, base32; its last four bits are zero
///     57     1  "-"
///     58     8  checksum: the first 40 bits of HMAC-SHA-256 under the key, base32
///     66     1  line feed
///     67        end
/// ```
/// Never any other file: a photo or a song has little that is secret, and changes when somebody touches it. Spec:
/// docs/format.md §6.
public enum KeyFile {
    public static let byteCount = 32
    public static let textByteCount = 67
    private static let prefix = Array("vkf1-".utf8)
    private static let digitCount = 52
    private static let checkCount = 8

    /// Makes a new key's text.
    ///
    /// - Throws: `CryptoError`.
    public static func make() throws(CryptoError) -> SecretBytes { try text(SecureRandom.secret(byteCount)) }

    /// Returns the text of a key, 67 bytes.
    package static func text(_ key: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        let check = try checksum(key)
        return unsafe SecretBytes(byteCount: textByteCount) { target in
            for (index, character) in (prefix).enumerated() { unsafe target[index] = character }
            unsafe key.withUnsafeBytes { key in
                for index in 0..<digitCount {
                    unsafe target[prefix.count + index] = SecretBase32.character(SecretBase32.digit(key, at: index))
                }
            }
            unsafe target[57] = 0x2D
            unsafe check.withUnsafeBytes { check in
                for index in 0..<checkCount {
                    unsafe target[58 + index] = SecretBase32.character(SecretBase32.digit(check, at: index))
                }
            }
            unsafe target[66] = 0x0A
        }
    }

    /// Reads a key file: exactly what `make` writes, its final line feed or not.
    ///
    /// - Returns: 32 bytes, or nil for anything else.
    public static func parse(_ text: borrowing SecretBytes) -> SecretBytes? {
        guard text.byteCount == textByteCount || text.byteCount == textByteCount - 1 else { return nil }
        var digits = SecretBytes(zeroes: digitCount)
        let isWellFormed = unsafe text.withUnsafeBytes { text in
            unsafe digits.withUnsafeMutableBytes { target in
                for index in 0..<digitCount {
                    guard let digit = unsafe SecretBase32.value(of: text[prefix.count + index]) else { return false }
                    unsafe target[index] = digit
                }
                return true
            }
        }
        guard isWellFormed else { return nil }
        let key = SecretBase32.packed(digits, byteCount: byteCount)
        // One text for each key: prefix, case, the bits beyond the key and the checksum are compared at once.
        guard let canonical = try? Self.text(key) else { return nil }
        let isSame = unsafe text.withUnsafeBytes { text in
            unsafe canonical.withUnsafeBytes {
                unsafe SafeCompare.equal(UnsafeRawBufferPointer(rebasing: $0[0..<text.count]), text)
            }
        }
        guard isSame else { return nil }
        return key
    }

    private static func checksum(_ key: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        try Array(HMAC.tag(key, Array(Label.keyFileChecksum.rawValue.utf8), hash: .sha256)[0..<5])
    }
}
