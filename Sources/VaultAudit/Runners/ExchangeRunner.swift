// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignCrypto
internal import SecretMemory

/// X25519, which age files use, in Wycheproof's own schema, `xdh_comp_schema_v1.json`.
enum ExchangeRunner {
    static func exchange(_ test: VectorTest) throws -> Verdict {
        guard test.group["curve"]?.text == "curve25519" else { return .skipped("another curve than X25519 has") }
        let (mine, point, shared) = (try test.bytes("private"), try test.bytes("public"), try test.bytes("shared"))
        guard mine.count == X25519.byteCount, point.count == X25519.byteCount else {
            return .refused(stage: nil, error: nil, cause: .size)
        }
        do {
            let secret = SecretBytes(array: mine)
            guard let found = try X25519.sharedSecret(secret, with: point) else {
                return .refused(stage: nil, error: nil, cause: .zeroSharedSecret)
            }
            return .comparing([("shared", found.array == shared)])
        } catch {
            throw VectorFault("libcrypto cannot compute it")
        }
    }
}

extension VectorTest {
    /// The result that our use of the primitive demands.
    ///
    /// Wycheproof leaves points on the twist, points that are not canonical and points of low order to the protocol
    /// ("acceptable"). RFC 7748 computes with the first two, so their shared secret must come out; age forbids a shared
    /// secret of zeros, which depends on no secret.
    var demanded: String {
        get throws {
            let result = try text("result")
            guard result == "acceptable", type == "XdhComp" else { return result }
            return try bytes("shared").allSatisfy { $0 == 0 } ? "invalid" : "valid"
        }
    }
}
