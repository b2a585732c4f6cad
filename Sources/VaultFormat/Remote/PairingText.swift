// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PairingText` writes a pairing code for people, and reads it back: base32 in groups of eight letters, of which the
/// eighth is a checksum of the group and of its place, so that a slip is named by its group.
///
/// The code is followed by its CRC-32, which sees what the groups do not. Spec: docs/format.md §25.11.
public enum PairingText {
    /// Letters of a group without its checksum.
    private static let dataCount = 7
    /// Longest text that is looked at, in bytes.
    public static let byteCountMax = 8192
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// `Slip` says what is wrong with a text.
    public enum Slip: Error, Sendable, Equatable {
        /// There are no letters.
        case empty
        /// A group does not fit its checksum, or has a character that no code has. It is counted from 1.
        case group(number: Int, text: String)
        /// The groups fit, and together they do not: one is missing, or something was typed twice.
        case incomplete
        /// Made by a newer program.
        case newerFormat
    }

    /// Returns the groups of a code.
    public static func groups(of code: PairingCode) -> [String] {
        let bytes = code.encoded
        let digits = Base32.encode(bytes + bigEndian(crc32(bytes))).utf8.compactMap(Base32.value)
        return stride(from: 0, to: digits.count, by: dataCount).map { at in
            let data = digits[at..<min(at + dataCount, digits.count)]
            let all = data + [check(data, group: at / dataCount)]
            return String(decoding: all.map { alphabet[Int($0)] }, as: UTF8.self)
        }
    }

    /// Reads a text: either case; spaces, line ends and hyphens do not count; 0, 1 and 8 are taken for o, i and b.
    ///
    /// - Throws: `Slip`.
    public static func parse(_ typed: [UInt8]) throws(Slip) -> PairingCode {
        let letters = typed.prefix(byteCountMax).filter { !isSpace($0) }.map(alike)
        guard !letters.isEmpty else { throw .empty }
        var digits: [UInt8] = []
        for at in stride(from: 0, to: letters.count, by: dataCount + 1) {
            let group = letters[at..<min(at + dataCount + 1, letters.count)]
            let number = at / (dataCount + 1)
            let values = group.map { Base32.value(of: $0) }
            let data = values.dropLast().compactMap { $0 }
            guard !data.isEmpty, data.count == values.count - 1, values.last == check(data[...], group: number) else {
                throw .group(number: number + 1, text: shown(group))
            }
            digits += data
        }
        let bytes = packed(digits)
        guard bytes.count > 4, Array(bytes.suffix(4)) == bigEndian(crc32(Array(bytes.dropLast(4)))) else {
            throw .incomplete
        }
        let code: PairingCode
        do throws(FormatError) { code = try PairingCode(parsing: Array(bytes.dropLast(4))) } catch {
            throw error.code == .unknownVersion || error.code == .unknownKind ? .newerFormat : .incomplete
        }
        // One text for each code: no bits are left over, and nothing follows.
        guard groups(of: code).joined().utf8.elementsEqual(letters) else { throw .incomplete }
        return code
    }

    // MARK: Checksums

    /// Returns the digit that makes a group's sum zero, over the field of 32 elements: of a group it sees each wrong
    /// letter, each pair of letters that changed places, and another place among the groups.
    private static func check(_ data: ArraySlice<UInt8>, group: Int) -> UInt8 {
        doubled(data.reduce(UInt8(group & 31)) { doubled($0) ^ $1 })
    }

    /// Multiplies by x modulo x^5 + x^2 + 1.
    private static func doubled(_ value: UInt8) -> UInt8 { (value << 1 ^ (value & 16 == 0 ? 0 : 0x25)) & 31 }

    /// Returns the CRC-32 of IEEE 802.3, as zlib and PNG have it.
    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
    }

    private static func bigEndian(_ word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }

    // MARK: Letters

    /// Returns the whole bytes of the digits; of what is left over nothing counts but that it is less than a byte.
    private static func packed(_ digits: [UInt8]) -> [UInt8] {
        (0..<digits.count * 5 / 8).map { index in
            (0..<8).reduce(UInt8(0)) { byte, offset in
                let bit = index * 8 + offset
                return byte << 1 | digits[bit / 5] >> UInt8(4 - bit % 5) & 1
            }
        }
    }

    private static func isSpace(_ character: UInt8) -> Bool {
        character == 0x20 || character == 0x2D || (0x09...0x0D).contains(character)
    }

    private static func alike(_ character: UInt8) -> UInt8 {
        switch character {
        case 0x30: 0x6F
        case 0x31: 0x69
        case 0x38: 0x62
        case 0x41...0x5A: character | 0x20
        default: character
        }
    }

    private static func shown(_ group: ArraySlice<UInt8>) -> String {
        String(decoding: group.map { (0x21...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }
}
