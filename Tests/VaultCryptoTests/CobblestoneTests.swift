// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SecretMemory
import Testing
import VaultCrypto

struct CobblestoneTests {
    private let context = Array("test".utf8)

    @Test(arguments: [0, 1, 16, 255, 16_383, 16_384, 16_385, 32_768, 100_000])
    func whatIsSealedOpensAndHasTheSizeForetold(byteCount: Int) throws {
        let (engine, key) = (try Cobblestone(), try SymmetricKey(random: ()))
        let content = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let sealed = try engine.seal(content, key: key, context: context)
        #expect(sealed.count == Cobblestone.sealedByteCount(byteCount))
        #expect(try engine.open(sealed, key: key, context: context) == content)
        #expect(try engine.openSecret(sealed, key: key, context: context).array == content)
    }

    @Test(arguments: [0, 1, 16_383, 16_384, 40_000])
    func theHashOfSealedBytesFollowsFromContentAndSalt(byteCount: Int) throws {
        let (key, content) = (try SymmetricKey(random: ()), [UInt8](repeating: 9, count: byteCount))
        let sealed = try Cobblestone().seal(content, key: key, context: [1, 2])
        let salt = Array(sealed.prefix(Cobblestone.saltByteCount))
        func digest(_ content: [UInt8], _ context: [UInt8], _ salt: [UInt8]) throws -> [UInt8] {
            try Cobblestone().digestOfSealed(content, key: key, context: context, salt: salt)
        }
        let wanted = try Digest.sha256(sealed)
        #expect(try digest(content, [1, 2], salt) == wanted)
        #expect(try digest(content + [1], [1, 2], salt) != wanted && digest(content, [1], salt) != wanted)
        #expect(try digest(content, [1, 2], salt.reversed()) != wanted)
        #expect(throws: CryptoError(.badSize)) { try digest(content, [1, 2], Array(salt.dropLast())) }
    }

    @Test func sizesAreOneToOneForEveryLengthToFortyThousand() {
        var sealedSizes: Set<Int> = []
        for byteCount in 0...40_000 {
            let sealed = Cobblestone.sealedByteCount(byteCount)
            #expect(sealedSizes.insert(sealed).inserted)
            #expect(Cobblestone.contentByteCount(sealed) == byteCount)
        }
        for size in 0...40_000 where !sealedSizes.contains(size) {
            #expect(Cobblestone.contentByteCount(size) == nil, "\(size)")
        }
    }

    @Test func anotherKeyOrContextDoesNotOpen() throws {
        let (engine, key) = (try Cobblestone(), try SymmetricKey(repeating: 1))
        let sealed = try engine.seal(Array("secret".utf8), key: key, context: context)
        for other in [[], Array("tes".utf8), Array("test\0".utf8), Array("Test".utf8)] as [[UInt8]] {
            #expect(throws: CryptoError(.notAuthentic)) { try engine.open(sealed, key: key, context: other) }
        }
        let otherKey = try SymmetricKey(repeating: 2)
        #expect(throws: CryptoError(.notAuthentic)) { try engine.open(sealed, key: otherKey, context: context) }
        #expect(throws: CryptoError(.notAuthentic)) {
            _ = try engine.openSecret(sealed, key: otherKey, context: context)
        }
        #expect(
            try engine.open(sealed, key: key, context: context) == Array("secret".utf8),
            "a refusal spoils nothing for the next")
    }

    @Test func A01everyFlippedBitIsRefused() throws {
        let (engine, key) = (try Cobblestone(), try SymmetricKey(repeating: 1))
        let sealed = try engine.seal(Array("secret".utf8), key: key, context: context)
        for index in 0..<sealed.count * 8 {
            var bytes = sealed
            bytes[index / 8] ^= 1 << UInt8(index % 8)
            #expect(throws: CryptoError(.notAuthentic)) { try engine.open(bytes, key: key, context: context) }
        }
    }

    @Test func A06everyPrefixAndEveryExtensionIsRefused() throws {
        let (engine, key) = (try Cobblestone(), try SymmetricKey(repeating: 1))
        let short = try engine.seal(Array("secret".utf8), key: key, context: context)
        for count in 0..<short.count {
            #expect(throws: CryptoError(.notAuthentic)) {
                try engine.open(Array(short[0..<count]), key: key, context: context)
            }
        }
        let long = try engine.seal([UInt8](repeating: 7, count: 40_000), key: key, context: context)
        for count in [
            56, 72, 56 + 16_400, 56 + 16_400 + 16, 56 + 2 * 16_400, 56 + 2 * 16_400 + 16, long.count - 16,
            long.count - 1,
        ] {
            #expect(throws: CryptoError(.notAuthentic)) {
                try engine.open(Array(long[0..<count]), key: key, context: context)
            }
        }
        for more in [1, 15, 16, 17, 16_400] {
            let bytes = long + [UInt8](repeating: 0, count: more)
            #expect(throws: CryptoError(.notAuthentic)) { try engine.open(bytes, key: key, context: context) }
        }
    }

    /// Twenty thousand are enough: a counter or a clock would repeat as surely.
    @Test func C03twentyThousandSealsRepeatNoSalt() throws {
        let (engine, key) = (try Cobblestone(), try SymmetricKey(repeating: 1))
        var salts: Set<[UInt8]> = []
        for _ in 0..<20_000 {
            salts.insert(Array(try engine.seal([0], key: key, context: context)[0..<Cobblestone.saltByteCount]))
        }
        #expect(salts.count == 20_000)
    }

    @Test func C03equalChunksOfOneObjectAreSealedDifferently() throws {
        let (engine, key) = (try Cobblestone(), try SymmetricKey(repeating: 1))
        let sealed = try engine.seal([UInt8](repeating: 0, count: 16_384 * 300), key: key, context: context)
        let begins = stride(from: 56, to: sealed.count - 16, by: 16_400).map { Array(sealed[$0..<$0 + 32]) }
        #expect(begins.count == 300 && Set(begins).count == 300)
    }

    @Test func aKeyOfAnotherSizeIsNone() {
        for count in [0, 16, 31, 33, 64] {
            #expect(throws: CryptoError(.badSize)) { _ = try SymmetricKey(SecretBytes(zeroes: count)) }
        }
    }
}
