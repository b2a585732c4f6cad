// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
public import VaultCrypto

/// `LayerSize` holds the sizes of one layer, each of which follows from the content's.
///
/// ```
/// padded = content ‖ zeros ‖ UInt64 BE(content's size)      max(256, Padmé(n + 8)) bytes
/// sealed = salt ‖ commitment ‖ chunks of padded             Cobblestone-256
/// ```
/// Spec: docs/format.md §4.3.
struct LayerSize: Equatable {
    let content: Int
    let padded: Int
    let sealed: Int

    /// Above this no size is computed: 1 PiB, far from where a sum of sizes would overflow.
    private static let contentMax = 1 << 50

    /// Computes the sizes of a layer; nil for content whose size is negative or beyond all reason.
    init?(content: Int) {
        guard content >= 0, content <= Self.contentMax, let padded = Padme.paddedByteCount(content + 8) else {
            return nil
        }
        self.content = content
        self.padded = padded
        sealed = Cobblestone.sealedByteCount(padded)
    }

    /// Finds the largest of all contents whose sealed form has this size: good for finding the true one at the
    /// padding's end.
    init?(largestIn sealed: Int) {
        guard let padded = Cobblestone.contentByteCount(sealed), padded >= Padme.floorByteCount,
            let size = LayerSize(content: padded - 8),
            size.sealed == sealed
        else { return nil }
        self = size
    }

    /// Returns sizes of an object's layers, the outer one first: the content of a layer is what the next inner one has
    /// sealed.
    static func layers(content: UInt64, count: Int) -> [LayerSize]? {
        guard var size = Int(exactly: content).flatMap({ LayerSize(content: $0) }) else { return nil }
        var sizes = [size]
        for _ in 1..<count {
            guard let outer = LayerSize(content: size.sealed) else { return nil }
            sizes.insert(outer, at: 0)
            size = outer
        }
        return sizes
    }

    /// The last of them is the one that is shorter than 16 KiB, perhaps empty.
    var chunkCount: Int { padded / Cobblestone.chunkByteCount + 1 }

    /// Finds where chunk `number` begins in the sealed form.
    static func sealedOffset(_ number: Int) -> Int {
        Cobblestone.prefixByteCount + number * (Cobblestone.chunkByteCount + Cobblestone.tagByteCount)
    }

    /// Finds where the bytes of chunk `number` lie in the padded content.
    func bytes(ofChunk number: Int) -> Range<Int> {
        let begin = number * Cobblestone.chunkByteCount
        return begin..<min(begin + Cobblestone.chunkByteCount, padded)
    }
}

extension LayerSize {
    /// Writes what of the padding lies in a piece of the padded content; the rest of the piece is left as it is.
    ///
    /// - Parameter offset: where the piece lies in the padded content.
    func pad(_ piece: UnsafeMutableRawBufferPointer, at offset: Int) {
        let begin = min(max(content - offset, 0), piece.count)
        guard begin < piece.count, let base = piece.baseAddress else { return }
        unsafe memset(base + begin, 0, piece.count - begin)
        for index in lengthIndices(piece.count, offset) { unsafe piece[index] = lengthByte(offset + index) }
    }

    /// Returns whether what of the padding lies in a piece is as `pad` writes it: there is one padding for each
    /// content.
    func isPadded(_ piece: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        let begin = min(max(content - offset, 0), piece.count)
        let length = lengthIndices(piece.count, offset)
        let end = length.isEmpty ? piece.count : length.lowerBound
        if begin < end, unsafe !isZero(UnsafeRawBufferPointer(rebasing: piece[begin..<end])) { return false }
        for index in length where unsafe piece[index] != lengthByte(offset + index) { return false }
        return true
    }

    /// Returns which bytes of a piece belong to the length at the end.
    private func lengthIndices(_ count: Int, _ offset: Int) -> Range<Int> {
        let begin = min(max(padded - 8 - offset, 0), count)
        return begin..<min(max(padded - offset, begin), count)
    }

    private func lengthByte(_ offset: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: UInt64(content) >> UInt64((padded - 1 - offset) * 8))
    }

    /// Returns whether all bytes are zero: each equals the one before, and the first is zero. The library compares many
    /// at a time.
    private func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        return unsafe bytes[0] == 0 && memcmp(base, base + 1, bytes.count - 1) == 0
    }
}

/// `SealLayer` is one layer of sealing: a key and the place that the object is bound to. An object has one, or two when
/// its note is private; lists of them begin with the outer one.
public struct SealLayer: Sendable {
    /// The key, which is used for this kind of object only.
    public let key: SymmetricKey
    /// The context of the layer; no two objects share one.
    public let context: [UInt8]

    public init(key: SymmetricKey, context: [UInt8]) {
        self.key = key
        self.context = context
    }
}
