// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SecretMemory
import VaultCrypto

/// AES-256-GCM and XAES-256-GCM on arrays. What the caller's buffer holds afterwards is part of the answer.
struct OneShot: Sendable, CustomStringConvertible {
    enum Algorithm { case aes, xaes }

    let algorithm: Algorithm
    var key = [UInt8](repeating: 0x42, count: 32)

    static let all = [OneShot(algorithm: .aes), OneShot(algorithm: .xaes)]
    var description: String { algorithm == .aes ? "AES-256-GCM" : "XAES-256-GCM" }
    var nonce: [UInt8] { Array(1...(algorithm == .aes ? 12 : 24)) }

    func seal(_ text: [UInt8], tagByteCount: Int = 16) throws -> (ciphertext: [UInt8], tag: [UInt8]) {
        var target = [UInt8](repeating: 0, count: text.count)
        var tag = [UInt8](repeating: 0, count: tagByteCount)
        try unsafe nonce.withUnsafeBytes { nonce in
            try unsafe text.withUnsafeBytes { text in
                try unsafe target.withUnsafeMutableBytes { target in
                    try unsafe tag.withUnsafeMutableBytes { tag in
                        switch algorithm {
                        case .aes:
                            try unsafe key.withUnsafeBytes {
                                try unsafe AESGCM().seal(
                                    key: $0, nonce: nonce, associatedData: .init(start: nil, count: 0), text,
                                    into: target, tag: tag)
                            }
                        case .xaes:
                            try unsafe XAES256GCM(SymmetricKey(array: key)).seal(
                                nonce: nonce, associatedData: .init(start: nil, count: 0), text, into: target, tag: tag)
                        }
                    }
                }
            }
        }
        return (target, tag)
    }

    /// - Parameter nonce: the one that `seal` takes, unless given.
    func open(_ ciphertext: [UInt8], tag: [UInt8], nonce given: [UInt8]? = nil) -> (
        error: CryptoError?, buffer: [UInt8]
    ) {
        var target = [UInt8](repeating: 0, count: ciphertext.count)
        do {
            try unsafe (given ?? nonce).withUnsafeBytes { nonce in
                try unsafe ciphertext.withUnsafeBytes { text in
                    try unsafe target.withUnsafeMutableBytes { target in
                        try unsafe tag.withUnsafeBytes { tag in try unsafe open(nonce, text, tag, target) }
                    }
                }
            }
        } catch {
            return (error as? CryptoError ?? CryptoError(.selfTestFailed), target)
        }
        return (nil, target)
    }

    private func open(
        _ nonce: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, _ tag: UnsafeRawBufferPointer,
        _ target: UnsafeMutableRawBufferPointer
    ) throws {
        switch algorithm {
        case .aes:
            try unsafe key.withUnsafeBytes {
                try unsafe AESGCM().open(
                    key: $0, nonce: nonce, associatedData: .init(start: nil, count: 0), text, tag: tag, into: target)
            }
        case .xaes:
            try unsafe XAES256GCM(SymmetricKey(array: key)).open(
                nonce: nonce, associatedData: .init(start: nil, count: 0), text, tag: tag, into: target)
        }
    }
}
