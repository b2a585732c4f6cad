// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedObjects
internal import VaultCrypto
internal import VaultFormat

/// Which object a test is about, and what its record says of it. Spec: docs/format.md §19.
struct ObjectPlace {
    let outer: TwoLayers.Seal
    /// Nil for a note that is not private.
    let inner: TwoLayers.Seal?
    let fileByteCount: UInt64
    let commitment: [UInt8]
    let contentByteCount: UInt64

    init(_ test: VectorTest) throws {
        let layers = try TwoLayers(test)
        let attachment = try AttachmentID(test.bytes("attachmentID")).bytes
        outer = try layers.outer(.attachment, .attachment, ObjectName(test.bytes("objectName")).bytes, role: attachment)
        inner = layers.isPrivate ? try layers.inner(.innerAttachment, .innerAttachment, attachment) : nil
        fileByteCount = try test.number("fileSize")
        commitment = try test.bytes("commitment")
        contentByteCount = try test.number("size")
    }

    private init(outer: TwoLayers.Seal, fileByteCount: UInt64, commitment: [UInt8], contentByteCount: UInt64) {
        self.outer = outer
        inner = nil
        self.fileByteCount = fileByteCount
        self.commitment = commitment
        self.contentByteCount = contentByteCount
    }

    var layers: [SealLayer] {
        [outer, inner].compactMap { seal in seal.map { SealLayer(key: $0.key, context: $0.context) } }
    }

    /// Sizes and commitment, which come before any chunk.
    func checkPrefix(_ file: [UInt8]) throws {
        guard fileByteCount == UInt64(file.count), let expected = sealedByteCount(outerContentByteCount),
            expected == fileByteCount
        else { throw Refusal("size") }
        guard file[24..<56].elementsEqual(commitment) else { throw Refusal("commitment") }
    }

    /// The whole content, step by step.
    func content(of file: [UInt8]) throws -> [UInt8] {
        try checkPrefix(file)
        let within = try TwoLayers.unpad(outer.open(file, or: "open"), or: "padding")
        guard outerContentByteCount == UInt64(within.count) else { throw Refusal("padding") }
        guard let inner else { return within }
        let content = try TwoLayers.unpad(inner.open(within, or: "innerOpen"), or: "innerPadding")
        guard contentByteCount == UInt64(content.count) else { throw Refusal("innerPadding") }
        return content
    }

    /// The chunks of the inner layer that a part of the content lies in, as a part of what the outer layer holds; nil
    /// with one layer.
    func outerAlone(_ part: Range<Int>) -> (place: ObjectPlace, range: Range<Int>)? {
        guard inner != nil, let count = outerContentByteCount else { return nil }
        let whole = Cobblestone.chunkByteCount + Cobblestone.tagByteCount
        let begin = Cobblestone.prefixByteCount + part.lowerBound / Cobblestone.chunkByteCount * whole
        let end =
            Cobblestone.prefixByteCount + (max(part.upperBound, 1) - 1) / Cobblestone.chunkByteCount * whole + whole
        let place = ObjectPlace(
            outer: outer, fileByteCount: fileByteCount, commitment: commitment, contentByteCount: count)
        return (place, begin..<min(end, Int(count)))
    }

    private var outerContentByteCount: UInt64? { inner == nil ? contentByteCount : sealedByteCount(contentByteCount) }

    /// Nil for what no file can hold.
    private func sealedByteCount(_ count: UInt64?) -> UInt64? {
        guard let count, count < UInt64(1) << 56, let padded = Padme.paddedByteCount(Int(count) + 8) else { return nil }
        return UInt64(Cobblestone.sealedByteCount(padded))
    }
}
