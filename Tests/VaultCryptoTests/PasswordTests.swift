// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SecretMemory
import Testing
import VaultCrypto
import VaultTesting

struct PasswordTests {
    /// A cost far below the floor: these tests are about bytes, not about time.
    private func quick(_ password: [UInt8]) throws -> [UInt8] {
        try Argon2id.insecureDerive(
            password: SecretBytes(array: password), salt: [UInt8](repeating: 1, count: 32),
            cost: Argon2Cost(memoryKiB: 8, iterations: 1, parallelism: 1), byteCount: 32
        ).array
    }

    /// bcrypt and C strings end at NUL, others at 72 bytes.
    @Test func B08passwordsWithNULOneByteAndMaximumLength() throws {
        let longest = [UInt8](repeating: 0x61, count: PasswordReader.byteCountMax)
        var lastDiffers = longest
        lastDiffers[longest.count - 1] = 0x62
        let passwords: [[UInt8]] = [
            [], [0], [0, 0], [0x61], [0x61, 0], [0x61, 0, 0x62], [0x61, 0, 0x63], longest, Array(longest.dropLast()),
            lastDiffers,
            [UInt8](repeating: 0x61, count: 72), [UInt8](repeating: 0x61, count: 73),
        ]
        #expect(Set(try passwords.map(quick)).count == passwords.count)
    }

    @Test func B07composedAndDecomposedLettersAreDifferentPasswords() throws {
        #expect(try quick(Array("\u{FC}".utf8)) != quick(Array("u\u{308}".utf8)))
    }

    /// Worked KEK of docs/format.md §6; the one derivation here at a true cost.
    @Test func theSpecificationsKeyIsDerived() throws {
        let key = try Argon2id.deriveKey(
            password: SecretBytes(array: Array("correct horse battery staple".utf8)), salt: Array(0xC0...0xDF),
            cost: .recommended,
            memoryByteCount: anyMemory)
        #expect(Array(key.array.prefix(8)) == [0x09, 0x19, 0xD6, 0xCF, 0x56, 0x7A, 0x59, 0xFB])
    }

    @Test func aHashVerifiesItsPasswordAndNoOther() throws {
        let hash = try PasswordHash.make(
            password: SecretBytes(array: [1, 2]), cost: .recommended, memoryByteCount: anyMemory)
        #expect(hash.salt.count == 32 && hash.hash.count == 32)
        let read = try PasswordHash(parsing: hash.encoded)
        #expect(read == hash)
        #expect(try read.verify(SecretBytes(array: [1, 2]), memoryByteCount: anyMemory))
        #expect(try !read.verify(SecretBytes(array: [1, 3]), memoryByteCount: anyMemory))
    }

    @Test func B01aHashBelowTheFloorIsNotVerified() throws {
        for test in try Repository.tests("phc_argon2id.json").joined() where test["result"] as? String == "valid" {
            let hash = try PasswordHash(parsing: #require(test["phc"] as? String))
            if hash.cost.isAcceptable(memoryByteCount: anyMemory) { continue }
            #expect(throws: CryptoError(.costOutOfRange)) {
                try hash.verify(SecretBytes(array: test.bytes("password")), memoryByteCount: anyMemory)
            }
        }
    }

    @Test(arguments: [
        "m=065536,t=3,p=4", "m=+65536,t=3,p=4", "m=0x10000,t=3,p=4", "m=65536,t=3,p=4294967300", "m=-1,t=3,p=4",
        "m=65536,p=4",
        "t=3,m=65536,p=4", "m=65536,t=3,p=4,", "m=65536,t=3,p=4 ", "m=65536,t=3,p=", "m=65536,t=0,p=4", "m=31,t=3,p=4",
        "",
    ])
    func B03parametersHaveOneSpelling(parameters: String) {
        let text = "$argon2id$v=19$\(parameters)$wMHCw8TFxsfIycrLzM3Ozw$wMHCw8TFxsfIycrLzM3Ozw"
        #expect(throws: CryptoError(.badEncoding)) { try PasswordHash(parsing: text) }
    }
}
