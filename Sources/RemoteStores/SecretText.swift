// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

/// `SecretText` is a text that is put together in locked memory and ends with a zero.
@safe
struct SecretText: ~Copyable {
    private var bytes: SecretBytes
    private var count = 0

    init(capacity: Int) { bytes = SecretBytes(zeroes: capacity) }

    mutating func append(_ text: String) { for byte in text.utf8 { append(byte) } }

    /// Appends bytes as they are; false where there is no room for them.
    mutating func append(raw text: UnsafeRawBufferPointer) -> Bool {
        guard count + text.count < bytes.byteCount else { return false }
        for at in text.indices { unsafe append(text[at]) }
        return true
    }

    /// Appends characters that stand for themselves in a form (RFC 3986 §2.3); false at any other, and for nothing.
    mutating func append(plain text: UnsafeRawBufferPointer) -> Bool {
        guard text.count > 0, unsafe text.allSatisfy(Self.isPlain) else { return false }
        return unsafe append(raw: text)
    }

    /// Gives it up as a secret, with the zeros behind it.
    consuming func taken() -> SecretBytes { bytes }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }

    private mutating func append(_ byte: UInt8) {
        // The last one stays a zero.
        guard count + 1 < bytes.byteCount else { return }
        let at = count
        unsafe bytes.withUnsafeMutableBytes { unsafe $0[at] = byte }
        count += 1
    }
}
