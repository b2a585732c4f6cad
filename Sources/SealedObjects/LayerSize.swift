// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// Sizes of one layer, each of which follows from the content's.
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

    /// - Returns: nil for a size that is negative or beyond all reason.
    init?(content: Int) {
        guard content >= 0, content <= Self.contentMax, let padded = Padme.paddedByteCount(content + 8) else {
            return nil
        }
        self.content = content
        self.padded = padded
        sealed = Cobblestone.sealedByteCount(padded)
    }

    /// Of all contents whose sealed form has this size the largest: good for finding the true one at the padding's end.
    init?(largestIn sealed: Int) {
        guard let padded = Cobblestone.contentByteCount(sealed), padded >= Padme.floorByteCount,
            let size = LayerSize(content: padded - 8),
            size.sealed == sealed
        else { return nil }
        self = size
    }

    /// Sizes of an object's layers, the outer one first: the content of a layer is what the next inner one has sealed.
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

    /// Where chunk `number` begins in the sealed form.
    static func sealedOffset(_ number: Int) -> Int {
        Cobblestone.prefixByteCount + number * (Cobblestone.chunkByteCount + Cobblestone.tagByteCount)
    }

    /// Where the bytes of chunk `number` lie in the padded content.
    func bytes(ofChunk number: Int) -> Range<Int> {
        let begin = number * Cobblestone.chunkByteCount
        return begin..<min(begin + Cobblestone.chunkByteCount, padded)
    }
}
