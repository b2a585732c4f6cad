// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

package import SecretMemory

/// `SecretBase32` reads and writes base32 of secrets: their digits go from locked memory to locked memory, never
/// through a text.
package enum SecretBase32 {
    private static let alphabet: StaticString = "abcdefghijklmnopqrstuvwxyz234567"

    package static func character(_ digit: UInt8) -> UInt8 { unsafe alphabet.utf8Start[Int(digit & 31)] }

    /// Returns the five bits of a character, in lower case only; nil for any other.
    package static func value(of character: UInt8) -> UInt8? {
        switch character {
        case 0x61...0x7A: character - 0x61
        case 0x32...0x37: character - 0x32 + 26
        default: nil
        }
    }

    /// Returns the five bits of digit `index`; bits beyond the end are zero.
    package static func digit(_ bytes: UnsafeRawBufferPointer, at index: Int) -> UInt8 {
        (0..<5).reduce(UInt8(0)) { value, offset in
            let bit = index * 5 + offset
            guard bit / 8 < bytes.count else { return value << 1 }
            return unsafe value << 1 | bytes[bit / 8] >> UInt8(7 - bit % 8) & 1
        }
    }

    /// Returns the bytes that digits, one to a byte, stand for.
    package static func packed(_ digits: borrowing SecretBytes, byteCount: Int) -> SecretBytes {
        unsafe SecretBytes(byteCount: byteCount) { target in
            unsafe digits.withUnsafeBytes { raw in
                for bit in 0..<byteCount * 8 {
                    let value = unsafe raw[bit / 5] >> UInt8(4 - bit % 5) & 1
                    unsafe target[bit / 8] |= value << UInt8(7 - bit % 8)
                }
            }
        }
    }
}
