// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto
import VaultTesting

/// AES-256-GCM alone and under XAES-256-GCM. Their outputs are compared in Vectors.
struct AESGCMTests {
    private let text = Array("attack at dawn".utf8)

    @Test(arguments: OneShot.all)
    func whatIsSealedOpens(box: OneShot) throws {
        for byteCount in [0, 1, 15, 16, 17, 4096, 70_000] {
            let text = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
            let sealed = try box.seal(text)
            let opened = box.open(sealed.ciphertext, tag: sealed.tag)
            #expect(opened.error == nil && opened.buffer == text)
            #expect(byteCount < 15 || sealed.ciphertext != text)
        }
    }

    /// OpenSSL takes a tag of one byte: forging would need 256 tries.
    @Test(arguments: OneShot.all)
    func C01aTagCutToAnyLengthIsRefused(box: OneShot) throws {
        let sealed = try box.seal(text)
        for count in 0..<16 {
            let result = box.open(sealed.ciphertext, tag: Array(sealed.tag.prefix(count)))
            #expect(result.error == CryptoError(.badSize), "\(count) bytes")
            #expect(result.buffer.allSatisfy { $0 == 0 })
        }
        for more in [1, 16] {
            #expect(
                box.open(sealed.ciphertext, tag: sealed.tag + [UInt8](repeating: 0, count: more)).error
                    == CryptoError(.badSize))
        }
    }

    @Test func C01everyTrueTagOfTheNISTVectorsCutToAnyLengthIsRefused() throws {
        var tried = 0
        for test in try Repository.tests("aes_256_gcm_nist.json").joined() where test["result"] as? String == "valid" {
            let box = OneShot(algorithm: .aes, key: test.bytes("key"))
            for count in 0..<16 {
                let result = box.open(
                    test.bytes("ct"), tag: Array(test.bytes("tag").prefix(count)), nonce: test.bytes("iv"))
                #expect(result.error != nil)
                tried += 1
            }
        }
        #expect(tried > 1000)
    }

    @Test(arguments: OneShot.all)
    func C02aFailedOpenLeavesNoPlaintextInTheBuffer(box: OneShot) throws {
        let long = [UInt8](repeating: 0x55, count: 5000)
        for text in [text, long] {
            let sealed = try box.seal(text)
            for bit in [0, 64, 127] {
                var tag = sealed.tag
                tag[bit / 8] ^= 1 << UInt8(bit % 8)
                let result = box.open(sealed.ciphertext, tag: tag)
                #expect(result.error == CryptoError(.notAuthentic))
                #expect(result.buffer.allSatisfy { $0 == 0 })
            }
        }
    }

    @Test(arguments: OneShot.all)
    func everyFlippedBitOfCiphertextAndTagIsRefused(box: OneShot) throws {
        let sealed = try box.seal(text)
        for index in 0..<(text.count + 16) * 8 {
            var (ciphertext, tag) = sealed
            let (byte, bit) = (index / 8, UInt8(1) << UInt8(index % 8))
            if byte < text.count { ciphertext[byte] ^= bit } else { tag[byte - text.count] ^= bit }
            #expect(box.open(ciphertext, tag: tag).error == CryptoError(.notAuthentic))
        }
    }

    @Test(arguments: OneShot.all)
    func otherSizesOfNonceAndKeyAreRefused(box: OneShot) throws {
        let sealed = try box.seal(text)
        for count in [0, 1, box.nonce.count - 1, box.nonce.count + 1, 64] {
            let nonce = [UInt8](repeating: 1, count: count)
            #expect(box.open(sealed.ciphertext, tag: sealed.tag, nonce: nonce).error == CryptoError(.badSize))
        }
        for count in [0, 16, 24, 31, 33, 64] {
            let other = OneShot(algorithm: box.algorithm, key: [UInt8](repeating: 0x42, count: count))
            #expect(other.open(sealed.ciphertext, tag: sealed.tag).error == CryptoError(.badSize))
        }
        for count in [0, 12, 15, 17] {
            #expect(throws: CryptoError(.badSize)) { try box.seal(text, tagByteCount: count) }
        }
    }

    /// Both halves of the nonce count: the first derives the key, the second is AES-GCM's.
    @Test func aNonceThatDiffersInOneBitIsRefused() throws {
        let box = OneShot(algorithm: .xaes)
        let sealed = try box.seal(text)
        for index in 0..<24 * 8 {
            var nonce = box.nonce
            nonce[index / 8] ^= 1 << UInt8(index % 8)
            #expect(box.open(sealed.ciphertext, tag: sealed.tag, nonce: nonce).error == CryptoError(.notAuthentic))
        }
    }
}
