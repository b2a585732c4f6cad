// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto
import VaultTesting

struct SafeCompareTests {
    @Test func equalBytesAreEqualAndOneBitMakesTheDifference() {
        let bytes = (0..<64).map { UInt8($0) }
        #expect(SafeCompare.equal(bytes, bytes))
        for index in 0..<bytes.count * 8 {
            var other = bytes
            other[index / 8] ^= 1 << UInt8(index % 8)
            #expect(!SafeCompare.equal(bytes, other))
        }
    }

    @Test func otherSizesAreNotEqual() {
        #expect(SafeCompare.equal([], []))
        #expect(!SafeCompare.equal([], [0]))
        #expect(!SafeCompare.equal([1, 2, 3], [1, 2]))
        #expect(!SafeCompare.equal([1, 2], [1, 2, 0]))
    }

    @Test func C06oneFileAloneCallsTheConstantTimeComparison() throws {
        let sources = try Repository.sources("VaultCrypto")
        #expect(sources.filter { $0.value.contains("CRYPTO_memcmp(") }.map(\.key) == ["SafeCompare.swift"])
        #expect(sources.filter { $0.value.contains("memcmp(") }.map(\.key) == ["SafeCompare.swift"])
    }

    /// These decide whether a tag, a commitment, a password's hash or a header's MAC fits.
    @Test func C06comparisonsGoThroughSafeCompare() throws {
        let crypto = try Repository.sources("VaultCrypto")
        for (name, function) in [
            ("HMAC.swift", "func isValid("),
            (
                "CobblestoneChunks.swift",
                "convenience init(opening prefix: [UInt8], key: SymmetricKey, context: [UInt8], gcm"
            ),
            ("PasswordHash.swift", "func insecureVerify("),
        ] {
            let source = try #require(crypto[name])
            let begin = try #require(source.firstRange(of: function)).upperBound
            let body = source[begin...].prefix(1500)
            let end = body.firstRange(of: "\n    }\n")?.lowerBound ?? body.endIndex
            #expect(body[..<end].contains("SafeCompare.equal("), "\(name): \(function)")
        }
        for (name, text) in try Repository.sources("VaultCore") where name.hasSuffix("/Header.swift") {
            #expect(text.contains("SafeCompare.equal("), "\(name)")
        }
    }

    /// `==` on a name that says tag, MAC, commitment, checksum or hash would stop at the first byte that differs.
    @Test func C06noTagIsComparedWithEqualitySigns() throws {
        let value = #/\b(?:tag|mac|expectedMAC|commitment|checksum|hash)\b/#
        let compared = #/(?:[\w.]+\s*(?:==|!=)\s*[\w.]+)/#
        for module in ["VaultCrypto", "VaultCore", "SealedSQLite"] {
            for (name, text) in try Repository.sources(module) {
                for line in text.split(separator: "\n") {
                    for match in line.matches(of: compared) where match.output.contains(value) {
                        #expect(Self.allowed.contains(String(match.output)), "\(module)/\(name): \(line)")
                    }
                }
            }
        }
    }

    /// Which of two hashes is meant, and a size.
    private static let allowed: Set<String> = ["hash == .sha256", "target.count == hash.byteCount"]
}
