// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `JpegStripper` strips JPEG: it keeps what decodes the picture, JFIF without its thumbnail, Adobe's transform and the
/// colour profile.
struct JpegStripper {
    private var hasExif = false
    private var hasJFIF = false
    private var hasFrame = false
    private var hasScan = false

    static func strip(_ view: ByteView, to output: inout StripOutput) throws(MediaError) {
        var stripper = JpegStripper()
        try stripper.run(view, &output)
    }

    private mutating func run(_ view: ByteView, _ output: inout StripOutput) throws(MediaError) {
        var parts = JpegSegments(view)
        output.append([0xFF, 0xD8])
        while true {
            switch try parts.next() {
            case .segment(let marker, let content): try take(marker, content, &output)
            case .entropyCoded(let data): output.append(data.slice)
            case .endOfImage:
                guard hasFrame, hasScan else { throw MediaError(.malformed, offset: parts.at - 2) }
                output.append([0xFF, 0xD9])
                takeRest(view.from(parts.at), &output)
                return
            }
        }
    }

    private mutating func take(_ marker: Int, _ content: ByteView, _ output: inout StripOutput) throws(MediaError) {
        switch marker {
        case 0xE0: try takeJFIF(content, &output)
        case 0xE1: try takeExif(content, &output)
        case 0xE2: takeApplication2(content, &output)
        case 0xED: output.removed.insert(.iptc)
        case 0xEE where content.has("Adobe") && content.count >= 12: append(marker, content.slice.prefix(12), &output)
        case 0xE0...0xEF: output.removed.insert(.makerNotes)
        case 0xFE: output.removed.insert(.comments)
        default:
            if marker == 0xDA { hasScan = true }
            if (0xC0...0xCF).contains(marker), marker != 0xC4, marker != 0xCC { hasFrame = true }
            append(marker, content.slice, &output)
        }
    }

    private func append(_ marker: Int, _ content: ArraySlice<UInt8>, _ output: inout StripOutput) {
        let byteCount = content.count + 2
        output.append([
            0xFF, UInt8(truncatingIfNeeded: marker), UInt8(truncatingIfNeeded: byteCount >> 8),
            UInt8(truncatingIfNeeded: byteCount),
        ])
        output.append(content)
    }

    /// Keeps the first JFIF block without its thumbnail: the pixel density stays. "JFXX" goes, which is nothing but a
    /// thumbnail.
    private mutating func takeJFIF(_ content: ByteView, _ output: inout StripOutput) throws(MediaError) {
        guard content.has("JFIF\0") else {
            output.removed.insert(content.has("JFXX\0") ? .thumbnail : .makerNotes)
            return
        }
        guard content.count >= 14 else { throw MediaError(.malformed, offset: content.range.lowerBound) }
        if content.count > 14 { output.removed.insert(.thumbnail) }
        guard !hasJFIF else { return }
        hasJFIF = true
        append(0xE0, content.slice.prefix(12) + [0, 0], &output)
    }

    /// Reduces the first Exif block to its orientation, in its place: of several blocks it is the one that programs
    /// read.
    private mutating func takeExif(_ content: ByteView, _ output: inout StripOutput) throws(MediaError) {
        guard content.has("Exif\0"), let tiff = content.from(6) else {
            output.removed.insert(content.has("http://ns.adobe.com/x") ? .xmp : .other)
            return
        }
        guard !hasExif else {
            // A block of more than 64 KiB is spread over segments; the further ones cannot be read by themselves.
            output.removed.formUnion(ExifBlock(tiff)?.kinds ?? [.other])
            return
        }
        guard let block = ExifBlock(tiff) else { throw MediaError(.malformed, offset: tiff.range.lowerBound) }
        hasExif = true
        output.removed.formUnion(block.kinds)
        guard let orientation = block.turning else { return }
        append(0xE1, (Array("Exif\0\0".utf8) + ExifBlock.minimal(orientation: orientation))[...], &output)
    }

    private func takeApplication2(_ content: ByteView, _ output: inout StripOutput) {
        if content.has("ICC_PROFILE\0") {
            append(0xE2, content.slice, &output)
        } else if content.has("MPF\0") {
            output.removed.insert(.extraPictures)
        } else {
            output.removed.insert(.makerNotes)
        }
    }

    /// Takes what stands behind the end: further pictures that the index named, a film, or anything else.
    private func takeRest(_ rest: ByteView?, _ output: inout StripOutput) {
        guard let rest, rest.count > 0 else { return }
        output.removed.insert(rest.has([0xFF, 0xD8, 0xFF]) ? .extraPictures : .trailingData)
    }
}
