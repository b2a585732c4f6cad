// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PngStripper` strips PNG and APNG: it keeps the critical chunks, and those that say how pixels are to be shown or
/// when.
enum PngStripper {
    private static let kept: Set<FourCC> = [
        "PLTE", "IDAT", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "mDCv", "cLLi", "sBIT", "tRNS", "pHYs",
        "bKGD", "acTL", "fcTL",
        "fdAT",
    ]

    static func strip(_ view: ByteView, to output: inout StripOutput) throws(MediaError) {
        var chunks = PngChunks(view)
        var hasData = false
        var hasExif = false
        output.append(PictureSignature.pngSignature)
        let first = try chunks.next()
        guard first.type == "IHDR", first.content.count == 13 else { throw MediaError(.malformed, offset: 8) }
        output.append(first.whole.slice)
        while true {
            let chunk = try chunks.next()
            if chunk.type == "IEND" {
                guard hasData, chunk.content.count == 0 else {
                    throw MediaError(.malformed, offset: chunk.whole.range.lowerBound)
                }
                output.append(chunk.whole.slice)
                break
            }
            if chunk.type == "eXIf" {
                try takeExif(chunk, isFirst: !hasExif, &output)
                hasExif = true
            } else if kept.contains(chunk.type) {
                hasData = hasData || chunk.type == "IDAT"
                output.append(chunk.whole.slice)
            } else {
                try drop(chunk, &output)
            }
        }
        if chunks.at < view.count { output.removed.insert(.trailingData) }
    }

    private static func takeExif(_ chunk: PngChunks.Chunk, isFirst: Bool, _ output: inout StripOutput)
        throws(MediaError)
    {
        guard let block = ExifBlock(chunk.content) else {
            throw MediaError(.malformed, offset: chunk.content.range.lowerBound)
        }
        output.removed.formUnion(block.kinds)
        guard isFirst, let orientation = block.turning else { return }
        let content = FourCC("eXIf").bytes + ExifBlock.minimal(orientation: orientation)
        output.appendBE32(content.count - 4)
        output.append(content)
        output.appendBE32(Int(CRC32.of(content[...])))
    }

    /// Leaves out a chunk, unless its first letter is a capital, which says that the picture cannot be shown without
    /// it.
    private static func drop(_ chunk: PngChunks.Chunk, _ output: inout StripOutput) throws(MediaError) {
        guard chunk.type.bytes[0] & 0x20 != 0 else {
            throw MediaError(.notUnderstood, offset: chunk.whole.range.lowerBound)
        }
        switch chunk.type {
        case "tEXt", "zTXt", "iTXt": output.removed.insert(meaning(of: chunk.content))
        case "tIME": output.removed.insert(.dates)
        default: output.removed.insert(.other)
        }
    }

    /// Judges by the keyword, which stands before a zero byte.
    private static func meaning(of content: ByteView) -> MetadataKind {
        let keyword = content.slice.prefix(80).prefix { $0 != 0 }
        let meanings: [(String, MetadataKind)] = [
            ("XML:com.adobe.xmp", .xmp), ("Raw profile type xmp", .xmp), ("Raw profile type iptc", .iptc),
            ("Raw profile type 8bim", .iptc),
            ("Author", .owner), ("Copyright", .owner), ("Software", .software), ("Source", .cameraSettings),
            ("Creation Time", .dates),
        ]
        return meanings.first { keyword.elementsEqual($0.0.utf8) }?.1 ?? .comments
    }
}

/// `PngChunks` reads the chunks of a PNG file, in order. Source: PNG, third edition, section 5.
private struct PngChunks {
    struct Chunk {
        let type: FourCC
        let content: ByteView
        /// Length, type, content and checksum.
        let whole: ByteView
    }

    private let view: ByteView
    private(set) var at = PictureSignature.pngSignature.count

    init(_ view: ByteView) { self.view = view }

    /// Reads the next chunk, and compares its checksum.
    ///
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

/// `CRC32` computes the checksum of PNG. Source: PNG, third edition, annex D.
private enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        let table = table
        var value = UInt32.max
        for byte in bytes { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
        return ~value
    }
}
