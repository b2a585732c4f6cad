// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignCrypto
internal import SecretMemory
internal import VaultCrypto

/// `AeadRunner` tests AES-256-GCM and XAES-256-GCM; ChaCha20-Poly1305 of age files.
enum AeadRunner {
    static func aead(_ test: VectorTest) throws -> Verdict {
        guard let algorithm = AeadBox.Algorithm(name: test.file.algorithm) else {
            return .skipped("none of AES-256-GCM, XAES-256-GCM and ChaCha20-Poly1305")
        }
        let (key, nonce, tag) = (try test.bytes("key"), try test.bytes("iv"), try test.bytes("tag"))
        let (data, message, ciphertext) = (try test.bytes("aad"), try test.bytes("msg"), try test.bytes("ct"))
        let group = try test.groupSize("tagSize")
        // Where there is nothing to open with, Wycheproof gives no tag.
        let isWithoutTag = try tag.isEmpty && test.text("result") == "invalid"
        let sizes = [key.count * 8, nonce.count * 8, isWithoutTag ? group : tag.count * 8]
        guard try sizes == [test.groupSize("keySize"), test.groupSize("ivSize"), group] else {
            throw VectorFault("sizes differ from the group's")
        }
        // Other sizes are right elsewhere, as in Wycheproof's files, but not here; where they must be refused they are
        // run.
        guard try sizes == [256, algorithm.nonceByteCount * 8, 128] || test.text("result") != "valid" else {
            return .skipped("sizes that we refuse by design: key \(sizes[0]), nonce \(sizes[1]), tag \(sizes[2]) bits")
        }
        let box = AeadBox(algorithm: algorithm, key: key)
        let opened = try box.open(nonce: nonce, associatedData: data, ciphertext, tag: tag)
        let sealed = try box.seal(nonce: nonce, associatedData: data, message)
        return .comparing([
            ("msg", opened == message), ("ct", sealed.ciphertext == ciphertext), ("tag", sealed.tag == tag),
        ])
    }
}

/// `AccumulatedRunner` tests many inputs and outputs in one hash. Source: c2sp.org/XAES-256-GCM, accumulated randomized
/// tests.
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

/// `AeadBox` does AES-256-GCM, XAES-256-GCM or ChaCha20-Poly1305 on arrays, for vectors.
struct AeadBox {
    enum Algorithm {
        case aes
        case xaes
        case chaCha

        /// Tells the cipher by the name at the top of a file; nil when it is unknown.
        init?(name: String) {
            switch name {
            case "AES-GCM", "AES-256-GCM": self = .aes
            case "XAES-256-GCM": self = .xaes
            case "CHACHA20-POLY1305": self = .chaCha
            default: return nil
            }
        }

        var nonceByteCount: Int { self == .xaes ? 24 : 12 }
    }

    static let tagByteCount = 16
    let algorithm: Algorithm
    let key: [UInt8]

    /// Seals a plaintext.
    ///
    /// - Throws: `CryptoError`.
    func seal(nonce: [UInt8], associatedData: [UInt8], _ plaintext: [UInt8]) throws -> (
        ciphertext: [UInt8], tag: [UInt8]
    ) {
        if algorithm == .chaCha {
            return try ForeignAead.seal(key: key, nonce: nonce, associatedData: associatedData, plaintext)
        }
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
        var tag = [UInt8](repeating: 0, count: Self.tagByteCount)
        try unsafe Self.lend(nonce, associatedData, plaintext) { nonce, data, text in
            try unsafe ciphertext.withUnsafeMutableBytes { target in
                try unsafe tag.withUnsafeMutableBytes { tag in
                    switch algorithm {
                    case .aes:
                        try unsafe key.withUnsafeBytes { key in
                            try unsafe AESGCM().seal(
                                key: key, nonce: nonce, associatedData: data, text, into: target, tag: tag)
                        }
                    case .xaes:
                        let box = try XAES256GCM(SymmetricKey(SecretBytes(array: key)))
                        try unsafe box.seal(nonce: nonce, associatedData: data, text, into: target, tag: tag)
                    case .chaCha: preconditionFailure("ForeignAead has it")
                    }
                }
            }
        }
        return (ciphertext, tag)
    }

