// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// A recovery key as typed, read from the specification alone: what vault itself does lies in a module that needs a
/// database.
///
/// Spec: docs/format.md §6.
enum RecoveryText {
    private static let keyCharacterCount = 32
    private static let checkCharacterCount = 4

    /// The key's 20 bytes; nil for foreign characters, another length or a checksum that does not fit.
    static func parse(_ text: String) throws -> [UInt8]? {
        var digits: [UInt8] = []
        for character in text.utf8 where character != 0x20 && character != 0x2D {
            guard let digit = Base32.value(of: alike(character)) else { return nil }
            digits.append(digit)
        }
        guard digits.count == keyCharacterCount + checkCharacterCount else { return nil }
        let key = packed(digits[0..<keyCharacterCount])
        let tag = try HMAC.tag(SecretBytes(array: key), Array("vault/v1 recovery checksum".utf8), hash: .sha256)
        let bits = tag.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 } }
        let check = (0..<checkCharacterCount).map { at in bits[at * 5..<at * 5 + 5].reduce(0) { $0 << 1 | $1 } }
        return Array(digits[keyCharacterCount...]) == check ? key : nil
    }

    private static func packed(_ digits: ArraySlice<UInt8>) -> [UInt8] {
        let bits = digits.flatMap { digit in (0..<5).map { digit >> UInt8(4 - $0) & 1 } }
        return stride(from: 0, to: bits.count, by: 8).map { at in bits[at..<at + 8].reduce(0) { $0 << 1 | $1 } }
    }

    /// 0, 1 and 8 are no base32; a person who typed them meant o, i and b.
    private static func alike(_ character: UInt8) -> UInt8 {
        switch character {
        case 0x30: 0x6F
        case 0x31: 0x69
        case 0x38: 0x62
        default: character
        }
    }
}
