// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat
import VaultTesting

struct Base32Tests {
    /// RFC 4648 §10, in lower case and without padding.
    @Test(arguments: [
        ("", ""), ("f", "my"), ("fo", "mzxq"), ("foo", "mzxw6"), ("foob", "mzxw6yq"), ("fooba", "mzxw6ytb"),
        ("foobar", "mzxw6ytboi"),
    ])
    func bytesAreEncodedAsInTheRFC(plain: String, text: String) {
        #expect(Base32.encode(Array(plain.utf8)) == text)
    }

    @Test func everyCharacterHasItsValueInEitherCaseAndNoOtherHasOne() {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        for character in UInt8.min...UInt8.max {
            let lower = (0x41...0x5A).contains(character) ? character + 32 : character
            #expect(Base32.value(of: character).map { Int($0) } == alphabet.firstIndex(of: lower))
        }
    }

    @Test(arguments: [10, 16])
    func everyPrefixOfATextBoundsItsBytes(byteCount: Int) throws {
        var random = SeededGenerator(32)
        for _ in 0..<200 {
            let bytes = random.bytes(byteCount)
            let text = Base32.encode(bytes)
            for count in 1...text.count {
                let bounds = try #require(Base32.bounds(prefix: String(text.prefix(count)), byteCount: byteCount))
                #expect(!bytes.lexicographicallyPrecedes(bounds.low) && !bounds.high.lexicographicallyPrecedes(bytes))
                #expect(bounds.low.count == byteCount && bounds.high.count == byteCount)
            }
            let whole = try #require(Base32.bounds(prefix: text.uppercased(), byteCount: byteCount))
            #expect(whole.low == bytes && whole.high == bytes)
        }
    }

    @Test func boundsLeaveOutWhatDoesNotBeginSo() throws {
        let bounds = try #require(Base32.bounds(prefix: "b", byteCount: 10))
        #expect(bounds.low == [0x08] + [UInt8](repeating: 0, count: 9))
        #expect(bounds.high == [0x0F] + [UInt8](repeating: 0xFF, count: 9))
    }

    @Test(arguments: [
        "", "0", "1", "a8", "a b", "ä", "a\0", String(repeating: "a", count: 17), String(repeating: "a", count: 5000),
    ])
    func whatIsNoPrefixHasNoBounds(prefix: String) {
        #expect(Base32.bounds(prefix: prefix, byteCount: 10) == nil)
    }

    @Test func bitsBeyondTheLastByteMustBeZero() {
        let text = Base32.encode([UInt8](repeating: 0xFF, count: 16))
        #expect(text.last == "4")
        #expect(Base32.bounds(prefix: text, byteCount: 16) != nil)
        #expect(Base32.bounds(prefix: text.dropLast() + "5", byteCount: 16) == nil)
    }
}
