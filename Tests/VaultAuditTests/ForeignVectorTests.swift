// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultAudit

/// Files that are shaped as Wycheproof's own are: no `prk`, the hash in the algorithm's name, sizes that we do not take.
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
        #expect(run(algorithm, #""type": "MacTest", "tagSize": 256"#, mac).skipped.map(\.reason) == ["neither SHA-256 nor SHA-512"])
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
}
