// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// `StreamOpening` opens a sealed stream in its order, from a file or a pipe whose size nobody knows, in constant
/// memory.
///
/// Its output is authentic chunk by chunk, but **complete only when `finish` has returned**: until then its user keeps
/// the results where they can be thrown away. Spec: docs/format.md §4.1, §4.3 and §21.
public final class StreamOpening {
    private let source: ContentSource
    private let gate: ProgressGate
    private let sealed = WorkBuffer(BatchRun.sealedByteCount)
    private let plain = WorkBuffer(BatchRun.byteCount)
    private var chunks: CobblestoneChunks?
    private var nextChunk = 0
    /// Bytes read of the source, clear ones too.
    private var sourceByteCount = 0
    /// What of `plain` was not given yet.
    private var left = 0..<0
    private var hasEnded = false
    /// Content that was given.
    public private(set) var byteCount: UInt64 = 0

    /// Prepares to open a sealed stream.
    ///
    /// - Parameters:
    ///   - source: a regular file, read from its begin, or a pipe.
    ///   - patience: how long a pipe may send nothing.
    ///   - progress: told how many bytes of the source are read; false ends the work.
    public init(_ source: Int32, patience: Duration = .seconds(60), progress: @escaping (UInt64) -> Bool)
        throws(ObjectError)
    {
        gate = try ProgressGate(progress)
        self.source = ContentSource(try PassedFile(source), byteCountMax: .max, patience, gate)
    }

    /// Returns bytes before the sealed ones, as they are.
    ///
    /// - Parameter count: at most 64 KiB.
    /// - Returns: nil when the source ends before.
    public func clear(_ count: Int) throws(ObjectError) -> [UInt8]? {
        precondition(chunks == nil && count <= 64 << 10, "clear bytes stand before the sealed ones")
        guard try fill(count) == count else { return nil }
        return unsafe Array(sealed.reading(0..<count))
    }

    /// Begins with the sealed part.
    ///
    /// - Throws: `ObjectError.notAuthentic` for another key or place, before any chunk is opened.
    public func begin(_ layer: SealLayer) throws(ObjectError) {
        guard try fill(Cobblestone.prefixByteCount) == Cobblestone.prefixByteCount else {
            throw ObjectError(.notAuthentic)
        }
        let prefix = unsafe Array(sealed.reading(0..<Cobblestone.prefixByteCount))
        do throws(CryptoError) {
            chunks = try CobblestoneChunks(opening: prefix, key: layer.key, context: layer.context)
        } catch { throw ObjectError(error) }
    }

    /// Gives the next bytes of content, in pieces.
    ///
    /// - Throws: `ObjectError.notAuthentic` when there are fewer, or a chunk does not open; what `sink` throws.
    public func pass(_ count: UInt64, to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
        var wanted = count
        while wanted > 0 {
            if left.isEmpty { try openMore() }
            let piece = left.lowerBound..<left.lowerBound + Int(min(UInt64(left.count), wanted))
            try unsafe sink(plain.reading(piece))
            left = piece.upperBound..<left.upperBound
            wanted -= UInt64(piece.count)
            byteCount += UInt64(piece.count)
        }
    }

    /// Returns the next bytes of content as an array. Memory is taken as they come.
    public func bytes(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(count, 64 << 10))
        try unsafe pass(UInt64(max(count, 0))) { piece in unsafe bytes.append(contentsOf: piece) }
        return bytes
    }

    /// Ends the content here: what follows must be the padding of exactly this length, and then the source's end.
    ///
    /// - Throws: `ObjectError.notAuthentic`.
    public func finish() throws(ObjectError) {
        guard let content = Int(exactly: byteCount), let size = LayerSize(content: content) else {
            throw ObjectError(.notAuthentic)
        }
        var at = content
        while at < size.padded {
            if left.isEmpty { try openMore() }
            let piece = left.lowerBound..<min(left.upperBound, left.lowerBound + size.padded - at)
            guard unsafe size.isPadded(plain.reading(piece), at: at) else { throw ObjectError(.notAuthentic) }
            at += piece.count
            left = piece.upperBound..<left.upperBound
        }
        // A last chunk that is empty still has its tag.
        while left.isEmpty, !hasEnded { try openRun() }
        guard left.isEmpty else { throw ObjectError(.notAuthentic) }
    }

    private func openMore() throws(ObjectError) {
        while left.isEmpty {
            guard !hasEnded else { throw ObjectError(.notAuthentic) }
            try openRun()
        }
    }

    /// Opens the chunks of one run. Only at the source's end is one shorter than the others, and that one must be
    /// there.
    private func openRun() throws(ObjectError) {
        guard let chunks else { preconditionFailure("a stream is begun before it is read") }
        let whole = Cobblestone.chunkByteCount + Cobblestone.tagByteCount
        let count = try fill(BatchRun.sealedByteCount)
        hasEnded = count < BatchRun.sealedByteCount
        guard !hasEnded || count % whole >= Cobblestone.tagByteCount else { throw ObjectError(.notAuthentic) }
        var at = 0
        var opened = 0
        while at < count {
            let end = min(at + whole, count)
            let target = opened..<opened + end - at - Cobblestone.tagByteCount
            do throws(CryptoError) {
                try unsafe chunks.open(nextChunk, sealed.reading(at..<end), into: plain[target])
            } catch { throw ObjectError(error) }
            nextChunk += 1
            (at, opened) = (end, target.upperBound)
        }
        left = 0..<opened
    }

    /// Reads until this many bytes are at the start of `sealed`, or the source has ended.
    private func fill(_ count: Int) throws(ObjectError) -> Int {
        var done = 0
        while done < count {
            let got = try unsafe source.read(sealed[done..<count], at: sourceByteCount)
            if got == 0 { break }
            done += got
            sourceByteCount += got
            try gate.pass(UInt64(sourceByteCount))
        }
        return done
    }
}
