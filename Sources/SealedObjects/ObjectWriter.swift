// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// `ObjectWriter` seals files and pipes into objects, in constant memory, with two threads.
///
/// An object has one layer, or two when its note is private: then the inner layer's result is the content of the outer
/// one. **Each layer pads, then seals**, so neither tells the content's true length. Spec: docs/format.md §4.3.
public enum ObjectWriter {
    /// Reads a source to its end and writes the object.
    ///
    /// When it throws, the target's content is not a valid object: the caller removes it. Nothing is synced here.
    ///
    /// - Parameter source: a regular file, read at own offsets from its begin and never mapped; or a pipe, read until
    ///   its writers have closed it. File offset and flags of the descriptor stay as they are.
    /// - Parameter target: a new, empty regular file.
    /// - Parameter layers: the outer one first.
    /// - Parameter byteCountMax: more content than this is refused; for a file before anything is read.
    /// - Parameter patience: how long a pipe may send nothing.
    /// - Parameter progress: told how many bytes of content are done, about each MiB and while a pipe is waited for,
    ///   always on the caller's thread; false ends the work.
    /// - Throws: `ObjectError.changed` when a file is not the same before and after, `.notAFileOrPipe`, `.tooLarge`,
    ///   `.stalled`, `.cancelled`, `.noRoom`, `.io`, `.libraryFailure`.
    public static func seal(
        from source: Int32, to target: Int32, layers: [SealLayer], byteCountMax: UInt64 = .max,
        patience: Duration = .seconds(60), isOver: @escaping () -> Bool = { false },
        progress: (UInt64) -> Bool
    ) throws(ObjectError) -> SealedObject {
        precondition(layers.count == 1 || layers.count == 2, "an object has one layer, or two")
        let from = try PassedFile(source)
        let to = try PassedFile(target: target)
        guard !to.isPipe else { throw ObjectError(.notAFileOrPipe) }
        guard from.isPipe || UInt64(clamping: from.byteCount) <= byteCountMax else { throw ObjectError(.tooLarge) }
        return try withoutActuallyEscaping(progress) { progress throws(ObjectError) in
            let gate = try ProgressGate(progress)
            if layers.count == 1, !from.isPipe {
                let sealed = try FileSealer.seal(from, to, layers[0], gate)
                try from.checkUnchanged()
                return sealed
            }
            let sealed = try PipelineSealer.seal(
                ContentSource(from, byteCountMax: byteCountMax, patience, gate, isOver: isOver), to, layers, gate)
            if !from.isPipe { try from.checkUnchanged() }
            return sealed
        }
    }
}

/// `FileSealer` seals a regular file of known size in one layer, in any order of its batches. One for each thread.
private final class FileSealer: BatchWorker {
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

/// `SealedObject` holds what a record must keep of an object that was written, so that its reader knows it again before
/// it uses a chunk.
public struct SealedObject: Sendable, Equatable {
    /// True length of the content, in bytes.
    public let contentByteCount: UInt64
    /// Exact size of the file, in bytes.
    public let fileByteCount: UInt64
    /// Of the outer layer, 32 bytes.
    public let commitment: [UInt8]
    /// The commitment of the inner layer, 32 bytes; nil when there is no inner layer.
    public let innerCommitment: [UInt8]?
}
