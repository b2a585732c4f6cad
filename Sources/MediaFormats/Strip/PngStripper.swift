// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// PNG and APNG: keeps the critical chunks, and those that say how pixels are to be shown or when.
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

    /// A capital first letter says that the picture cannot be shown without the chunk.
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

    /// By the keyword, which stands before a zero byte.
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
