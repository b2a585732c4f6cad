// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto
import VaultTesting

/// One AES-GCM ciphertext can be made that many keys authenticate: with it one guess tries many passwords at once.
struct KeyCommitmentTests {
    private func collisions() throws -> [[[String: Any]]] {
        let groups = try Repository.tests("key_commitment.json")
        try #require(groups.map(\.count) == [4, 16])
        return groups
    }

    @Test func B05theAttackWorksOnAESGCMAlone() throws {
        for group in try collisions() {
            #expect(Set(group.map { $0.bytes("key") }).count == group.count)
            #expect(Set(group.map { $0.bytes("ct") }).count == 1)
            for test in group {
                let box = OneShot(algorithm: .aes, key: test.bytes("key"))
                let opened = box.open(test.bytes("ct"), tag: test.bytes("tag"), nonce: test.bytes("iv"))
                #expect(opened.error == nil && opened.buffer == test.bytes("msg"))
            }
        }
    }

    /// As a file's only chunk, with the commitment of any of the keys.
    @Test func B05oneCiphertextForManyKeysOpensUnderNone() throws {
        let engine = try Cobblestone()
        let context = Array("keyslot".utf8)
        let salt = [UInt8](repeating: 9, count: Cobblestone.saltByteCount)
        for group in try collisions() {
            let keys = try group.map { try SymmetricKey(array: $0.bytes("key")) }
            let chunk = group[0].bytes("ct") + group[0].bytes("tag")
            for committed in keys {
                let own = try seal([], engine, committed, context, salt)
                let file = Array(own[0..<Cobblestone.prefixByteCount]) + chunk
                for key in keys {
                    #expect(throws: CryptoError(.notAuthentic)) { try engine.open(file, key: key, context: context) }
                    #expect(throws: CryptoError(.notAuthentic)) {
                        _ = try engine.openSecret(file, key: key, context: context)
                    }
                }
            }
        }
    }

    /// The vectors have the worst case: a chunk made for the keys that two file keys derive, so that only the
    /// commitment is left to refuse.
    @Test func B05aChunkForTwoDerivedKeysOpensUnderTheCommittedOneOnly() throws {
        let tests = try Repository.tests("cobblestone_256.json").joined()
        let pair = tests.filter { ($0["flags"] as? [String]) == ["KeyCommitment"] }
        let (right, wrong) = try (#require(pair.first), #require(pair.last))
        try #require(right.bytes("ct") == wrong.bytes("ct") && right.bytes("key") != wrong.bytes("key"))
        let engine = try Cobblestone()
        let content = try engine.open(
            right.bytes("ct"), key: SymmetricKey(array: right.bytes("key")), context: right.bytes("context"))
        #expect(content == right.bytes("msg"))
        #expect(throws: CryptoError(.notAuthentic)) {
            try engine.open(
                wrong.bytes("ct"), key: SymmetricKey(array: wrong.bytes("key")), context: wrong.bytes("context"))
        }
    }

    @Test func commitmentsDifferByKeySaltAndContext() throws {
        let engine = try Cobblestone()
        let salts = [UInt8(1), 2].map { [UInt8](repeating: $0, count: 24) }
        var commitments: Set<[UInt8]> = []
        for key in try [1, 2].map({ try SymmetricKey(repeating: $0) }) {
            for salt in salts {
                for context in [[], [1]] as [[UInt8]] {
                    commitments.insert(Array(try seal([1], engine, key, context, salt)[24..<56]))
                }
            }
        }
        #expect(commitments.count == 8)
    }

    private func seal(
        _ content: [UInt8], _ engine: Cobblestone, _ key: SymmetricKey, _ context: [UInt8], _ salt: [UInt8]
    ) throws -> [UInt8] {
        try unsafe content.withUnsafeBytes { try unsafe engine.seal($0, key: key, context: context, salt: salt) }
    }
}
