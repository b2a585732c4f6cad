// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

/// Base32 of secrets: their digits go from locked memory to locked memory, never through a text.
enum SecretBase32 {
    private static let alphabet: StaticString = "abcdefghijklmnopqrstuvwxyz234567"

    static func character(_ digit: UInt8) -> UInt8 { unsafe alphabet.utf8Start[Int(digit & 31)] }

    /// The five bits of digit `index`; bits beyond the end are zero.
    static func digit(_ bytes: UnsafeRawBufferPointer, at index: Int) -> UInt8 {
        (0..<5).reduce(UInt8(0)) { value, offset in
            let bit = index * 5 + offset
            guard bit / 8 < bytes.count else { return value << 1 }
            return unsafe value << 1 | bytes[bit / 8] >> UInt8(7 - bit % 8) & 1
        }
    }

    /// The bytes that digits, one to a byte, stand for.
    static func packed(_ digits: borrowing SecretBytes, byteCount: Int) -> SecretBytes {
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
