// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SealedObjects
import SecretMemory
import VaultCrypto

/// What a record keeps of an object.
struct Record {
    var contentByteCount: UInt64
    var fileByteCount: UInt64
    var commitment: [UInt8]
    var innerCommitment: [UInt8]?
}

/// Content that is sealed in one layer or two, and what its record says.
struct Sample {
    let content: [UInt8]
    let layers: [SealLayer]
    let file: ScratchFile
    let sealed: Record

    /// Sizes around chunks' and Padmé's edges.
    static let sizes = [
        0, 1, 247, 248, 249, 16_375, 16_376, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 262_144 - 8, 262_144,
        (1 << 20) + 3,
    ]

    init(_ byteCount: Int, layers count: Int = 1) throws {
        content = Self.content(byteCount)
        layers = try Self.layers(count)
        file = try ScratchFile()
        let source = try ScratchFile(content)
        let made = try ObjectWriter.seal(from: source.descriptor, to: file.descriptor, layers: layers) { _ in true }
        sealed = Record(
            contentByteCount: made.contentByteCount, fileByteCount: made.fileByteCount, commitment: made.commitment,
            innerCommitment: made.innerCommitment)
    }

    /// From an object that was sealed in another way.
    init(_ content: [UInt8], layers: [SealLayer], object: [UInt8]) throws {
        self.content = content
        self.layers = layers
        file = try ScratchFile(object)
        sealed = Record(
            contentByteCount: UInt64(content.count), fileByteCount: UInt64(object.count),
            commitment: Array(object[24..<56]))
    }

    /// No two places of it look alike.
    static func content(_ byteCount: Int) -> [UInt8] {
        var state: UInt64 = 0x9e37_79b9_7f4a_7c15
        return (0..<byteCount).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    static func layers(_ count: Int) throws -> [SealLayer] {
        try (0..<count).map { number in
            SealLayer(key: try key(UInt8(number + 1)), context: Array("layer \(number)".utf8))
        }
    }

    static func key(_ byte: UInt8) throws -> SymmetricKey {
        try unsafe SymmetricKey(
            SecretBytes(byteCount: 32) { unsafe $0.copyBytes(from: [UInt8](repeating: byte, count: 32)) })
    }

    func reader(
        layers: [SealLayer]? = nil, fileByteCount: UInt64? = nil, commitment: [UInt8]? = nil,
        contentByteCount: UInt64? = nil
    ) throws(ObjectError) -> ObjectReader {
        try ObjectReader(
            file: file.descriptor, layers: layers ?? self.layers, fileByteCount: fileByteCount ?? sealed.fileByteCount,
            commitment: commitment ?? sealed.commitment, contentByteCount: contentByteCount ?? sealed.contentByteCount)
    }

    /// All of it, through a file.
    func copied(_ range: Range<UInt64>? = nil) throws -> [UInt8] {
        let target = try ScratchFile()
        try reader().copy(range ?? 0..<sealed.contentByteCount, to: target.descriptor) { _ in true }
        return target.bytes
    }
}

extension SecretBytes {
    var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

/// Code of the error that `body` throws; nil when it throws none.
func code(_ body: () throws -> Void) -> ObjectError.Code? {
    do { try body() } catch { return (error as? ObjectError)?.code }
    return nil
}
