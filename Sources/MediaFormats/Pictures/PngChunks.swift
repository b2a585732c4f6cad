// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The chunks of a PNG file, in order. Source: PNG, third edition, section 5.
struct PngChunks {
    struct Chunk {
        let type: FourCC
        let content: ByteView
        /// Length, type, content and checksum.
        let whole: ByteView
    }

    private let view: ByteView
    private(set) var at = PictureSignature.pngSignature.count

    init(_ view: ByteView) { self.view = view }

    /// - Throws: `truncated`, `malformed`, `badChecksum`.
    mutating func next() throws(MediaError) -> Chunk {
        guard let byteCount = view.be32(at), let type = view.code(at + 4) else {
            throw MediaError(.truncated, offset: view.count)
        }
        guard byteCount < 1 << 31, type.bytes.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
        else {
            throw MediaError(.malformed, offset: at)
        }
        guard let content = view.view(at + 8, byteCount), let stored = view.be32(at + 8 + byteCount),
            let whole = view.view(at, byteCount + 12), let checked = view.view(at + 4, byteCount + 4)
        else { throw MediaError(.truncated, offset: view.count) }
        guard Int(CRC32.of(checked.slice)) == stored else { throw MediaError(.badChecksum, offset: at) }
        at += byteCount + 12
        return Chunk(type: type, content: content, whole: whole)
    }
}
