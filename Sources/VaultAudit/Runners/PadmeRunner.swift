// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// Padmé sizes.
enum PadmeRunner {
    static func padme(_ test: VectorTest) throws -> Verdict {
        guard let padded = Padme.paddedByteCount(try test.integer("size")) else { throw CryptoError(.badSize) }
        guard test.has("paddedSize") else { return .accepted }
        return try .comparing([("paddedSize", padded == test.integer("paddedSize"))])
    }
}
