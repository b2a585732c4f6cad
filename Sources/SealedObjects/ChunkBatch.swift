// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// Where chunks lie in a padded content and in its sealed form.
enum ChunkBatch {
    /// Chunks that are read, sealed and written at once: 512 KiB.
    static let chunkCount = 32
    static let contentByteCount = chunkCount * Cobblestone.chunkByteCount
    static let sealedByteCount = chunkCount * (Cobblestone.chunkByteCount + Cobblestone.tagByteCount)

    /// Batches of a padded content; the last chunk is always there, if only to say that it is the end.
    static func count(_ paddedByteCount: Int) -> Int { paddedByteCount / Cobblestone.chunkByteCount / chunkCount + 1 }

    /// Bytes of the padded content that a batch has.
    static func contentRange(_ batch: Int, _ paddedByteCount: Int) -> Range<Int> {
        let begin = batch * contentByteCount
        return begin..<min(begin + contentByteCount, paddedByteCount)
    }

    /// Chunks of a batch: the last one of all may be empty.
    static func chunks(_ batch: Int, _ paddedByteCount: Int) -> Range<Int> {
        let last = paddedByteCount / Cobblestone.chunkByteCount
        let begin = batch * chunkCount
        return begin..<min(begin + chunkCount, last + 1)
    }

    static func sealedOffset(_ chunk: Int) -> UInt64 {
        UInt64(Cobblestone.prefixByteCount + chunk * (Cobblestone.chunkByteCount + Cobblestone.tagByteCount))
    }

    static func chunkByteCount(_ chunk: Int, _ paddedByteCount: Int) -> Int {
        min(Cobblestone.chunkByteCount, paddedByteCount - chunk * Cobblestone.chunkByteCount)
    }
}
