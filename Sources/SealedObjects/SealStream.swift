// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// Where bytes go, one after another.
protocol ByteSink: AnyObject {
    func write(_ bytes: UnsafeRawBufferPointer) throws(ObjectError)
}

/// The object's file.
final class FileSink: ByteSink {
    private let descriptor: Int32
    private(set) var byteCount: UInt64 = 0

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        try unsafe Descriptors.write(descriptor, at: byteCount, bytes)
        byteCount += UInt64(bytes.count)
    }
}

/// One layer for bytes that come one after another, of a number not known before: sealed as they come, padded at the end.
final class SealStream: ByteSink {
    private let chunks: CobblestoneChunks
    private let output: any ByteSink
    private let pending = WipedBuffer(byteCount: Cobblestone.chunkByteCount)
    private let sealed = WipedBuffer(byteCount: Cobblestone.chunkByteCount + Cobblestone.tagByteCount)
    private var pendingByteCount = 0
    private var chunk = 0
    private(set) var contentByteCount: UInt64 = 0
    var commitment: [UInt8] { Array(chunks.prefix[Cobblestone.saltByteCount...]) }

    init(_ layer: SealLayer, to output: any ByteSink) throws(ObjectError) {
        do throws(CryptoError) { chunks = try CobblestoneChunks(sealing: layer.key, context: layer.context) } catch {
            throw ObjectError(.libraryFailure)
        }
        self.output = output
        let prefix = chunks.prefix
        try unsafe prefix.withUnsafeBufferPointer { raw throws(ObjectError) in try unsafe output.write(UnsafeRawBufferPointer(raw)) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        contentByteCount += UInt64(bytes.count)
        try unsafe append(bytes)
    }

    /// Adds the padding and the last chunk.
    func finish() throws(ObjectError) {
        let padded = try SealLayer.paddedByteCount(contentByteCount)
        var offset = Int(contentByteCount)
        let filling = WipedBuffer(byteCount: Cobblestone.chunkByteCount)
        while offset < padded {
            let part = unsafe filling[0..<min(filling.count, padded - offset)]
            unsafe PaddedSource.fill(part, from: offset, contentByteCount, padded)
            try unsafe append(UnsafeRawBufferPointer(part))
            offset += part.count
        }
        try sealPending()
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        var taken = 0
        while taken < bytes.count {
            let count = min(bytes.count - taken, pending.count - pendingByteCount)
            unsafe pending[pendingByteCount..<pendingByteCount + count].copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[taken..<taken + count]))
            pendingByteCount += count
            taken += count
            if pendingByteCount == pending.count { try sealPending() }
        }
    }

    private func sealPending() throws(ObjectError) {
        let target = unsafe sealed[0..<pendingByteCount + Cobblestone.tagByteCount]
        do throws(CryptoError) {
            try unsafe chunks.seal(chunk, UnsafeRawBufferPointer(pending[0..<pendingByteCount]), into: target)
        } catch { throw ObjectError(.libraryFailure) }
        chunk += 1
        pendingByteCount = 0
        try unsafe output.write(UnsafeRawBufferPointer(target))
    }
}
