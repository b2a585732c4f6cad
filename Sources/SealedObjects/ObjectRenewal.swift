// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// `ObjectRenewal` moves an object's outer layer from one key to another: what it holds is opened and sealed again,
/// chunk by chunk, and never leaves wiped memory.
///
/// Its content, with padding and any inner layer, is carried over unchanged, so both objects have one size. The new
/// one has a salt of its own.
public enum ObjectRenewal {
    /// Copies an object to `target` with its outer layer sealed under the new key.
    ///
    /// - Parameters:
    ///   - source: a regular file; its size and commitment are compared with the record's before any chunk is opened.
    ///   - target: a new, empty regular file. When this throws, the content is not an object: the caller removes it.
    ///   - progress: as of `ObjectWriter.seal`.
    /// - Returns: the new object's commitment, 32 bytes.
    /// - Throws: `ObjectError.notAuthentic`, `.notAFileOrPipe`, `.cancelled`, `.noRoom`, `.io`, `.libraryFailure`.
    public static func copy(
        _ source: Int32, _ old: SealLayer, fileByteCount: UInt64, commitment: [UInt8], to target: Int32,
        _ new: SealLayer,
        progress: (UInt64) -> Bool
    ) throws(ObjectError) -> [UInt8] {
        let reader = try ObjectReader(outerLayerOf: source, old, fileByteCount: fileByteCount, commitment: commitment)
            .layer
        let chunks = try CobblestoneChunks.sealing(new)
        try unsafe chunks.prefix.withUnsafeBufferPointer { prefix throws(ObjectError) in
            try unsafe FileBytes.write(target, UnsafeRawBufferPointer(prefix), at: 0)
        }
        let batchCount = (reader.size.chunkCount + BatchRun.chunkCount - 1) / BatchRun.chunkCount
        try withoutActuallyEscaping(progress) { progress throws(ObjectError) in
            let gate = try ProgressGate(progress)
            try BatchRun.perform(batchCount, threadCount: 2, gate) { () throws(ObjectError) in
                ChunkRenewer(try LayerReader(sharing: reader), target, try chunks.shared())
            }
        }
        return chunks.commitment
    }
}

/// `ChunkRenewer` opens batches under one key and seals them under another. One for each thread.
private final class ChunkRenewer: BatchWorker {
    private let reader: LayerReader
    private let target: Int32
    private let chunks: CobblestoneChunks
    private let plain = WorkBuffer(BatchRun.byteCount)
    private let sealed = WorkBuffer(BatchRun.sealedByteCount)

    init(_ reader: LayerReader, _ target: Int32, _ chunks: CobblestoneChunks) {
        self.reader = reader
        self.target = target
        self.chunks = chunks
    }

    func perform(_ batch: Int) throws(ObjectError) -> Int {
        let size = reader.size
        let first = batch * BatchRun.chunkCount
        let end = min(first + BatchRun.chunkCount, size.chunkCount)
        let bytes = size.bytes(ofChunk: first).lowerBound..<size.bytes(ofChunk: end - 1).upperBound
        try unsafe reader.read(bytes, into: plain[0..<bytes.count])
        let count = try unsafe chunks.sealRun(
            from: first, plain.reading(0..<bytes.count), isEnd: end == size.chunkCount,
            into: sealed[0..<sealed.byteCount])
        try unsafe FileBytes.write(target, sealed.reading(0..<count), at: LayerSize.sealedOffset(first))
        return bytes.count
    }
}

extension ObjectReader {
    /// Opens all of the object with two threads, padding of each layer included, and gives nothing out.
    ///
    /// - Throws: `ObjectError.notAuthentic`, `.cancelled`, `.io`.
    public func readWhole(progress: (UInt64) -> Bool) throws(ObjectError) {
        let plan = CopyPlan(0..<layer.size.content, innermost: layer.size, outer: layer.outer?.size)
        try withoutActuallyEscaping(progress) { progress throws(ObjectError) in
            let gate = try ProgressGate(progress)
            try BatchRun.perform(plan.pieceCount, threadCount: 2, gate) { () throws(ObjectError) in
                ObjectCopier(try LayerReader(sharing: layer), plan, to: .nowhere)
            }
        }
    }
}
