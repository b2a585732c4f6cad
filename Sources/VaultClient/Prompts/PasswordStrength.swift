// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory

/// `PasswordStrength` finds the passwords that guessing programs try first. It looks at bytes in locked memory and
/// makes no text of them.
///
/// A password without a weakness here is not proven strong; one with a weakness is surely weak.
public enum PasswordStrength {
    /// `Weakness` says why a password is weak, in words for the person.
    public enum Weakness: String, Sendable, CaseIterable {
        case short = "it has fewer than 12 characters"
        case common = "it is, or resembles, a very common password"
        case repetition = "it repeats the same few characters"
        case sequence = "it is an alphabet, digit or keyboard sequence"
    }

    /// Least number of characters.
    public static let characterCountMin = 12

    /// Returns all weaknesses found, most telling first.
    public static func weaknesses(of password: borrowing SecretBytes) -> [Weakness] {
        unsafe password.withUnsafeBytes { bytes in
            var found: [Weakness] = []
            if unsafe CommonPasswords.holds(bytes) { found.append(.common) }
            if unsafe isRepetition(bytes) { found.append(.repetition) }
            if unsafe isSequence(bytes) { found.append(.sequence) }
            if unsafe characterCount(bytes) < characterCountMin { found.append(.short) }
            return found
        }
    }

    /// Counts the characters of UTF-8: all bytes but continuation bytes.
    private static func characterCount(_ bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for index in bytes.indices where unsafe bytes[index] & 0xC0 != 0x80 { count += 1 }
        return count
    }

    /// Returns whether there are at most three different bytes, or one unit of up to a third of the password over and
    /// over.
    private static func isRepetition(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 4 else { return false }
        var different = 0
        for index in bytes.indices {
            var isNew = true
            for earlier in 0..<index where unsafe bytes[earlier] == bytes[index] { isNew = false }
            if isNew { different += 1 }
            if different > 3 { break }
        }
        if different <= 3 { return true }
        for period in 1...max(1, bytes.count / 3) {
            var repeats = true
            for index in period..<bytes.count where unsafe bytes[index] != bytes[index - period] {
                repeats = false
                break
            }
            if repeats { return true }
        }
        return false
    }

    /// Returns whether two thirds of the steps go to the neighbour in the alphabet, the digits or a row of keys, one
    /// way or the other.
    private static func isSequence(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 4 else { return false }
        var steps = 0
        for index in 1..<bytes.count {
            if unsafe areNeighbours(lower(bytes[index - 1]), lower(bytes[index])) { steps += 1 }
        }
        return steps * 3 >= (bytes.count - 1) * 2
    }

    private static let rows: [StaticString] = [
        "1234567890", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "yxcvbnm", "zxcvbnm",
    ]

    private static func areNeighbours(_ one: UInt8, _ other: UInt8) -> Bool {
        if isAlphanumeric(one) && isAlphanumeric(other) && (one &+ 1 == other || other &+ 1 == one) { return true }
        return rows.contains { row in
            row.withUTF8Buffer { keys in
                for index in 1..<keys.count {
                    let (left, right) = unsafe (keys[index - 1], keys[index])
                    if (left, right) == (one, other) || (left, right) == (other, one) { return true }
                }
                return false
            }
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
