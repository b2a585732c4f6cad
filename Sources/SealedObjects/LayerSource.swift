// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultCrypto

/// Something that can be read at any place.
protocol ByteSource {
    var byteCount: UInt64 { get }
    /// Fills all of the target.
    ///
    /// - Throws: `ObjectError.notAuthentic` when it ends before.
    func read(at offset: UInt64, into target: UnsafeMutableRawBufferPointer) throws(ObjectError)
}

/// The sealed file itself.
struct FileSource: ByteSource {
    let descriptor: Int32
    let byteCount: UInt64

    func read(at offset: UInt64, into target: UnsafeMutableRawBufferPointer) throws(ObjectError) {
        guard try unsafe Descriptors.read(descriptor, at: offset, into: target) == target.count else { throw ObjectError(.notAuthentic) }
    }
}

/// One layer taken off a source: the padded content, opened chunk by chunk where it is read. One value for one thread.
final class LayerSource: ByteSource {
    let paddedByteCount: Int
    let contentByteCount: UInt64
    private let source: any ByteSource
    private let chunks: CobblestoneChunks
    private let sealed = WipedBuffer(byteCount: ChunkBatch.sealedByteCount)
    private let edge = WipedBuffer(byteCount: Cobblestone.chunkByteCount)

    /// Readers see the padded content; the size of it is that of the whole.
    var byteCount: UInt64 { UInt64(paddedByteCount) }
    var commitment: [UInt8] { Array(chunks.prefix[Cobblestone.saltByteCount...]) }

    /// - Parameter contentByteCount: what an authentic record says; the source's size must be the one that such a content has.
    /// - Throws: `ObjectError.notAuthentic`.
    init(_ source: any ByteSource, _ layer: SealLayer, contentByteCount: UInt64) throws(ObjectError) {
        paddedByteCount = try SealLayer.paddedByteCount(contentByteCount)
        self.contentByteCount = contentByteCount
        self.source = source
        guard source.byteCount >= UInt64(Cobblestone.sealedByteCount(paddedByteCount)) else { throw ObjectError(.notAuthentic) }
        let head = WipedBuffer(byteCount: Cobblestone.prefixByteCount)
        try unsafe source.read(at: 0, into: head[0..<head.count])
        do throws(CryptoError) {
            chunks = try CobblestoneChunks(opening: unsafe Array(head[0..<head.count]), key: layer.key, context: layer.context)
        } catch { throw ObjectError(.notAuthentic) }
    }

    func read(at offset: UInt64, into target: UnsafeMutableRawBufferPointer) throws(ObjectError) {
        let (end, overflows) = offset.addingReportingOverflow(UInt64(target.count))
        guard !overflows, end <= byteCount else { throw ObjectError(.notAuthentic) }
        var at = Int(offset)
        var done = 0
        while done < target.count {
            let chunk = at / Cobblestone.chunkByteCount
            let within = at % Cobblestone.chunkByteCount
            let left = target.count - done
            if within == 0 && left >= Cobblestone.chunkByteCount {
                let count = min(left / Cobblestone.chunkByteCount, ChunkBatch.chunkCount) * Cobblestone.chunkByteCount
                try unsafe open(chunk, into: UnsafeMutableRawBufferPointer(rebasing: target[done..<done + count]))
                (at, done) = (at + count, done + count)
                continue
            }
            // A chunk of which only a part is wanted.
            let whole = ChunkBatch.chunkByteCount(chunk, paddedByteCount)
            try unsafe open(chunk, into: edge[0..<whole])
            let count = min(whole - within, left)
            unsafe target[done..<done + count].copyBytes(from: edge[within..<within + count])
            (at, done) = (at + count, done + count)
        }
    }

    /// Opens whole chunks from a number on; the last one may be short.
    func open(_ first: Int, into target: UnsafeMutableRawBufferPointer) throws(ObjectError) {
        let count = max(1, (target.count + Cobblestone.chunkByteCount - 1) / Cobblestone.chunkByteCount)
        let bytes = unsafe sealed[0..<target.count + count * Cobblestone.tagByteCount]
        try unsafe source.read(at: ChunkBatch.sealedOffset(first), into: bytes)
        var (from, to) = (0, 0)
        for number in first..<first + count {
            let size = min(Cobblestone.chunkByteCount, target.count - to)
            do throws(CryptoError) {
                try unsafe chunks.open(
                    number, UnsafeRawBufferPointer(rebasing: bytes[from..<from + size + Cobblestone.tagByteCount]),
                    into: UnsafeMutableRawBufferPointer(rebasing: target[to..<to + size]))
            } catch { throw ObjectError(.notAuthentic) }
            from += size + Cobblestone.tagByteCount
            to += size
        }
    }

    /// Whether the padding that a part of the padded content has is the only one there is.
    func hasPadding(_ part: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        let begin = max(0, min(part.count, Int(contentByteCount) - offset))
        var expected: UInt8 = 0
        for index in begin..<part.count {
            let fromEnd = paddedByteCount - (offset + index)
            expected = fromEnd > 8 ? 0 : UInt8(truncatingIfNeeded: contentByteCount >> UInt64((fromEnd - 1) * 8))
            guard unsafe part[index] == expected else { return false }
        }
        return true
    }
}
