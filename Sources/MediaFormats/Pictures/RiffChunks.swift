// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The chunks of a RIFF file or of a part of it, in order. Each begins at an even place.
struct RiffChunks {
    struct Chunk {
        let type: FourCC
        let content: ByteView
        /// With the byte that fills up an odd length.
        let whole: ByteView
    }

    private let view: ByteView
    private var at: Int
    var isAtEnd: Bool { at == view.count }

    init(_ view: ByteView, from start: Int) {
        self.view = view
        at = start
    }

    /// - Throws: `truncated`.
    mutating func next() throws(MediaError) -> Chunk {
        guard let type = view.code(at), let byteCount = view.le32(at + 4), let content = view.view(at + 8, byteCount),
            let whole = view.view(at, 8 + byteCount + byteCount % 2)
        else { throw MediaError(.truncated, offset: view.range.upperBound) }
        at += whole.count
        return Chunk(type: type, content: content, whole: whole)
    }
}
