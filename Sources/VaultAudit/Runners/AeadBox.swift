// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto

/// AES-256-GCM, XAES-256-GCM or ChaCha20-Poly1305 on arrays, for vectors.
struct AeadBox {
    enum Algorithm {
        case aes
        case xaes
        case chaCha

        /// By the name at the top of a file; nil when it is unknown.
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
