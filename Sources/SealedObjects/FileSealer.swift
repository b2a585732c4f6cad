// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// Seals a regular file of known size in one layer, in any order of its batches. One for each thread.
final class FileSealer: BatchWorker {
    private let source: Int32
    private let target: Int32
    private let size: LayerSize
    private let chunks: CobblestoneChunks
    private let plain = WorkBuffer(BatchRun.byteCount)
    private let sealed = WorkBuffer(BatchRun.sealedByteCount)

    private init(_ source: Int32, _ target: Int32, _ size: LayerSize, _ chunks: CobblestoneChunks) {
        self.source = source
        self.target = target
        self.size = size
        self.chunks = chunks
    }

    /// Seals the whole file with two threads.
    static func seal(_ source: PassedFile, _ target: PassedFile, _ layer: SealLayer, _ gate: ProgressGate)
        throws(ObjectError) -> SealedObject
    {
        guard let size = LayerSize(content: source.byteCount) else { throw ObjectError(.tooLarge) }
        let chunks = try CobblestoneChunks.sealing(layer)
        try unsafe chunks.prefix.withUnsafeBufferPointer { prefix throws(ObjectError) in
            try unsafe FileBytes.write(target.descriptor, UnsafeRawBufferPointer(prefix), at: 0)
        }
        let batchCount = (size.chunkCount + BatchRun.chunkCount - 1) / BatchRun.chunkCount
        try BatchRun.perform(batchCount, threadCount: 2, gate) { () throws(ObjectError) in
            FileSealer(source.descriptor, target.descriptor, size, try chunks.shared())
        }
        return SealedObject(
            contentByteCount: UInt64(size.content), fileByteCount: UInt64(size.sealed), commitment: chunks.commitment,
            innerCommitment: nil)
    }

    func perform(_ batch: Int) throws(ObjectError) -> Int {
        let first = batch * BatchRun.chunkCount
        let end = min(first + BatchRun.chunkCount, size.chunkCount)
        let bytes = size.bytes(ofChunk: first).lowerBound..<size.bytes(ofChunk: end - 1).upperBound
        let content = bytes.clamped(to: 0..<size.content)
        // A batch is read once and so sealed once: no chunk gets a second content under one nonce, even when the file
        // changes.
        let got = try unsafe FileBytes.read(source, plain[0..<content.count], at: bytes.lowerBound)
        guard got == content.count else { throw ObjectError(.changed) }
        unsafe size.pad(plain[0..<bytes.count], at: bytes.lowerBound)
        let count = try unsafe chunks.sealRun(
            from: first, plain.reading(0..<bytes.count), isEnd: end == size.chunkCount,
            into: sealed[0..<sealed.byteCount])
        try unsafe FileBytes.write(target, sealed.reading(0..<count), at: LayerSize.sealedOffset(first))
        return content.count
    }
}
