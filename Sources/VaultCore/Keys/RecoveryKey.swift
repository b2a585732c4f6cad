// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
public import VaultCrypto
internal import VaultFormat

/// A recovery key is 160 random bits that a person writes down, as 36 characters of base32 in groups of four.
///
/// 32 characters carry the key, 4 a checksum, so that a slip is noticed before any slot is tried. Spec: docs/format.md
/// §6.
public enum RecoveryKey {
    public static let byteCount = 20
    static let characterCount = 36

    /// Derives the key-encryption key of a recovery slot: HKDF-SHA-512 with the slot's salt, because 160 random bits
    /// need no stretching.
    ///
    /// - Throws: `CryptoError`.
    public static func keyEncryptionKey(_ recovery: borrowing SecretBytes, salt: [UInt8]) throws(CryptoError)
        -> SymmetricKey
    {
        let extracted = try HKDF.extract(salt: salt, input: recovery, hash: .sha512)
        return try SymmetricKey(
            HKDF.expand(extracted, info: Array(Label.recoveryKeyslot.rawValue.utf8), byteCount: 32, hash: .sha512))
    }

    /// Returns the text to write down, e.g. `abcd-efgh-…`, 44 bytes.
    ///
    /// - Throws: `CryptoError`.
    public static func text(_ recovery: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        let check = try checksum(recovery)
        return unsafe SecretBytes(byteCount: characterCount + characterCount / 4 - 1) { target in
            unsafe recovery.withUnsafeBytes { key in
                for index in 0..<characterCount {
                    let digit = unsafe index < 32 ? SecretBase32.digit(key, at: index) : check[index - 32]
                    let at = index + index / 4
                    unsafe target[at] = SecretBase32.character(digit)
                    if index % 4 == 3 && index + 1 < characterCount { unsafe target[at + 1] = 0x2D }
                }
            }
        }
    }

    /// Reads typed text back: either case; spaces and hyphens do not count; 0, 1 and 8 are taken for o, i and b.
    ///
    /// - Returns: 20 bytes, or nil when it is not a recovery key or its checksum does not fit.
    public static func parse(_ typed: borrowing SecretBytes) -> SecretBytes? {
        var digits = SecretBytes(zeroes: characterCount)
        var count = 0
        let wellFormed = unsafe typed.withUnsafeBytes { text in
            unsafe digits.withUnsafeMutableBytes { target in
                for index in text.indices {
                    let character = unsafe text[index]
                    if character == 0x20 || character == 0x2D { continue }
                    guard count < characterCount, let digit = Base32.value(of: alike(character)) else { return false }
                    unsafe target[count] = digit
                    count += 1
                }
                return count == characterCount
            }
        }
        guard wellFormed else { return nil }
        let key = SecretBase32.packed(digits, byteCount: byteCount)
        guard let check = try? checksum(key) else { return nil }
        let fits = unsafe digits.withUnsafeBytes { raw in
            unsafe check.withUnsafeBytes {
                unsafe SafeCompare.equal(UnsafeRawBufferPointer(rebasing: raw[32..<36]), $0)
            }
        }
        guard fits else { return nil }
        return key
    }

    /// Returns four base32 digits of HMAC-SHA-256 under the key: they tell nothing about it that is not secret with it.
    private static func checksum(_ recovery: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        let tag = try HMAC.tag(recovery, Array(Label.recoveryChecksum.rawValue.utf8), hash: .sha256)
        return [tag[0] >> 3, (tag[0] << 2 | tag[1] >> 6) & 31, tag[1] >> 1 & 31, (tag[1] << 4 | tag[2] >> 4) & 31]
    }

    private static func alike(_ character: UInt8) -> UInt8 {
        switch character {
        case 0x30: 0x6F
        case 0x31: 0x69
        case 0x38: 0x62
        default: character
        }
    }
}
