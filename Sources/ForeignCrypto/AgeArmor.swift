// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The text form of an age file: PEM of RFC 7468 §3 in its strict form.
///
/// Spec: c2sp.org/age, "ASCII armor".
enum AgeArmor {
    static let begin = Array("-----BEGIN AGE ENCRYPTED FILE-----".utf8)
    static let end = Array("-----END AGE ENCRYPTED FILE-----".utf8)
    /// Characters of a full line, and the bytes in it.
    static let lineByteCount = 64
    static let lineContentByteCount = 48
    /// White space that may stand before and after, in bytes.
    static let spaceByteCountMax = 1024

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
