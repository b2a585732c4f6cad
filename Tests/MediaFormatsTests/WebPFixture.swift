// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Builds WebP files chunk by chunk.
enum WebPFixture {
    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        text(type) + le32(content.count) + content + zeros(content.count % 2)
    }

    static func file(_ chunks: [UInt8]) -> [UInt8] { text("RIFF") + le32(chunks.count + 4) + text("WEBP") + chunks }

    static func extended(flags: Int) -> [UInt8] {
        chunk("VP8X", [UInt8(flags), 0, 0, 0] + [0x3F, 1, 0] + [0xC7, 0, 0])
    }

    static let lossy = chunk("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + le16(320) + le16(200) + text("coded"))
    static let lossless = chunk("VP8L", [0x2F] + le32(319 | 199 << 14) + text("coded"))
    static let profile = chunk("ICCP", text("profile"))
    static let alpha = chunk("ALPH", text("alpha"))
    static let exif = chunk("EXIF", TiffFixture().full(orientation: 6))

    static func rich(orientation: Int?) -> [UInt8] {
        file(
            extended(flags: 0x3D) + profile + alpha + lossy
                + chunk("EXIF", text("Exif\0\0") + TiffFixture().full(orientation: orientation))
                + chunk("XMP ", text("<x:SecretXMP/>")) + chunk("ABCD", text("SecretUnknown"))) + text("SecretTail")
    }

    static func minimalExif(_ orientation: Int) -> [UInt8] {
        chunk("EXIF", Array(JpegFixture.minimalExif(orientation).dropFirst(10)))
    }
}