    /// Opens a ciphertext; where it is refused, checks that no plaintext was left.
    ///
    /// - Throws: `CryptoError`; `VectorFault` when a refusal left plaintext in the buffer (ThreatModel C02).
    func open(nonce: [UInt8], associatedData: [UInt8], _ ciphertext: [UInt8], tag: [UInt8]) throws -> [UInt8] {
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
        do {
            try open(nonce, associatedData, ciphertext, tag, into: &plaintext)
        } catch {
            guard plaintext.allSatisfy({ $0 == 0 }) else {
                throw VectorFault("refused, but plaintext was left in the buffer")
            }
            throw error
        }
        return plaintext
    }

    private func open(
        _ nonce: [UInt8], _ associatedData: [UInt8], _ ciphertext: [UInt8], _ tag: [UInt8],
        into plaintext: inout [UInt8]
    ) throws {
        guard algorithm != .chaCha else {
            return try ForeignAead.open(
                key: key, nonce: nonce, associatedData: associatedData, ciphertext, tag: tag, into: &plaintext)
        }
        try unsafe Self.lend(nonce, associatedData, ciphertext) { nonce, data, text in
            try unsafe plaintext.withUnsafeMutableBytes { target in
                try unsafe tag.withUnsafeBytes { tag in
                    switch algorithm {
                    case .aes:
                        try unsafe key.withUnsafeBytes { key in
                            try unsafe AESGCM().open(
                                key: key, nonce: nonce, associatedData: data, text, tag: tag, into: target)
                        }
                    case .xaes:
                        let box = try XAES256GCM(SymmetricKey(SecretBytes(array: key)))
                        try unsafe box.open(nonce: nonce, associatedData: data, text, tag: tag, into: target)
                    case .chaCha: preconditionFailure("ForeignAead has it")
                    }
                }
            }
        }
    }

    private static func lend(
        _ one: [UInt8], _ two: [UInt8], _ three: [UInt8],
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try unsafe one.withUnsafeBytes { one in
            try unsafe two.withUnsafeBytes { two in
                try unsafe three.withUnsafeBytes { three in try unsafe body(one, two, three) }
            }
        }
    }
}

/// `ForeignAead` does ChaCha20-Poly1305, which age files use, on arrays.
private enum ForeignAead {
    /// Seals a message.
    ///
    /// - Throws: `CryptoError`: `badSize`, which the wrapper's callers vouch for.
    static func seal(key: [UInt8], nonce: [UInt8], associatedData: [UInt8], _ message: [UInt8]) throws -> (
        ciphertext: [UInt8], tag: [UInt8]
    ) {
        var sealed = [UInt8](repeating: 0, count: message.count + ChaCha20Poly1305.tagByteCount)
        let cipher = try cipher(key, nonce, encrypting: true)
        do {
            try unsafe message.withUnsafeBytes { text in
                try unsafe sealed.withUnsafeMutableBytes { target in
                    try unsafe cipher.seal(nonce: nonce, associatedData: associatedData, text, into: target)
                }
            }
        } catch { throw CryptoError(.libraryFailure) }
        return (
            Array(sealed.dropLast(ChaCha20Poly1305.tagByteCount)), Array(sealed.suffix(ChaCha20Poly1305.tagByteCount))
        )
    }

    /// Opens a ciphertext into `plaintext`, which has its size.
    ///
    /// - Throws: `CryptoError`: `badSize`, `notAuthentic`.
    static func open(
        key: [UInt8], nonce: [UInt8], associatedData: [UInt8], _ ciphertext: [UInt8], tag: [UInt8],
        into plaintext: inout [UInt8]
    ) throws {
        guard tag.count == ChaCha20Poly1305.tagByteCount else { throw CryptoError(.badSize) }
        let cipher = try cipher(key, nonce, encrypting: false)
        let isAuthentic = unsafe (ciphertext + tag).withUnsafeBytes { sealed in
            unsafe plaintext.withUnsafeMutableBytes { target in
                unsafe cipher.open(nonce: nonce, associatedData: associatedData, sealed, into: target)
            }
        }
        guard isAuthentic else { throw CryptoError(.notAuthentic) }
    }

    private static func cipher(_ key: [UInt8], _ nonce: [UInt8], encrypting: Bool) throws -> ChaCha20Poly1305 {
        guard key.count == ChaCha20Poly1305.keyByteCount, nonce.count == ChaCha20Poly1305.nonceByteCount else {
            throw CryptoError(.badSize)
        }
        guard let cipher = try? ChaCha20Poly1305(key: SecretBytes(array: key), encrypting: encrypting) else {
            throw CryptoError(.libraryFailure)
        }
        return cipher
    }
}
