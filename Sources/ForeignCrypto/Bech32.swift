// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

/// `Bech32` writes and reads 32 bytes as Bech32 of BIP 173, in the one case that the human-readable part has.
///
/// The text may be secret, so nothing here is kept: values live in memory that is wiped, and the result in
/// `SecretBytes`.
enum Bech32 {
    static let contentByteCount = 32
    /// 32 bytes are 52 groups of five bits (the last with four bits of zero) before a checksum of six.
    private static let groupCount = 52
    private static let checksumCount = 6
    private static let digits = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

    /// Returns the size of a text with this human-readable part, in characters.
    static func textByteCount(_ part: StaticString) -> Int { part.utf8CodeUnitCount + 1 + groupCount + checksumCount }

    /// Returns the 32 bytes of a text, or nil unless it is exactly what `text` makes of them.
    ///
    /// - Parameter part: the human-readable part; letters of the whole text have its case.
    static func decode(_ text: UnsafeRawBufferPointer, part: StaticString) -> SecretBytes? {
        let begin = part.utf8CodeUnitCount + 1
        guard text.count == textByteCount(part) else { return nil }
        let expected = unsafe UnsafeRawBufferPointer(start: part.utf8Start, count: begin - 1)
        guard unsafe text.starts(with: expected), unsafe text[begin - 1] == UInt8(ascii: "1") else { return nil }
        let isUpper = isUpperCase(part)
        var groups = SecretBytes(zeroes: groupCount + checksumCount)
        let isText = unsafe groups.withUnsafeMutableBytes { target in
            for index in target.indices {
                guard let value = unsafe value(of: text[begin + index], isUpper: isUpper) else { return false }
                unsafe target[index] = value
            }
            return unsafe checksum(part, UnsafeRawBufferPointer(target)) == 1
        }
        guard isText else { return nil }
        return unsafe groups.withUnsafeBytes { unsafe bytes(ofGroups: $0) }
    }

    /// Returns the text of 32 bytes that are no secret.
    static func text(_ content: [UInt8], part: StaticString) -> String {
        precondition(content.count == contentByteCount, "an age key has 32 bytes")
        var groups: [UInt8] = []
        var held: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in content {
            held = (held << 8 | UInt32(byte)) & 0xfff
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                groups.append(UInt8(held >> bitCount & 31))
            }
        }
        groups.append(UInt8(held << (5 - bitCount) & 31))
        let unchecked = groups + [UInt8](repeating: 0, count: checksumCount)
        let check = unsafe unchecked.withUnsafeBytes { unsafe checksum(part, $0) } ^ 1
        for index in 0..<checksumCount { groups.append(UInt8(check >> UInt32(5 * (5 - index)) & 31)) }
        let lower =
            part.description.lowercased() + "1" + String(decoding: groups.map { digits[Int($0)] }, as: UTF8.self)
        return isUpperCase(part) ? lower.uppercased() : lower
    }

    private static func isUpperCase(_ part: StaticString) -> Bool {
        part.description.utf8.contains { $0 >= 0x41 && $0 <= 0x5a }
    }

    private static func value(of character: UInt8, isUpper: Bool) -> UInt8? {
        let isLetter = (0x41...0x5a).contains(character & 0xdf)
        guard !isLetter || (character & 0x20 == 0) == isUpper else { return nil }
        return digits.firstIndex(of: isLetter ? character | 0x20 : character).map { UInt8($0) }
    }

    /// Returns the bytes of the groups; nil when the four bits after the last byte are not zero: they would be a second
    /// text for the same key.
    private static func bytes(ofGroups groups: UnsafeRawBufferPointer) -> SecretBytes? {
        var held: UInt32 = 0
        var bitCount: UInt32 = 0
        let bytes = unsafe SecretBytes(byteCount: contentByteCount) { target in
            var next = 0
            for index in 0..<groupCount {
                held = unsafe (held << 5 | UInt32(groups[index])) & 0xfff
                bitCount += 5
                guard bitCount >= 8 else { continue }
                bitCount -= 8
                unsafe target[next] = UInt8(truncatingIfNeeded: held >> bitCount)
                next += 1
            }
        }
        guard held & ((1 << bitCount) - 1) == 0 else { return nil }
        return bytes
    }

    /// Returns 1 for a text with its right checksum.
    private static func checksum(_ part: StaticString, _ groups: UnsafeRawBufferPointer) -> UInt32 {
        let name = part.description.lowercased().utf8
        var state: UInt32 = 1
        for byte in name { state = step(state, byte >> 5) }
        state = step(state, 0)
        for byte in name { state = step(state, byte & 31) }
        for index in groups.indices { state = unsafe step(state, groups[index]) }
        return state
    }

    private static func step(_ state: UInt32, _ value: UInt8) -> UInt32 {
        let factors: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
        let top = state >> 25
        var next = (state & 0x1ff_ffff) << 5 ^ UInt32(value)
        for (index, factor) in factors.enumerated() where top >> UInt32(index) & 1 == 1 { next ^= factor }
        return next
    }
}
