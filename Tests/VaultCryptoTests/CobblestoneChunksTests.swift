// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SecretMemory
import Testing
import VaultCrypto

struct CobblestoneChunksTests {
    private let context = Array("test".utf8)

    private func seal(_ chunks: CobblestoneChunks, _ number: Int, _ plaintext: [UInt8]) throws -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: plaintext.count + 16)
        try unsafe plaintext.withUnsafeBytes { plain in
            try unsafe sealed.withUnsafeMutableBytes { try unsafe chunks.seal(number, plain, into: $0) }
        }
        return sealed
    }

    private func open(_ chunks: CobblestoneChunks, _ number: Int, _ sealed: [UInt8]) -> (
        error: CryptoError?, target: [UInt8]
    ) {
        var target = [UInt8](repeating: 0xaa, count: max(sealed.count - 16, 0))
        do {
            try unsafe sealed.withUnsafeBytes { bytes in
                try unsafe target.withUnsafeMutableBytes { try unsafe chunks.open(number, bytes, into: $0) }
            }
        } catch { return (error as? CryptoError, target) }
        return (nil, target)
    }

    @Test func chunksInAnyOrderAndByTwoThreadsGiveTheOneShotObject() throws {
        let key = try SymmetricKey(repeating: 1)
        let content = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let chunks = try CobblestoneChunks(sealing: key, context: context)
        let other = try CobblestoneChunks(sharing: chunks)
        let last = try seal(other, 2, Array(content[32_768...]))
        let first = try seal(chunks, 0, Array(content[..<16_384]))
        let middle = try seal(other, 1, Array(content[16_384..<32_768]))
        let object = chunks.prefix + first + middle + last
        #expect(try Cobblestone().open(object, key: key, context: context) == content)
        let opening = try CobblestoneChunks(opening: Array(object[..<56]), key: key, context: context)
        #expect(open(opening, 2, last).target == Array(content[32_768...]))
        #expect(open(opening, 0, first).target == Array(content[..<16_384]))
    }

    @Test func aChunkAtAnotherPlaceIsRefusedAndTheTargetWiped() throws {
        let key = try SymmetricKey(repeating: 1)
        let chunks = try CobblestoneChunks(sealing: key, context: context)
        let sealed = try seal(chunks, 3, [UInt8](repeating: 7, count: 100))
        for number in [0, 2, 4, 3 + (1 << 32)] {
            let (error, target) = open(chunks, number, sealed)
            #expect(error == CryptoError(.notAuthentic) && target.allSatisfy { $0 == 0 })
        }
        for place in 0..<sealed.count {
            var bytes = sealed
            bytes[place] ^= 1
            let (error, target) = open(chunks, 3, bytes)
            #expect(error == CryptoError(.notAuthentic) && target.allSatisfy { $0 == 0 })
        }
        #expect(
            open(chunks, 3, sealed).target == [UInt8](repeating: 7, count: 100), "a refusal spoils nothing for the next"
        )
    }

    @Test func sizesAndNumbersThatNoChunkHasAreRefused() throws {
        let chunks = try CobblestoneChunks(sealing: SymmetricKey(repeating: 1), context: context)
        #expect(throws: CryptoError(.badSize)) { try seal(chunks, 0, [UInt8](repeating: 0, count: 16_385)) }
        #expect(throws: CryptoError(.badSize)) { try seal(chunks, -1, [1]) }
        #expect(throws: CryptoError(.badSize)) { try seal(chunks, 1 << 38, [1]) }
        #expect(open(chunks, 0, [UInt8](repeating: 0, count: 16_401)).error == CryptoError(.badSize))
        #expect(open(chunks, 0, [UInt8](repeating: 0, count: 15)).error == CryptoError(.badSize))
    }

    @Test func aPrefixThatCommitsToAnotherKeyOrPlaceOpensNothing() throws {
        let key = try SymmetricKey(repeating: 1)
        let prefix = try CobblestoneChunks(sealing: key, context: context).prefix
        #expect(throws: CryptoError(.notAuthentic)) {
            try CobblestoneChunks(opening: prefix, key: SymmetricKey(repeating: 2), context: context)
        }
        #expect(throws: CryptoError(.notAuthentic)) { try CobblestoneChunks(opening: prefix, key: key, context: []) }
        for bit in 0..<prefix.count * 8 {
            var altered = prefix
            altered[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: CryptoError(.notAuthentic)) {
                try CobblestoneChunks(opening: altered, key: key, context: context)
            }
        }
        for other in [[], Array(prefix.dropLast()), prefix + [0]] {
            #expect(throws: CryptoError(.notAuthentic)) {
                try CobblestoneChunks(opening: other, key: key, context: context)
            }
        }
    }
}
