// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `WebPStripper` strips WebP: it keeps the picture's own chunks and the colour profile, and sets flags and sizes
/// right.
///
/// Source: RFC 9649.
struct WebPStripper {
    private static let exifFlag: UInt8 = 0x08
    /// Colour profile, alpha and animation.
    private static let keptFlags: UInt8 = 0x32
    /// The flags stand first in the first chunk of the extended form.
    private static let flagsAt = 20

    private var isExtended = false
    private var hasPicture = false
    private var hasExif = false
    /// Length of what is written, also when nothing is.
    private var byteCount = 12
    private var flags: UInt8 = 0

    static func strip(_ view: ByteView, to output: inout StripOutput) throws(MediaError) {
        var stripper = WebPStripper()
        try stripper.run(view, &output)
    }

    private mutating func run(_ file: ByteView, _ output: inout StripOutput) throws(MediaError) {
        guard let size = file.le32(4), size >= 12, let view = file.view(0, size + 8) else {
            throw MediaError(.truncated, offset: file.count)
        }
        output.append(view.slice.prefix(12))
        var chunks = RiffChunks(view, from: 12)
        while !chunks.isAtEnd { try take(try chunks.next(), &output) }
        guard hasPicture else { throw MediaError(.malformed, offset: view.count) }
        output.overwrite(at: 4, with: StripOutput.le32(byteCount - 8))
        if isExtended { output.overwrite(at: Self.flagsAt, with: [flags]) }
        if file.count > view.count { output.removed.insert(.trailingData) }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>, _ output: inout StripOutput) {
        byteCount += bytes.count
        output.append(bytes)
    }

    private mutating func take(_ chunk: RiffChunks.Chunk, _ output: inout StripOutput) throws(MediaError) {
        switch chunk.type {
        case "VP8X":
            guard byteCount == 12, chunk.content.count == 10, let value = chunk.content.u8(0) else {
                throw MediaError(.malformed, offset: chunk.whole.range.lowerBound)
            }
            isExtended = true
            flags = UInt8(truncatingIfNeeded: value) & Self.keptFlags
            append(chunk.whole.slice, &output)
        case "VP8 ", "VP8L":
            hasPicture = true
            append(chunk.whole.slice, &output)
        case "ALPH", "ICCP", "ANIM": append(chunk.whole.slice, &output)
        case "ANMF": try takeFrame(chunk, &output)
        case "EXIF": try takeExif(chunk, &output)
        case "XMP ": output.removed.insert(.xmp)
        default: output.removed.insert(.other)
        }
    }

    /// Copies a frame of an animation with the chunks of its picture, which stand after sixteen bytes of place and
    /// time.
    private mutating func takeFrame(_ frame: RiffChunks.Chunk, _ output: inout StripOutput) throws(MediaError) {
        guard frame.content.count >= 16 else { throw MediaError(.malformed, offset: frame.whole.range.lowerBound) }
        var kept: [RiffChunks.Chunk] = []
        var chunks = RiffChunks(frame.content, from: 16)
        while !chunks.isAtEnd {
            let chunk = try chunks.next()
            if chunk.type == "VP8 " || chunk.type == "VP8L" || chunk.type == "ALPH" {
                kept.append(chunk)
            } else {
                output.removed.insert(.other)
            }
        }
        guard kept.contains(where: { $0.type != "ALPH" }) else {
            throw MediaError(.malformed, offset: frame.whole.range.lowerBound)
        }
        hasPicture = true
        let contentByteCount = kept.reduce(16) { $0 + $1.whole.count }
        append((FourCC("ANMF").bytes + StripOutput.le32(contentByteCount))[...], &output)
        append(frame.content.slice.prefix(16), &output)
        for chunk in kept { append(chunk.whole.slice, &output) }
    }

    /// Reduces Exif to its orientation. Outside of the extended form no program looks for Exif, and so no orientation
    /// can be kept there.
    private mutating func takeExif(_ chunk: RiffChunks.Chunk, _ output: inout StripOutput) throws(MediaError) {
        // The prefix of JPEG does not belong here, but many write it.
        let view = chunk.content.has("Exif\0\0") ? chunk.content.from(6) ?? chunk.content : chunk.content
        guard let block = ExifBlock(view) else { throw MediaError(.malformed, offset: view.range.lowerBound) }
        output.removed.formUnion(block.kinds)
        guard isExtended, !hasExif, let orientation = block.turning else { return }
        hasExif = true
        flags |= Self.exifFlag
        append(
            (FourCC("EXIF").bytes + StripOutput.le32(ExifBlock.minimalByteCount)
                + ExifBlock.minimal(orientation: orientation))[...], &output)
    }
}

/// `RiffChunks` reads the chunks of a RIFF file or of a part of it, in order. Each begins at an even place.
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

    /// Reads the next chunk, and the byte that pads it to an even length.
    ///
    /// - Throws: `truncated`.
    mutating func next() throws(MediaError) -> Chunk {
        guard let type = view.code(at), let byteCount = view.le32(at + 4), let content = view.view(at + 8, byteCount),
            let whole = view.view(at, 8 + byteCount + byteCount % 2)
        else { throw MediaError(.truncated, offset: view.range.upperBound) }
        at += whole.count
        return Chunk(type: type, content: content, whole: whole)
    }
}
