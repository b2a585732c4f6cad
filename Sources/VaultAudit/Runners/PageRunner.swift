// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// `PageRunner` tests pages of the index and frames of its log. They are put together here from the specification, so
/// that a mistake in the database's own code does not hide behind itself. Spec: docs/format.md §11, §12.
enum PageRunner {
    private static let pageByteCount = 4096
    private static let nonceByteCount = XAES256GCM.nonceByteCount
    private static let tagByteCount = XAES256GCM.tagByteCount

    static func page(_ test: VectorTest) throws -> Verdict {
        guard !test.has("base") else {
            _ = try open(SealedEdit.apply(test.list("edit"), to: seal(test.base()).sealed), test)
            return .accepted
        }
        let (plain, sealed) = try seal(test)
        return try .comparing([
            ("sealedSha256", Digest.sha256(sealed) == test.bytes("sealedSha256")),
            ("content", open(sealed, test) == plain),
        ])
    }

    /// Seals a page or a frame. A page is ciphertext, nonce, tag: SQLite reserves the end of each page. A frame is
    /// nonce, ciphertext, tag.
    private static func seal(_ test: VectorTest) throws -> (plain: [UInt8], sealed: [UInt8]) {
        let (size, seed, nonce) = (try test.integer("size"), try test.integer("seed"), try test.bytes("nonce"))
        guard (0...1 << 16).contains(size), (0...255).contains(seed) else {
            throw VectorFault("size or seed is out of range")
        }
        let plain = (0..<size).map { UInt8(truncatingIfNeeded: 7 * $0 + seed) }
        let (box, data) = try place(test)
        let made = try box.seal(nonce: nonce, associatedData: data, plain)
        return (plain, isFrame(test) ? nonce + made.ciphertext + made.tag : made.ciphertext + nonce + made.tag)
    }

    private static func open(_ sealed: [UInt8], _ test: VectorTest) throws -> [UInt8] {
        guard try sealed.count == byteCount(test) else { throw Refusal("open") }
        let tagAt = sealed.count - tagByteCount
        let nonceAt = isFrame(test) ? 0 : tagAt - nonceByteCount
        let textAt = isFrame(test) ? nonceByteCount : 0
        let text = Array(sealed[textAt..<textAt + sealed.count - nonceByteCount - tagByteCount])
        let (box, data) = try place(test)
        do {
            return try box.open(
                nonce: Array(sealed[nonceAt..<nonceAt + nonceByteCount]), associatedData: data, text,
                tag: Array(sealed[tagAt...]))
        } catch let error as CryptoError where error.code == .notAuthentic {
            throw Refusal("open")
        }
    }

    private static func place(_ test: VectorTest) throws -> (AeadBox, [UInt8]) {
        let key = try VaultPlace.subkey(test, isFrame(test) ? .indexLog : .indexPage).duplicateSecret().array
        var data = ByteWriter()
        data.raw(try VaultPlace.context(test, isFrame(test) ? .indexLog : .indexPage))
        if isFrame(test) {
            let frame: UInt64 = try test.number("frame")
            data.raw(try test.bytes("logSalt"))
            data.u64(frame)
            data.raw(frame == 0 ? [UInt8](repeating: 0, count: 8) : try test.bytes("sqliteSalts"))
        } else {
            data.u32(try test.number("pageNumber"))
        }
        return (AeadBox(algorithm: .xaes, key: key), data.bytes)
    }

    private static func isFrame(_ test: VectorTest) -> Bool { test.type == "LogFrameTest" }

    /// Returns how many sealed bytes a test has: of a header of the log, 32 bytes of SQLite's and 40 of the seal.
    /// Frame: its header of 24 and a page's usable 4,056.
    private static func byteCount(_ test: VectorTest) throws -> Int {
        guard isFrame(test) else { return pageByteCount }
        return try test.integer("frame") == 0 ? 32 + 40 : 24 + pageByteCount
    }
}
