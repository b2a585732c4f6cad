// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto

struct HeldKeyTests {
    private let nonce = [UInt8](repeating: 5, count: 12)
    private let text = Array("a text of some length".utf8)

    private func seal(_ gcm: AESGCM, _ key: HeldKey) throws -> (ciphertext: [UInt8], tag: [UInt8]) {
        var (target, tag) = ([UInt8](repeating: 0, count: text.count), [UInt8](repeating: 0, count: 16))
        try unsafe nonce.withUnsafeBytes { nonce in
            try unsafe text.withUnsafeBytes { text in
                try unsafe target.withUnsafeMutableBytes { target in
                    try unsafe tag.withUnsafeMutableBytes {
                        try unsafe gcm.seal(key, nonce: nonce, text, into: target, tag: $0)
                    }
                }
            }
        }
        return (target, tag)
    }

    private func open(_ gcm: AESGCM, _ key: HeldKey, _ sealed: (ciphertext: [UInt8], tag: [UInt8])) throws -> [UInt8] {
        var target = [UInt8](repeating: 0, count: text.count)
        try unsafe nonce.withUnsafeBytes { nonce in
            try unsafe sealed.ciphertext.withUnsafeBytes { ciphertext in
                try unsafe sealed.tag.withUnsafeBytes { tag in
                    try unsafe target.withUnsafeMutableBytes {
                        try unsafe gcm.open(key, nonce: nonce, ciphertext, tag: tag, into: $0)
                    }
                }
            }
        }
        return target
    }

    private func hold(_ gcm: AESGCM, _ byte: UInt8, encrypting: Bool) throws -> HeldKey {
        try unsafe [UInt8](repeating: byte, count: 32).withUnsafeBytes {
            try unsafe gcm.hold($0, encrypting: encrypting)
        }
    }

    @Test func aHeldKeyDoesWhatTheKeyInEachCallDoes() throws {
        let gcm = try AESGCM()
        let key = try hold(gcm, 0x42, encrypting: true)
        var one = OneShot(algorithm: .aes)
        one.key = [UInt8](repeating: 0x42, count: 32)
        let sealed = try seal(gcm, key)
        #expect(try seal(gcm, key) == sealed, "the same after the first use")
        #expect(one.open(sealed.ciphertext, tag: sealed.tag, nonce: nonce).buffer == text)
        let opening = try hold(gcm, 0x42, encrypting: false)
        #expect(try open(gcm, opening, sealed) == text)
        #expect(throws: CryptoError(.notAuthentic)) {
            try open(gcm, opening, (sealed.ciphertext, [UInt8](repeating: 0, count: 16)))
        }
        #expect(try open(gcm, opening, sealed) == text, "a refusal does not lose the key")
    }

    @Test func aKeyThatIsNotHeldAnyMoreIsRefused() throws {
        let gcm = try AESGCM()
        let first = try hold(gcm, 1, encrypting: true)
        let second = try hold(gcm, 2, encrypting: true)
        #expect(throws: CryptoError(.badSize)) { _ = try seal(gcm, first) }
        #expect(throws: Never.self) { _ = try seal(gcm, second) }
        let opening = try hold(gcm, 2, encrypting: false)
        #expect(throws: CryptoError(.badSize)) { _ = try seal(gcm, second) }
        #expect(throws: CryptoError(.badSize)) { _ = try seal(gcm, opening) }
        #expect(gcm.holds(opening) && !gcm.holds(second))
    }

    @Test func aKeyOfAnotherSizeIsNotHeld() throws {
        let gcm = try AESGCM()
        for count in [0, 16, 31, 33] {
            #expect(throws: CryptoError(.badSize)) {
                _ = try unsafe [UInt8](repeating: 1, count: count).withUnsafeBytes {
                    try unsafe gcm.hold($0, encrypting: true)
                }
            }
        }
    }
}
