// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `PairingRunner` tests pairing codes as people type them. Spec: docs/format.md §25.11.
enum PairingRunner {
    static func code(_ test: VectorTest) throws -> Verdict {
        let typed = Array(try test.text("letters").utf8)
        let code: PairingCode
        do throws(PairingText.Slip) { code = try PairingText.parse(typed) } catch {
            switch error {
            case .group(let number, _): throw Refusal("group", error: String(number))
            case .newerFormat: throw Refusal("newer")
            case .empty, .incomplete: throw Refusal("whole")
            }
        }
        return try .comparing([
            ("vault", code.vault == test.bytes("vault")),
            ("headerCounter", code.headerCounter == test.number("headerCounter")),
            ("headerDigest", code.headerDigestBegin == test.bytes("headerDigest")),
            ("epoch", code.point.epoch == test.number("epoch")),
            ("device", code.point.device.bytes == test.bytes("device")),
            ("number", code.point.number == test.number("number")),
            ("digest", code.point.digestBegin == test.bytes("digest")),
            ("kind", code.kind.rawValue == test.number("kind")),
            ("place", code.place == test.bytes("place")), ("region", code.region == test.text("region")),
            ("bucket", code.bucket == test.text("bucket")), ("prefix", code.prefix == test.text("prefix")),
            ("the code", PairingCode(parsing: code.encoded) == code),
            ("the letters", PairingText.groups(of: code).joined() == test.text("canonical")),
        ])
    }
}
