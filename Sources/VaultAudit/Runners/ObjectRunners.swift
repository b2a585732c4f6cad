// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import Glibc
internal import SealedObjects
internal import VaultCrypto
internal import VaultFormat

/// `ObjectRunners` tests sealed files of attachments: read whole and in ranges by the reader that the programs have,
/// and step by step to say where one is refused.
///
/// Spec: docs/format.md §19.
enum ObjectRunners {
    /// Larger contents are not made, in bytes.
    private static let contentByteCountMax = 1 << 28

    static func object(_ test: VectorTest) throws -> Verdict {
        let place = try ObjectPlace(test)
        let maker = test.has("base") ? try test.base() : test
        let file = try seal(maker, edits: test)
        let stepwise = Result { try place.content(of: file) }
        let read = try SealedFile(file).content(place)
        guard case .success(let content) = stepwise else {
            // Both have to refuse it: the steps say where, the reader is what the programs use.
            guard read == nil else { return .differs("the reader takes what the steps refuse") }
            return try .differs("\(stepwise.get().count) bytes")
        }
        guard read == content else { return .differs("the reader and the steps differ") }
        guard !test.has("base") else { return .accepted }
        let known = try self.content(test)
        return try .comparing([
            ("content", content == known), ("sealed", isFile(file, of: test)),
            ("ranges", areRangesRight(test, place, file, known)),
        ])
    }

    static func range(_ test: VectorTest) throws -> Verdict {
        let place = try ObjectPlace(test)
        let base = try test.base()
        let file = try SealedFile(seal(base, edits: test))
        let content = try content(base)
        let range = try range(test.list("range"), within: content.count)
        try place.checkPrefix(file.bytes)
        guard let part = try file.part(range, place) else {
            guard let outer = place.outerAlone(range), try file.part(outer.range, outer.place) != nil else {
                throw Refusal("open")
            }
            throw Refusal("innerOpen")
        }
        return .comparing([("the range", part == Array(content[range]))])
    }

    private static func areRangesRight(_ test: VectorTest, _ place: ObjectPlace, _ file: [UInt8], _ content: [UInt8])
        throws -> Bool
    {
        let sealed = try SealedFile(file)
        return try test.list("ranges").allSatisfy { value in
            let range = try range(value.list ?? [], within: content.count)
            return try sealed.part(range, place) == Array(content[range])
        }
    }

    private static func range(_ pair: [JSONValue], within count: Int) throws -> Range<Int> {
        guard pair.count == 2, let begin = pair[0].integer, let size = pair[1].integer, begin >= 0, begin <= count,
            (0...count - begin).contains(size)
        else { throw VectorFault("a range is not within the content") }
        return begin..<begin + size
    }

    private static func isFile(_ file: [UInt8], of test: VectorTest) throws -> Bool {
        try test.has("sealed") ? file == test.bytes("sealed") : Digest.sha256(file) == test.bytes("sealedSha256")
    }

    private static func content(_ test: VectorTest) throws -> [UInt8] {
        guard !test.has("content") else { return try test.bytes("content") }
        let size = try test.integer("size")
        guard (0...contentByteCountMax).contains(size) else { throw VectorFault("size is out of range") }
        return (0..<size).map { UInt8(truncatingIfNeeded: 7 * $0 + size) }
    }

    /// Seals the file that a test describes, with the changes that another one makes to it on its way.
    private static func seal(_ test: VectorTest, edits: VectorTest) throws -> [UInt8] {
        func edited(_ bytes: [UInt8], _ name: String) throws -> [UInt8] {
            guard edits.has(name) else { return bytes }
            return try SealedEdit.apply(edits.list(name), to: bytes)
        }
        let place = try ObjectPlace(test)
        var content = try content(test)
        if let inner = place.inner {
            let padded = try edited(Padme.pad(content), "innerPaddedEdit")
            content = try edited(inner.seal(padded, test, salt: "innerSalt"), "innerEdit")
        }
        return try edited(place.outer.seal(edited(Padme.pad(content), "paddedEdit"), test), "edit")
    }
}

