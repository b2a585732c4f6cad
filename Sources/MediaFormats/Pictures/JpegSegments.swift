// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `JpegSegments` finds the parts of a JPEG file, up to and with the end of the image.
///
/// Source: ITU-T T.81 annex B.
struct JpegSegments {
    enum Part {
        /// A marker with its length and content; the view begins behind the length.
        case segment(marker: Int, content: ByteView)
        /// Coded data of a scan with its restart markers, up to the next other marker.
        case entropyCoded(ByteView)
        case endOfImage
    }

    let view: ByteView
    /// Where the next part begins; behind the end of the image at last.
    private(set) var at = 2
    private var isInScan = false

    /// Prepares to read the parts of a file.
    ///
    /// - Parameter view: begins with a start of image.
    init(_ view: ByteView) { self.view = view }

    private func error(_ code: MediaError.Code) -> MediaError { MediaError(code, offset: view.range.lowerBound + at) }

    /// Reads the next part: a segment, entropy-coded data, or the end of the image.
    ///
    /// - Throws: `truncated`, `malformed`; `notUnderstood` for a marker that T.81 reserves.
    mutating func next() throws(MediaError) -> Part {
        if isInScan {
            isInScan = false
            return .entropyCoded(try takeEntropyCoded())
        }
        guard let first = view.u8(at) else { throw error(.truncated) }
        guard first == 0xFF else { throw error(.malformed) }
        // Any number of these may stand before a marker.
        while view.u8(at + 1) == 0xFF { at += 1 }
        guard let marker = view.u8(at + 1) else { throw error(.truncated) }
        switch marker {
        case 0xD9:
            at += 2
            return .endOfImage
        case 0x00, 0xD0...0xD8: throw error(.malformed)
        case 0xC0...0xC7, 0xC9...0xCF, 0xDA...0xDF, 0xE0...0xEF, 0xFE: break
        default: throw error(.notUnderstood)
        }
        guard let byteCount = view.be16(at + 2) else { throw error(.truncated) }
        guard byteCount >= 2 else { throw error(.malformed) }
        guard let content = view.view(at + 4, byteCount - 2) else { throw error(.truncated) }
        at += 2 + byteCount
        isInScan = marker == 0xDA
        return .segment(marker: marker, content: content)
    }

    /// Reads entropy-coded data up to the next marker. In it 0xFF is followed by 0, or by the number of a restart; all
    /// else is a marker.
    private mutating func takeEntropyCoded() throws(MediaError) -> ByteView {
        let bytes = view.bytes
        let end = view.range.upperBound
        let start = at
        var index = view.range.lowerBound + at
        while true {
            while index < end, bytes[index] != 0xFF { index += 1 }
            guard index + 1 < end else { throw MediaError(.truncated, offset: end) }
            let second = bytes[index + 1]
            if second == 0 || (0xD0...0xD7).contains(second) {
                index += 2
            } else {
                break
            }
        }
        at = index - view.range.lowerBound
        guard let part = view.view(start, at - start) else { throw error(.truncated) }
        return part
    }
}
