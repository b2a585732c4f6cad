// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// Seals one layer of content whose length is not known before its end.
@safe final class StreamSealer {
    private let chunks: CobblestoneChunks
    private let sink: (UnsafeRawBufferPointer) throws(ObjectError) -> Void
    private let plain = WorkBuffer(BatchRun.byteCount)
    private let sealed = WorkBuffer(BatchRun.sealedByteCount)
    private var filled = 0
    private var nextChunk = 0
    private var content = 0

    /// - Parameter sink: takes the sealed bytes, in their order; it throws to end the work.
    init(_ layer: SealLayer, sink: @escaping (UnsafeRawBufferPointer) throws(ObjectError) -> Void) throws(ObjectError) {
        chunks = try .sealing(layer)
        unsafe self.sink = sink
        try unsafe chunks.prefix.withUnsafeBufferPointer { prefix throws(ObjectError) in
            try unsafe sink(UnsafeRawBufferPointer(prefix))
        }
    }

    var commitment: [UInt8] { chunks.commitment }

    /// More content.
    func append(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        var taken = 0
        while taken < bytes.count {
            let count = min(bytes.count - taken, plain.byteCount - filled)
            unsafe plain[filled..<filled + count].copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[taken..<taken + count]))
            taken += count
            filled += count
            if filled == plain.byteCount { try flush(isEnd: false) }
        }
        content += bytes.count
    }

    /// Pads, and seals the last chunk.
    func finish() throws(ObjectError) -> LayerSize {
        guard let size = LayerSize(content: content) else { throw ObjectError(.tooLarge) }
        var at = content
        while at < size.padded {
            let count = min(size.padded - at, plain.byteCount - filled)
            unsafe size.pad(plain[filled..<filled + count], at: at)
            at += count
            filled += count
            if filled == plain.byteCount { try flush(isEnd: false) }
        }
        try flush(isEnd: true)
        return size
    }

    private func flush(isEnd: Bool) throws(ObjectError) {
        let count = try unsafe chunks.sealRun(
            from: nextChunk, plain.reading(0..<filled), isEnd: isEnd, into: sealed[0..<sealed.byteCount])
        nextChunk += filled / Cobblestone.chunkByteCount
        filled = 0
        try unsafe sink(sealed.reading(0..<count))
    }
}
