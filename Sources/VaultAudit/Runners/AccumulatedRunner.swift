// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// Many inputs and outputs in one hash. Source: c2sp.org/XAES-256-GCM, accumulated randomized tests.
enum AccumulatedRunner {
    /// Above this the stream would need too much memory.
    private static let iterationsMax = 2_000_000

    static func accumulated(_ test: VectorTest) throws -> Verdict {
        guard AeadBox.Algorithm(name: test.file.algorithm) == .xaes else { return .skipped("not XAES-256-GCM") }
        let iterations = try test.integer("iterations")
        guard (1...iterationsMax).contains(iterations) else { return .skipped("more than \(iterationsMax) iterations") }
        var input = try Stream(byteCount: iterations * 320)
        let outputs = try Shake128()
        for _ in 0..<iterations {
            let (key, nonce) = (try input.take(32), try input.take(24))
            let plaintext = try input.take(Int(input.take(1)[0]))
            let data = try input.take(Int(input.take(1)[0]))
            let box = AeadBox(algorithm: .xaes, key: key)
            let sealed = try box.seal(nonce: nonce, associatedData: data, plaintext)
            guard try box.open(nonce: nonce, associatedData: data, sealed.ciphertext, tag: sealed.tag) == plaintext
            else {
                return .differs("what was sealed does not open")
            }
            try outputs.absorb(sealed.ciphertext)
            try outputs.absorb(sealed.tag)
        }
        return try .comparing([("hash", outputs.finish(byteCount: 32) == test.bytes("hash"))])
    }

    /// The stream is made in one piece; on average 313 bytes go to an iteration. If they run out, a longer one is made.
    private struct Stream {
        private var bytes: [UInt8]
        private var offset = 0

        init(byteCount: Int) throws { bytes = try Shake128.stream(byteCount: byteCount) }

        mutating func take(_ count: Int) throws -> [UInt8] {
            if offset + count > bytes.count { bytes = try Shake128.stream(byteCount: bytes.count * 2 + count) }
            defer { offset += count }
            return Array(bytes[offset..<offset + count])
        }
    }
}
