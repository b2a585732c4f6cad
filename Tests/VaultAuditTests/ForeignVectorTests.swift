// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultAudit

/// Files that are shaped as Wycheproof's own are: no `prk`, the hash in the algorithm's name, sizes that we do not
/// take.
struct ForeignVectorTests {
    private func run(_ algorithm: String, _ group: String, _ test: String) -> FileResult {
        FileRun.result(
            of: Array(
                """
                {"algorithm": "\(algorithm)", "numberOfTests": 1, "notes": {}, "header": ["x"],
                 "testGroups": [{\(group), "tests": [{"tcId": 1, "comment": "", "flags": [], \(test)}]}]}
                """.utf8), path: "")
    }

    private let mac =
        #""key": "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "msg": "4869205468657265", "#
        + #""tag": "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7", "result": "valid""#

    @Test func theHashMayStandInTheAlgorithm() {
        #expect(run("HMACSHA256", #""type": "MacTest", "keySize": 160, "tagSize": 256"#, mac).isSuccess)
        #expect(!run("HMACSHA512", #""type": "MacTest", "keySize": 160, "tagSize": 256"#, mac).isSuccess)
    }

    @Test(arguments: ["HMACSHA1", "HMACSHA3-512/256", "HMACSHA512/256", ""])
    func aForeignHashIsSkipped(algorithm: String) {
        #expect(
            run(algorithm, #""type": "MacTest", "tagSize": 256"#, mac).skipped.map(\.reason) == [
                "neither SHA-256 nor SHA-512"
            ])
    }

    @Test func anHKDFTestNeedsNoPRK() {
        let test =
            #""ikm": "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "salt": "000102030405060708090a0b0c", "#
            + #""info": "f0f1f2f3f4f5f6f7f8f9", "size": 16, "okm": "3cb25f25faacd57a90434f64d0362f2a", "result": "valid""#
        #expect(run("HKDF-SHA-256", #""type": "HkdfTest", "keySize": 176"#, test).isSuccess)
    }

    @Test func aKeyOf16BytesIsSkippedWithTheReason() {
        let test =
            #""key": "00000000000000000000000000000000", "iv": "000000000000000000000000", "aad": "", "msg": "", "ct": "", "#
            + #""tag": "58e2fccefa7e3061367f1d57a4e7455a", "result": "valid""#
        let result = run("AES-GCM", #""type": "AeadTest", "ivSize": 96, "keySize": 128, "tagSize": 128"#, test)
        #expect(result.skipped.first?.reason.contains("key 128") == true)
        #expect(!result.isSuccess)
    }

    /// Tests 317 to 325 of Wycheproof's chacha20_poly1305_test.json: a nonce of a wrong size, and nothing to open.
    @Test(arguments: [0, 8, 11, 13, 16, 32])
    func aNonceOfAWrongSizeIsRefusedAlsoWithoutATag(byteCount: Int) {
        let key = String(repeating: "80", count: 32)
        let test =
            #""key": "\#(key)", "iv": "\#(String(repeating: "01", count: byteCount))", "aad": "", "msg": "", "ct": "", "tag": "", "#
        let group = #""type": "AeadTest", "ivSize": \#(byteCount * 8), "keySize": 256, "tagSize": 128"#
        let refused = run("CHACHA20-POLY1305", group, test + #""result": "invalid""#)
        #expect(refused.isSuccess && refused.refused == ["size": 1], "\(refused)")
        #expect(!run("CHACHA20-POLY1305", group, test + #""result": "valid""#).isSuccess)
    }

    private let chunkedGroup = #""type": "ChunkedEncryption", "aead": "AEAD_AES_256_GCM", "sha": "SHA-512""#

    /// Test 2 of Wycheproof's c2sp_chunked_encryption_aes_256_gcm_test.json.
    private func chunked(_ change: (String) -> String = { $0 }, result: String = "valid") -> String {
        change(
            #""key": "59454c4c4f57205355424d4152494e452059454c4c4f57205355424d4152494e", "ctx": "", "ct": "78da004f00b0ffa1a1b56f6db5"#
                + "8cd1ede0c5c9db62aef20d3f96a6c594bb9252bb38122de91236502b42a1d7fcab820ffa292940d2f86add212cfa42c38df19d3cc9139ee61a5990d3"
                + #"db57433514229beea49a8a72bd010000ffffdb4f2a44", "msgLength": 7, "msgSha512": "e85f32a85f1d4f7c9b2d36d20eca8435d812"#
                + "53e7075e9dea069eb1b6da48daf92ef1797367b520d8a46c4f72cecb85b1daff8887fcb41721d39943d1952fc180\"")
            + ", \"result\": \"\(result)\""
    }

    @Test func aCompressedChunkedCiphertextOpens() {
        #expect(run("Cobblestone-256", chunkedGroup, chunked()).failed == [])
        #expect(run("Cobblestone-256", chunkedGroup, chunked()).isSuccess)
    }

    @Test(arguments: [
        ("\"msgLength\": 7", "\"msgLength\": 8"), ("\"e85f", "\"e95f"), ("\"5945", "\"5845"),
        ("\"ctx\": \"\"", "\"ctx\": \"00\""),
    ])
    func anAlteredChunkedTestFails(from: String, to: String) {
        let result = run("Cobblestone-256", chunkedGroup, chunked { $0.replacing(from, with: to) })
        #expect(result.failed.count == 1 && !result.isSuccess)
    }

    @Test func anotherKeyOrContextIsRefused() {
        for (from, to) in [("\"5945", "\"5845"), ("\"5945", "\""), ("\"ctx\": \"\"", "\"ctx\": \"00\"")] {
            #expect(
                run("Cobblestone-256", chunkedGroup, chunked({ $0.replacing(from, with: to) }, result: "invalid"))
                    .isSuccess)
        }
    }

    @Test func whatIsNoZlibStreamFails() {
        for (from, to) in [
            ("78da", "78db"), ("ffffdb4f", "ffffdb4e"), ("ffffdb4f2a44", "ffffdb4f2a"),
            ("ffffdb4f2a44", "ffffdb4f2a4400"),
        ] {
            let result = run(
                "Cobblestone-256", chunkedGroup, chunked({ $0.replacing(from, with: to) }, result: "invalid"))
            #expect(result.failed.map(\.reason) == ["ct is not a zlib stream, or is too long"], "\(to)")
        }
    }

    @Test func anotherInstantiationIsSkipped() {
        let result = run("Cobblestone-128", chunkedGroup.replacing("AES_256", with: "AES_128"), chunked())
        #expect(result.skipped.map(\.reason) == ["another AEAD or hash than Cobblestone-256 has"])
    }
}