/// `ObjectPlace` says which object a test is about, and what its record says of it. Spec: docs/format.md §19.
private struct ObjectPlace {
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

    /// Checks sizes and commitment, which come before any chunk.
    func checkPrefix(_ file: [UInt8]) throws {
        guard fileByteCount == UInt64(file.count), let expected = sealedByteCount(outerContentByteCount),
            expected == fileByteCount
        else { throw Refusal("size") }
        guard file[24..<56].elementsEqual(commitment) else { throw Refusal("commitment") }
    }

    /// Returns the whole content, step by step.
    func content(of file: [UInt8]) throws -> [UInt8] {
        try checkPrefix(file)
        let within = try TwoLayers.unpad(outer.open(file, or: "open"), or: "padding")
        guard outerContentByteCount == UInt64(within.count) else { throw Refusal("padding") }
        guard let inner else { return within }
        let content = try TwoLayers.unpad(inner.open(within, or: "innerOpen"), or: "innerPadding")
        guard contentByteCount == UInt64(content.count) else { throw Refusal("innerPadding") }
        return content
    }

    /// Returns the chunks of the inner layer that a part of the content lies in, as a part of what the outer layer
    /// holds; nil with one layer.
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

    /// Returns the size of the sealed form of content, and nil for what no file can hold.
    private func sealedByteCount(_ count: UInt64?) -> UInt64? {
        guard let count, count < UInt64(1) << 56, let padded = Padme.paddedByteCount(Int(count) + 8) else { return nil }
        return UInt64(Cobblestone.sealedByteCount(padded))
    }
}

/// `SealedFile` holds bytes of a vector as a file without a name, since objects are read from descriptors.
private final class SealedFile {
    let bytes: [UInt8]
    private let descriptor: Int32

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        descriptor = try Self.nameless()
        guard unsafe bytes.withUnsafeBytes({ unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == bytes.count
        else {
            throw VectorFault("a temporary file could not be written")
        }
    }

    deinit { close(descriptor) }

    /// Returns all of the content, or nil when it is refused.
    func content(_ place: ObjectPlace) throws -> [UInt8]? {
        guard let reader = reader(place) else { return nil }
        let target = try Self.nameless()
        defer { close(target) }
        let count = reader.contentByteCount
        guard (try? reader.copy(0..<count, to: target, progress: { _ in true })) != nil else { return nil }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            filled = max(0, unsafe pread(target, buffer.baseAddress, Int(count), 0))
        }
    }

    /// Returns a part of the content, or nil when it is refused.
    func part(_ range: Range<Int>, _ place: ObjectPlace) throws -> [UInt8]? {
        guard let reader = reader(place) else { return nil }
        var part = [UInt8](repeating: 0, count: range.count)
        let wanted = UInt64(range.lowerBound)..<UInt64(range.upperBound)
        let isRead = unsafe part.withUnsafeMutableBytes { target in
            (unsafe try? reader.read(wanted, into: target)) != nil
        }
        return isRead ? part : nil
    }

    private func reader(_ place: ObjectPlace) -> ObjectReader? {
        try? ObjectReader(
            file: descriptor, layers: place.layers, fileByteCount: place.fileByteCount, commitment: place.commitment,
            contentByteCount: place.contentByteCount)
    }

    private static func nameless() throws -> Int32 {
        var name = Array(
            (FileManager.default.temporaryDirectory.path + "/object." + String(repeating: "X", count: 6)).utf8CString)
        let descriptor = unsafe name.withUnsafeMutableBufferPointer { buffer in
            let descriptor = unsafe mkstemp(buffer.baseAddress!)
            if descriptor >= 0 { unsafe unlink(buffer.baseAddress!) }
            return descriptor
        }
        guard descriptor >= 0 else { throw VectorFault("a temporary file could not be made") }
        return descriptor
    }
}
