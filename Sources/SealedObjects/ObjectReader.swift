// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
public import SecretMemory
internal import VaultCrypto

/// `ObjectReader` opens an object, whole or in part: only the chunks that a range touches are read and opened.
///
/// Before any chunk is used, the file is compared with its authentic record: exact size, commitment, true length.
/// So a part can be trusted without looking at the object's end. One reader for one thread; the file stays open as long
/// as it is used. Its file offset is not used.
public final class ObjectReader {
    /// Most that `read` gives at once, in bytes.
    public static let readByteCountMax: UInt64 = 16 << 20

    /// True length of the content, in bytes.
    public let contentByteCount: UInt64
    let layer: LayerReader

    init(_ layer: LayerReader) {
        self.layer = layer
        contentByteCount = UInt64(layer.size.content)
    }

    /// Opens an object, after its size and commitment were compared with those of the record.
    ///
    /// - Parameter layers: the outer one first.
    /// - Parameter fileByteCount: exact size of the file. This and the next two parameters come from the record.
    /// - Parameter commitment: of the outer layer, 32 bytes.
    /// - Throws: `ObjectError.notAuthentic` unless the file is the one that the record names; `.notAFileOrPipe`, `.io`.
    public convenience init(
        file: Int32, layers: [SealLayer], fileByteCount: UInt64, commitment: [UInt8], contentByteCount: UInt64
    ) throws(ObjectError) {
        precondition(layers.count == 1 || layers.count == 2, "an object has one layer, or two")
        let passed = try PassedFile(file)
        guard !passed.isPipe else { throw ObjectError(.notAFileOrPipe) }
        // One size of the file for each length of content and number of layers: another one is another object.
        guard let sizes = LayerSize.layers(content: contentByteCount, count: layers.count),
            let fileSize = Int(exactly: fileByteCount),
            fileSize == passed.byteCount, fileSize == sizes[0].sealed
        else { throw ObjectError(.notAuthentic) }
        var reader = try LayerReader(.file(file), sizes[0], layers[0], commitment: commitment)
        for index in 1..<layers.count {
            reader = try LayerReader(.layer(reader), sizes[index], layers[index], commitment: nil)
        }
        self.init(reader)
    }

    /// Writes a part of the content, or all of it, to a file or a pipe. All of it is read to the object's very end, and
    /// the padding is checked.
    ///
    /// No byte of a chunk that is not authentic is written. But chunks before it may have been: **when it throws, the
    /// caller throws away what was written**, which is why a file is opened into a temporary one that gets its name
    /// afterwards.
    ///
    /// - Parameter range: bytes of the content. `0..<contentByteCount` is a whole copy.
    /// - Parameter target: a new, empty regular file, which gets the range's first byte at its begin, written at own
    ///   offsets by two threads; or a pipe. The process must ignore SIGPIPE. File offset and flags of the descriptor
    ///   stay as they are.
    /// - Parameter patience: how long a pipe may take nothing.
    /// - Parameter progress: as of `ObjectWriter.seal`.
    /// - Throws: `ObjectError.notAuthentic`, `.tooLarge` for a range beyond the content, `.notAFileOrPipe`, `.closed`,
    ///   `.stalled`, `.cancelled`, `.noRoom`, `.io`, `.libraryFailure`.
    public func copy(
        _ range: Range<UInt64>, to target: Int32, patience: Duration = .seconds(60), progress: (UInt64) -> Bool
    ) throws(ObjectError) {
        let to = try PassedFile(target: target)
        let plan = CopyPlan(try checked(range), innermost: layer.size, outer: layer.outer?.size)
        try withoutActuallyEscaping(progress) { progress throws(ObjectError) in
            let gate = try ProgressGate(progress)
            let output: ObjectCopier.Target =
                to.isPipe ? .pipe(PipeBytes(descriptor: target, patience: patience, gate: gate)) : .file(target)
            try BatchRun.perform(plan.pieceCount, threadCount: to.isPipe ? 1 : 2, gate) { () throws(ObjectError) in
                ObjectCopier(try LayerReader(sharing: layer), plan, to: output)
            }
        }
    }

