// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// `LayerReader` opens any part of one layer of an object. One for each thread.
final class LayerReader {
    /// `Source` tells where the sealed bytes of a layer lie.
    enum Source {
        case file(Int32)
        /// They are the content of the layer around it.
        case layer(LayerReader)

        func read(_ range: Range<Int>, into target: UnsafeMutableRawBufferPointer) throws(ObjectError) {
            switch self {
            case .file(let descriptor):
                // The size was compared before: a file that ends early was cut since then.
                guard try unsafe FileBytes.read(descriptor, target, at: range.lowerBound) == range.count else {
                    throw ObjectError(.notAuthentic)
                }
            case .layer(let outer): try unsafe outer.read(range, into: target)
            }
        }
    }

    let size: LayerSize
    private let source: Source
    private let chunks: CobblestoneChunks
    private let sealed = WorkBuffer(BatchRun.sealedByteCount)
    private let edge = WorkBuffer(Cobblestone.chunkByteCount)

    /// Reads the layer's prefix, compares its commitment, and prepares to open its chunks.
    ///
    /// - Parameter commitment: what the record says of this layer; nil for an inner one, which the outer one vouches
    ///   for.
    /// - Throws: `ObjectError.notAuthentic` before any chunk of this layer is opened.
    init(_ source: Source, _ size: LayerSize, _ layer: SealLayer, commitment: [UInt8]?) throws(ObjectError) {
        var prefix = [UInt8](repeating: 0, count: Cobblestone.prefixByteCount)
        try unsafe prefix.withUnsafeMutableBufferPointer { target throws(ObjectError) in
            try unsafe source.read(0..<target.count, into: UnsafeMutableRawBufferPointer(target))
        }
        if let commitment, !SafeCompare.equal(Array(prefix[Cobblestone.saltByteCount...]), commitment) {
            throw ObjectError(.notAuthentic)
        }
        do throws(CryptoError) {
            chunks = try CobblestoneChunks(opening: prefix, key: layer.key, context: layer.context)
        } catch { throw ObjectError(error) }
        self.source = source
        self.size = size
    }

    /// Makes the same for another thread.
    init(sharing other: LayerReader) throws(ObjectError) {
        switch other.source {
        case .file: source = other.source
        case .layer(let outer): source = .layer(try LayerReader(sharing: outer))
        }
        size = other.size
        chunks = try other.chunks.shared()
    }

    /// The reader of the layer around this one.
    var outer: LayerReader? {
        if case .layer(let outer) = source { outer } else { nil }
    }

    /// Opens the chunks that a range of the padded content touches, and no others; the last chunk, which may be empty,
    /// belongs to the end.
    ///
    /// - Throws: `ObjectError.notAuthentic`, `.io`; then nothing of `target` may be used.
    func read(_ range: Range<Int>, into target: UnsafeMutableRawBufferPointer) throws(ObjectError) {
        let byteCount = Cobblestone.chunkByteCount
        var first = range.lowerBound / byteCount
        let end = range.upperBound == size.padded ? size.chunkCount : (range.upperBound + byteCount - 1) / byteCount
        while first < end {
            let stop = min(first + BatchRun.chunkCount, end)
            let begin = LayerSize.sealedOffset(first)
            let sealedEnd = stop == size.chunkCount ? size.sealed : LayerSize.sealedOffset(stop)
            try unsafe source.read(begin..<sealedEnd, into: sealed[0..<sealedEnd - begin])
            for chunk in first..<stop {
                let at = LayerSize.sealedOffset(chunk) - begin
                let count = size.bytes(ofChunk: chunk).count + Cobblestone.tagByteCount
                try unsafe open(chunk, sealed.reading(at..<at + count), range, into: target)
            }
            first = stop
        }
    }

    private func open(
        _ chunk: Int, _ sealed: UnsafeRawBufferPointer, _ range: Range<Int>, into target: UnsafeMutableRawBufferPointer
    ) throws(ObjectError) {
        let bytes = size.bytes(ofChunk: chunk)
        let wanted = bytes.clamped(to: range)
        let part = unsafe UnsafeMutableRawBufferPointer(
            rebasing: target[wanted.lowerBound - range.lowerBound..<wanted.upperBound - range.lowerBound])
        do throws(CryptoError) {
            if wanted == bytes { return try unsafe chunks.open(chunk, sealed, into: part) }
            try unsafe chunks.open(chunk, sealed, into: edge[0..<bytes.count])
        } catch { throw ObjectError(error) }
        unsafe part.copyMemory(
            from: edge.reading(wanted.lowerBound - bytes.lowerBound..<wanted.upperBound - bytes.lowerBound))
    }
}
