// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

/// `SecretAnswer` takes an answer that has tokens in it, and reads it where it lies: in locked memory, without making a
/// text of it.
///
/// It is one flat object of JSON. A token is taken only if it has no escape and no blank in it, as those of OAuth never
/// do (RFC 6749 §A.12).
@safe
final class SecretAnswer {
    static let byteCountMax = 32 << 10

    private var bytes = SecretBytes(zeroes: byteCountMax)
    private var count = 0

    /// Takes the next piece, and returns whether there was room for it.
    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard piece.count <= Self.byteCountMax - count else { return false }
        unsafe bytes.withUnsafeMutableBytes { target in
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyMemory(from: piece)
        }
        count += piece.count
        return true
    }

    /// Returns the text of a member as a secret; nil where there is none that is a token.
    func token(_ name: String) -> SecretBytes? {
        unsafe bytes.withUnsafeBytes { all in
            let text = unsafe UnsafeRawBufferPointer(rebasing: all[..<count])
            guard let range = unsafe SecretJSON.value(of: name, in: text), range.count > 2,
                unsafe text[range.lowerBound] == UInt8(ascii: "\"")
            else { return nil }
            let inner = unsafe UnsafeRawBufferPointer(rebasing: text[range.dropFirst().dropLast()])
            guard unsafe inner.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
            return unsafe SecretBytes(copying: inner)
        }
    }

    /// Returns the text of a member that is a whole number of at most nine digits, as a number.
    func number(_ name: String) -> Int? {
        unsafe bytes.withUnsafeBytes { all in
            let text = unsafe UnsafeRawBufferPointer(rebasing: all[..<count])
            guard let range = unsafe SecretJSON.value(of: name, in: text), range.count <= 9 else { return nil }
            return unsafe Int(String(decoding: text[range], as: UTF8.self))
        }
    }

    /// Lends all of it. The pointer must not leave `body`.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe bytes.withUnsafeBytes { all in unsafe body(UnsafeRawBufferPointer(rebasing: all[..<count])) }
    }
}
