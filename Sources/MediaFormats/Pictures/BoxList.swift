// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `BoxList` holds boxes of the ISO base media file format, one after the other; the list ends before the first that is
/// not there in full.
struct BoxList: Sequence, IteratorProtocol {
    struct Box {
        let type: FourCC
        let payload: ByteView
        /// Where the whole box, with its header, lies in the file.
        let range: Range<Int>
    }

    private let view: ByteView
    private var at: Int
    /// Whether every byte so far belongs to a box.
    var isAtEnd: Bool { at == view.count }
    /// Where the next box begins, in bytes from the start of the file.
    var offset: Int { view.range.lowerBound + at }

    init(_ view: ByteView, from start: Int = 0) {
        self.view = view
        at = start
    }

    mutating func next() -> Box? {
        guard var byteCount = view.be32(at), let type = view.code(at + 4) else { return nil }
        var headerByteCount = 8
        if byteCount == 1 {
            guard let large = view.number(at + 8, byteCount: 8) else { return nil }
            (byteCount, headerByteCount) = (large, 16)
        } else if byteCount == 0 {
            byteCount = view.count - at
        }
        guard byteCount >= headerByteCount, let whole = view.view(at, byteCount),
            let payload = whole.from(headerByteCount)
        else { return nil }
        at += byteCount
        return Box(type: type, payload: payload, range: whole.range)
    }
}
