// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension ObjectReader {
    /// Opens the outer layer alone, where there is no key for the inner one: enough to check the file. Its content is
    /// still sealed.
    ///
    /// The true length stands in the padding, which the record's commitment and exact size vouch for.
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
    /// - Parameter place: 0, then what the call before returned.
    /// - Returns: where to go on; nil when all of it has been opened.
    /// - Throws: `ObjectError.notAuthentic`, `.io`.
    public func check(from place: Int) throws(ObjectError) -> Int? {
        let plan = CopyPlan(0..<layer.size.content, innermost: layer.size, outer: layer.outer?.size)
        let copier = ObjectCopier(layer, plan, to: .nowhere)
        let end = min(place + (1 << 20) / BatchRun.byteCount, plan.pieceCount)
        for number in place..<max(end, place) { _ = try copier.perform(number) }
        return end < plan.pieceCount ? end : nil
    }
}
