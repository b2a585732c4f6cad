// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `PinRunner` tests what an account remembers of a vault. Spec: docs/format.md §8.
enum PinRunner {
    private static let firstByteCount = 72

    static func pin(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("pin")
        let pin = try Pin(parsing: bytes)
        guard test.has("vaultID") else { return .accepted }
        // One of the first format is written as one of the second that knows no entry.
        let isFirst = bytes.count == firstByteCount
        let written =
            isFirst ? Pin.magic + bytes[4...] + [UInt8](repeating: 0, count: pin.encoded.count - bytes.count) : bytes
        return try .comparing([
            ("vaultID", pin.vaultID.bytes == test.bytes("vaultID")), ("epoch", pin.epoch == test.number("epoch")),
            ("counter", pin.counter == test.number("counter")), ("digest", pin.digest == test.bytes("digest")),
            ("generation", pin.generation == test.number("generation")),
            ("sequence", pin.sequence == test.number("sequence")), ("chain", pin.chain == test.bytes("chain")),
            ("pin, written again", pin.encoded == written),
        ])
    }
}
