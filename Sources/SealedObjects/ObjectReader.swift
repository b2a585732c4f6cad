// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultCrypto

/// Opens an object's file: all of it, or only the chunks that a range touches. Nothing of a chunk that is not authentic is ever given out.
///
/// One value for one thread. Spec: docs/format.md §19.
public final class ObjectReader {
    public let contentByteCount: UInt64
    private let file: Int32
    private let fileByteCount: UInt64
    private let layers: [SealLayer]
    private let commitment: [UInt8]
    private let top: LayerSource

    /// - Parameters:
    ///   - file: the object, open for reading; it stays the caller's.
    ///   - layers: as it was written: one, or two with the outer one first.
    ///   - fileByteCount: exact size, by an authentic record.
    ///   - commitment: of the outer layer, 32 bytes, by the same record.
    ///   - contentByteCount: true size, by the same record.
    /// - Throws: `ObjectError.notAuthentic` when the file is not that one.
    public init(
        file: Int32, layers: [SealLayer], fileByteCount: UInt64, commitment: [UInt8], contentByteCount: UInt64
    ) throws(ObjectError) {
        guard let outer = layers.first, layers.count <= 2 else { throw ObjectError(.libraryFailure) }
        guard case .file(let found) = try Descriptors.kind(file), found == fileByteCount else { throw ObjectError(.notAuthentic) }
        self.file = file
        self.fileByteCount = fileByteCount
        self.layers = layers
        self.commitment = commitment
        self.contentByteCount = contentByteCount
        let inside = layers.count == 2 ? try SealLayer.sealedByteCount(contentByteCount) : contentByteCount
        guard fileByteCount == (try SealLayer.sealedByteCount(inside)) else { throw ObjectError(.notAuthentic) }
        let bottom = try LayerSource(FileSource(descriptor: file, byteCount: fileByteCount), outer, contentByteCount: inside)
        guard SafeCompare.equal(bottom.commitment, commitment) else { throw ObjectError(.notAuthentic) }
        top = layers.count == 2 ? try LayerSource(bottom, layers[1], contentByteCount: contentByteCount) : bottom
    }

