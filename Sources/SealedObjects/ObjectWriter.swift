// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import Synchronization
internal import VaultCrypto

/// Seals a file or a pipe into a new file. Memory does not grow with it, and its size is never believed before it was read.
///
/// Spec: docs/format.md §19; DESIGN.md section 6.
public enum ObjectWriter {
    /// - Parameters:
    ///   - source: a regular file, read at own offsets by two threads, or a pipe, read to its end.
    ///   - target: a new regular file, written at own offsets. After an error it is of no use and its owner removes it.
    ///   - layers: one, or two with the outer one first.
    ///   - progress: told now and then how many bytes are done; false ends it with `.cancelled`.
    /// - Throws: `ObjectError`: `.changed` for a file that changed while it was read, `.tooLarge` above `byteCountMax`.
    public static func seal(
        from source: Int32, to target: Int32, layers: [SealLayer], byteCountMax: UInt64, progress: @Sendable (UInt64) -> Bool
    ) throws(ObjectError) -> SealedObject {
        guard let outer = layers.first, layers.count <= 2 else { throw ObjectError(.libraryFailure) }
        guard case .file(let byteCount) = try Descriptors.kind(source) else {
            return try stream(source, isPipe: true, to: target, layers, byteCountMax, progress)
        }
        guard byteCount <= byteCountMax else { throw ObjectError(.tooLarge) }
        let before = try Descriptors.stamp(source)
        let sealed =
            layers.count == 1
            ? try parallel(PaddedSource(source, contentByteCount: byteCount), to: target, outer, progress)
            : try stream(source, isPipe: false, to: target, layers, byteCount, progress)
        guard try Descriptors.stamp(source) == before, sealed.contentByteCount == byteCount else { throw ObjectError(.changed) }
        return sealed
    }

    // MARK: A regular file, one layer

    private static func parallel(
        _ source: PaddedSource, to target: Int32, _ layer: SealLayer, _ progress: @Sendable (UInt64) -> Bool
    ) throws(ObjectError) -> SealedObject {
        let chunks: CobblestoneChunks
        do throws(CryptoError) { chunks = try CobblestoneChunks(sealing: layer.key, context: layer.context) } catch {
            throw ObjectError(.libraryFailure)
        }
        let prefix = chunks.prefix
        try unsafe prefix.withUnsafeBufferPointer { raw throws(ObjectError) in
            try unsafe Descriptors.write(target, at: 0, UnsafeRawBufferPointer(raw))
        }
        try Batches.run(ChunkBatch.count(source.byteCount), progress) { () throws(ObjectError) in
            let own: CobblestoneChunks
            do throws(CryptoError) { own = try CobblestoneChunks(opening: prefix, key: layer.key, context: layer.context) } catch {
                throw ObjectError(.libraryFailure)
            }
            let plain = WipedBuffer(byteCount: ChunkBatch.contentByteCount)
            let sealed = WipedBuffer(byteCount: ChunkBatch.sealedByteCount)
            return { batch throws(ObjectError) in try Self.seal(batch, source, own, plain, sealed, to: target) }
        }
        return SealedObject(
            contentByteCount: source.contentByteCount, fileByteCount: UInt64(Cobblestone.sealedByteCount(source.byteCount)),
            commitment: Array(prefix[Cobblestone.saltByteCount...]))
    }

    private static func seal(
        _ batch: Int, _ source: PaddedSource, _ chunks: CobblestoneChunks, _ plain: WipedBuffer, _ sealed: WipedBuffer, to target: Int32
    ) throws(ObjectError) -> UInt64 {
        let range = ChunkBatch.contentRange(batch, source.byteCount)
        try unsafe source.read(at: range.lowerBound, into: plain[0..<range.count])
        var (from, to) = (0, 0)
        let numbers = ChunkBatch.chunks(batch, source.byteCount)
        for number in numbers {
            let count = ChunkBatch.chunkByteCount(number, source.byteCount)
            do throws(CryptoError) {
                try unsafe chunks.seal(
                    number, UnsafeRawBufferPointer(plain[from..<from + count]), into: sealed[to..<to + count + Cobblestone.tagByteCount])
            } catch { throw ObjectError(.libraryFailure) }
            from += count
            to += count + Cobblestone.tagByteCount
        }
        try unsafe Descriptors.write(target, at: ChunkBatch.sealedOffset(numbers.lowerBound), UnsafeRawBufferPointer(sealed[0..<to]))
        return UInt64(range.count)
    }

    // MARK: A pipe, or two layers

    private static func stream(
        _ source: Int32, isPipe: Bool, to target: Int32, _ layers: [SealLayer], _ byteCountMax: UInt64, _ progress: @Sendable (UInt64) -> Bool
    ) throws(ObjectError) -> SealedObject {
        let file = FileSink(target)
        let outer = try SealStream(layers[0], to: file)
        let inner = layers.count == 2 ? try SealStream(layers[1], to: outer) : nil
        let buffer = WipedBuffer(byteCount: ChunkBatch.contentByteCount)
        var done: UInt64 = 0
        while true {
            let got =
                isPipe
                ? try unsafe Descriptors.readPipe(source, into: buffer[0..<buffer.count], goesOn: { progress(done) })
                : try unsafe Descriptors.read(source, at: done, into: buffer[0..<buffer.count])
            done += UInt64(got)
            guard done <= byteCountMax else { throw ObjectError(isPipe ? .tooLarge : .changed) }
            try unsafe (inner ?? outer).write(UnsafeRawBufferPointer(buffer[0..<got]))
            guard progress(done) else { throw ObjectError(.cancelled) }
            if got < buffer.count { break }
        }
        try inner?.finish()
        try outer.finish()
        return SealedObject(contentByteCount: done, fileByteCount: file.byteCount, commitment: outer.commitment)
    }
}
