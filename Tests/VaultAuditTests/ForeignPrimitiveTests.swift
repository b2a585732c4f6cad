// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultAudit

/// The primitives of age files in Wycheproof's schemas. A refused size is told from a refused tag: a wrapper that
/// refuses sizes alone looks at no tag.
struct ForeignPrimitiveTests {
    private func run(_ name: String, _ change: (String) -> String = { $0 }) throws -> FileResult {
        FileRun.result(of: Array(change(try VectorFolder.text(name)).utf8), path: name)
    }

    private let chaCha = "chacha20_poly1305_rfc8439.json"
    private let exchange = "x25519_rfc7748.json"

    @Test func aRefusedSizeIsCountedApartFromARefusedTag() throws {
        let result = try run(chaCha)
        #expect(result.isSuccess && result.passed == 36 && result.skipped.isEmpty, "\(result)")
        #expect(result.refused == ["size": 14, "tag": 14])
        let text = VectorReport.make(
            paths: ["\(VectorFolder.path)/\(chaCha)", "\(VectorFolder.path)/\(exchange)"], quick: true
        ).text
        #expect(text.contains("  refused 14 for a size: "))
        #expect(text.contains("  refused 14 for a tag or commitment that does not match"))
        #expect(text.contains("  refused 14 for a shared secret of zeros: "))
    }

    @Test func theSameOfAES() throws {
        let nist = try run("aes_256_gcm_nist.json")
        #expect(nist.isSuccess && nist.refused.keys.sorted() == ["tag"], "\(nist.refused)")
        let edits = try run("aes_256_gcm_edits.json")
        #expect(
            edits.isSuccess && (edits.refused["size"] ?? 0) > 0 && (edits.refused["tag"] ?? 0) > 0, "\(edits.refused)")
    }

    @Test func aPointOfLowOrderIsRefusedAsAgeDemands() throws {
        let result = try run(exchange)
        #expect(result.isSuccess && result.passed == 33 && result.skipped.isEmpty, "\(result)")
        #expect(result.refused == ["zeroSharedSecret": 14, "size": 6])
    }

    /// Wycheproof calls points of low order, on the twist and out of range "acceptable": what is computed with each is
    /// said by the shared secret.
    @Test func whatIsLeftToTheProtocolIsHeldToWhatAgeDemands() throws {
        let acceptable: (String) -> String = {
            $0.replacing("\"result\": \"valid\"", with: "\"result\": \"acceptable\"")
        }
        let computed = try run(exchange, acceptable)
        #expect(computed.isSuccess && computed.passed == 33, "\(computed)")
        let zero = String(repeating: "00", count: 32)
        func shared(_ secret: String, _ result: String) -> String {
            "\"shared\": \"\(secret)\",\n     \"result\": \"\(result)\""
        }
        let refused = try run(exchange) { $0.replacing(shared(zero, "invalid"), with: shared(zero, "acceptable")) }
        #expect(refused.isSuccess && refused.refused["zeroSharedSecret"] == 14, "\(refused)")
        // Where a shared secret is demanded, another one is a failure, and so is one that is demanded of a point of low
        // order.
        #expect(try run(exchange) { acceptable($0).replacing("c3da55379de9", with: "c3da55379dea") }.failed.count == 1)
        #expect(
            try run(exchange) {
                $0.replacing("\"shared\": \"\(zero)\"", with: "\"shared\": \"01\(zero.dropFirst(2))\"")
            }.isSuccess)
        let wanted = try run(exchange) {
            $0.replacing(shared(zero, "invalid"), with: shared("01\(zero.dropFirst(2))", "acceptable"))
        }
        #expect(wanted.failed.count == 14)
    }

    @Test(arguments: [
        ("d31a8d34", "d31a8d35"), ("1ae10b59", "1ae10b58"), ("\"aad\": \"50515253", "\"aad\": \"51515253"),
        ("\"iv\": \"07000000", "\"iv\": \"08000000"), ("\"msg\": \"4c616469", "\"msg\": \"4d616469"),
        ("\"key\": \"8081", "\"key\": \"8082"),
    ])
    func anAlteredFieldOfChaCha20Poly1305Fails(from: String, to: String) throws {
        let result = try run(chaCha) { $0.replacing(from, with: to, maxReplacements: 1) }
        #expect(result.failed.map(\.tcId) == [1] && !result.isSuccess, "\(result)")
    }

    @Test func anotherCurveIsSkipped() throws {
        let result = try run(exchange) { $0.replacing("curve25519", with: "curve448") }
        #expect(!result.isSuccess && Set(result.skipped.map(\.reason)) == ["another curve than X25519 has"])
    }
}