    /// The outer layer alone, where there is no key for the inner one: enough to check the file. What it reads is still sealed.
    ///
    /// - Throws: `ObjectError.notAuthentic`.
    public init(outerLayerOf file: Int32, _ layer: SealLayer, fileByteCount: UInt64, commitment: [UInt8]) throws(ObjectError) {
        guard case .file(let found) = try Descriptors.kind(file), found == fileByteCount, found <= UInt64(Int.max),
            let padded = Cobblestone.contentByteCount(Int(found)), padded >= Padme.floorByteCount
        else { throw ObjectError(.notAuthentic) }
        let source = FileSource(descriptor: file, byteCount: found)
        // Of all contents with this padded size the largest: only to read the true size at the end.
        let guess = try LayerSource(source, layer, contentByteCount: UInt64(padded - 8))
        let size = WipedBuffer(byteCount: 8)
        try unsafe guess.read(at: UInt64(padded - 8), into: size[0..<8])
        let content = unsafe size[0..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard content <= UInt64(padded - 8), try SealLayer.paddedByteCount(content) == padded, SafeCompare.equal(guess.commitment, commitment) else {
            throw ObjectError(.notAuthentic)
        }
        self.file = file
        self.fileByteCount = fileByteCount
        self.layers = [layer]
        self.commitment = commitment
        contentByteCount = content
        top = try LayerSource(source, layer, contentByteCount: content)
    }

    /// Writes a range of the content to a regular file, from offset 0 on by two threads, or to a pipe.
    ///
    /// When it fails in the middle, what was written is authentic but not whole: the caller throws the temporary target away.
    ///
    /// - Parameter progress: told now and then how many bytes are done; false ends it with `.cancelled`.
    /// - Throws: `ObjectError`.
    public func copy(_ range: Range<UInt64>, to target: Int32, progress: @Sendable (UInt64) -> Bool) throws(ObjectError) {
        guard range.upperBound <= contentByteCount else { throw ObjectError(.notAuthentic) }
        switch try Descriptors.kind(target) {
        case .pipe: try copyToPipe(range, target, progress)
        case .file: try copyToFile(range, target, progress)
        }
        if range == 0..<contentByteCount { try checkPadding() }
    }

    /// A small range of the content.
    ///
    /// - Throws: `ObjectError.notAuthentic`, also for bytes that are not there.
    public func read(_ range: Range<UInt64>, into target: UnsafeMutableRawBufferPointer) throws(ObjectError) {
        guard range.upperBound <= contentByteCount, range.count == target.count else { throw ObjectError(.notAuthentic) }
        try unsafe top.read(at: range.lowerBound, into: target)
    }

    /// Opens about a megabyte, padding included, and gives nothing out.
    ///
    /// - Parameter offset: 0, then what the call before returned.
    /// - Returns: where to go on; nil at the end.
    /// - Throws: `ObjectError.notAuthentic`.
    public func check(from offset: Int) throws(ObjectError) -> Int? {
        let batch = offset / ChunkBatch.contentByteCount
        let buffer = WipedBuffer(byteCount: ChunkBatch.contentByteCount)
        for number in batch..<min(batch + 2, ChunkBatch.count(top.paddedByteCount)) { try openBatch(number, buffer) }
        let next = batch + 2
        return next < ChunkBatch.count(top.paddedByteCount) ? next * ChunkBatch.contentByteCount : nil
    }

    private func openBatch(_ batch: Int, _ buffer: WipedBuffer) throws(ObjectError) {
        let range = ChunkBatch.contentRange(batch, top.paddedByteCount)
        // The last chunk is opened also when it is empty: it says that this is the end.
        try unsafe top.open(ChunkBatch.chunks(batch, top.paddedByteCount).lowerBound, into: buffer[0..<range.count])
        guard unsafe top.hasPadding(UnsafeRawBufferPointer(buffer[0..<range.count]), at: range.lowerBound) else { throw ObjectError(.notAuthentic) }
    }

    private func copyToPipe(_ range: Range<UInt64>, _ target: Int32, _ progress: @Sendable (UInt64) -> Bool) throws(ObjectError) {
        let buffer = WipedBuffer(byteCount: ChunkBatch.contentByteCount)
        var at = range.lowerBound
        while at < range.upperBound {
            // Up to a batch's end, so that whole chunks are opened once.
            let room = UInt64(buffer.count) - at % UInt64(Cobblestone.chunkByteCount)
            let count = Int(min(range.upperBound - at, room))
            try unsafe top.read(at: at, into: buffer[0..<count])
            let done = at - range.lowerBound
            try unsafe Descriptors.writePipe(target, UnsafeRawBufferPointer(buffer[0..<count])) { progress(done) }
            at += UInt64(count)
            guard progress(at - range.lowerBound) else { throw ObjectError(.cancelled) }
        }
    }

    private func copyToFile(_ range: Range<UInt64>, _ target: Int32, _ progress: @Sendable (UInt64) -> Bool) throws(ObjectError) {
        guard !range.isEmpty else { return }
        let size = UInt64(ChunkBatch.contentByteCount)
        let first = range.lowerBound / size
        let count = Int((range.upperBound - 1) / size - first) + 1
        let parts = Parts(file: file, layers: layers, fileByteCount: fileByteCount, commitment: commitment, contentByteCount: contentByteCount)
        try Batches.run(count, progress) { () throws(ObjectError) in
            let own = try parts.reader()
            let buffer = WipedBuffer(byteCount: ChunkBatch.contentByteCount)
            return { batch throws(ObjectError) in
                let begin = max(range.lowerBound, (first + UInt64(batch)) * size)
                let end = min(range.upperBound, (first + UInt64(batch) + 1) * size)
                let part = unsafe buffer[0..<Int(end - begin)]
                try unsafe own.top.read(at: begin, into: part)
                try unsafe Descriptors.write(target, at: begin - range.lowerBound, UnsafeRawBufferPointer(part))
                return end - begin
            }
        }
    }

    /// What another thread needs for a reader of its own.
    private struct Parts: Sendable {
        let file: Int32
        let layers: [SealLayer]
        let fileByteCount: UInt64
        let commitment: [UInt8]
        let contentByteCount: UInt64

        func reader() throws(ObjectError) -> ObjectReader {
            try ObjectReader(
                file: file, layers: layers, fileByteCount: fileByteCount, commitment: commitment, contentByteCount: contentByteCount)
        }
    }

    /// The batches that the content does not fill: zeros, and the true size at the end.
    private func checkPadding() throws(ObjectError) {
        let buffer = WipedBuffer(byteCount: ChunkBatch.contentByteCount)
        let first = Int(contentByteCount) / ChunkBatch.contentByteCount
        for batch in first..<ChunkBatch.count(top.paddedByteCount) { try openBatch(batch, buffer) }
    }
}