    /// Opens a small part of the content into locked memory.
    ///
    /// - Parameter range: bytes of the content, at most 16 MiB of them.
    /// - Throws: `ObjectError.notAuthentic`, `.tooLarge` for more than that or beyond the content, `.io`.
    public func read(_ range: Range<UInt64>) throws(ObjectError) -> SecretBytes {
        // Not `count`, which traps on a range that is longer than an Int.
        guard range.upperBound - range.lowerBound <= Self.readByteCountMax else { throw ObjectError(.tooLarge) }
        let bytes = try checked(range)
        return try unsafe SecretBytes(byteCount: bytes.count) { target throws(ObjectError) in
            try unsafe layer.read(bytes, into: target)
        }
    }

    /// Opens a part of the content into the caller's memory, which has the range's size; it is wiped when this throws.
    ///
    /// - Throws: `ObjectError.notAuthentic`, `.tooLarge` beyond the content, `.io`.
    public func read(_ range: Range<UInt64>, into target: UnsafeMutableRawBufferPointer) throws(ObjectError) {
        let bytes = try checked(range)
        precondition(bytes.count == target.count, "a range is read into memory of its size")
        do throws(ObjectError) {
            try unsafe layer.read(bytes, into: target)
        } catch {
            if let base = target.baseAddress { unsafe vs_wipe(base, target.count) }
            throw error
        }
    }

    private func checked(_ range: Range<UInt64>) throws(ObjectError) -> Range<Int> {
        // The content fits an Int, so what does not go beyond it does as well.
        guard range.upperBound <= contentByteCount else { throw ObjectError(.tooLarge) }
        return Int(range.lowerBound)..<Int(range.upperBound)
    }
}

extension ObjectReader {
    /// Opens the outer layer alone, where there is no key for the inner one: enough to check the file. Its content is
    /// still sealed.
    ///
    /// The padding contains the true length; the record's commitment and exact size vouch for it.
    ///
    /// - Throws: `ObjectError.notAuthentic` unless the file is the one that the record names; `.notAFileOrPipe`, `.io`.
    public convenience init(outerLayerOf file: Int32, _ layer: SealLayer, fileByteCount: UInt64, commitment: [UInt8])
        throws(ObjectError)
    {
        let passed = try PassedFile(file)
        guard !passed.isPipe else { throw ObjectError(.notAFileOrPipe) }
        guard let fileSize = Int(exactly: fileByteCount), fileSize == passed.byteCount,
            let largest = LayerSize(largestIn: fileSize)
        else {
            throw ObjectError(.notAuthentic)
        }
        let reader = try LayerReader(.file(file), largest, layer, commitment: commitment)
        let length = WorkBuffer(8)
        try unsafe reader.read(largest.padded - 8..<largest.padded, into: length[0..<8])
        let content = unsafe length.reading(0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let size = Int(exactly: content).flatMap({ LayerSize(content: $0) }), size.padded == largest.padded else {
            throw ObjectError(.notAuthentic)
        }
        self.init(try LayerReader(.file(file), size, layer, commitment: commitment))
    }

    /// Opens what follows the content, to the last chunk: after all of the content was read in parts, all of the object
    /// was.
    ///
    /// - Throws: `ObjectError.notAuthentic`, `.io`.
    public func checkEnd() throws(ObjectError) {
        let piece = WorkBuffer(BatchRun.byteCount)
        var at = layer.size.content
        while at < layer.size.padded {
            let end = min(at + piece.byteCount, layer.size.padded)
            try unsafe layer.read(at..<end, into: piece[0..<end - at])
            guard unsafe layer.size.isPadded(piece.reading(0..<end - at), at: at) else {
                throw ObjectError(.notAuthentic)
            }
            at = end
        }
    }

    /// Opens about a mebibyte of the object, padding of each layer included, and gives nothing out: a check in steps.
    ///
    /// - Parameter place: 0, then the result of the previous call.
    /// - Returns: the place to continue from; nil when all of it has been opened.
    /// - Throws: `ObjectError.notAuthentic`, `.io`.
    public func check(from place: Int) throws(ObjectError) -> Int? {
        let plan = CopyPlan(0..<layer.size.content, innermost: layer.size, outer: layer.outer?.size)
        let copier = ObjectCopier(layer, plan, to: .nowhere)
        let end = min(place + (1 << 20) / BatchRun.byteCount, plan.pieceCount)
        for number in place..<max(end, place) { _ = try copier.perform(number) }
        return end < plan.pieceCount ? end : nil
    }
}
