// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// AES-256-GCM and XAES-256-GCM; ChaCha20-Poly1305 of age files.
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
