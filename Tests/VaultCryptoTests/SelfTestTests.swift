// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto

struct SelfTestTests {
    @Test func theSelfTestPasses() {
        #expect(throws: Never.self) { try SelfTest.run() }
    }

    @Test func shake128IsThatOfTheStandard() throws {
        // FIPS 202: SHAKE-128 of the empty string.
        let expected: [UInt8] = [
            0x7F, 0x9C, 0x2B, 0xA4, 0xE8, 0x8F, 0x82, 0x7D, 0x61, 0x60, 0x45, 0x50, 0x76, 0x05, 0x85, 0x3E,
        ]
        #expect(try Shake128.stream(byteCount: 16) == expected)
        #expect(try Array(Shake128.stream(byteCount: 1000).prefix(16)) == expected)
        let (pieces, whole) = (try Shake128(), try Shake128())
        for piece in [[1, 2], [], [3]] as [[UInt8]] { try pieces.absorb(piece) }
        try whole.absorb([1, 2, 3])
        #expect(try pieces.finish(byteCount: 32) == whole.finish(byteCount: 32))
    }

    @Test func theLibraryIsTheOneThatSecurityUpdatesReach() {
        #expect(CryptoLibraries.openSSL.hasPrefix("OpenSSL 3."))
        #expect(CryptoLibraries.argon2Algorithm == "0x13")
    }
}
