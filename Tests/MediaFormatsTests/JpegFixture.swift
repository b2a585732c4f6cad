// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Builds JPEG files part by part. The coded data are not a picture: nothing here decodes them.
enum JpegFixture {
    static let entropy: [UInt8] = [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0x00, 0xFF, 0xD1, 0x78]
    static let secondEntropy: [UInt8] = [0x9A, 0xFF, 0x00, 0xBC]

    static func segment(_ marker: Int, _ content: [UInt8]) -> [UInt8] {
        [0xFF, UInt8(marker)] + be16(content.count + 2) + content
    }

    static let jfif = segment(0xE0, text("JFIF\0") + [1, 2, 1] + be16(72) + be16(72) + [0, 0])
    static let table = segment(0xDB, [0] + [UInt8](repeating: 16, count: 64))
    static let restart = segment(0xDD, be16(4))
    static let profile = segment(0xE2, text("ICC_PROFILE\0") + [1, 1] + text("profile"))
    static let adobe = segment(0xEE, text("Adobe") + [0, 100, 0, 0, 0, 0, 1])
    static func frame(_ marker: Int = 0xC0) -> [UInt8] {
        segment(marker, [8] + be16(200) + be16(320) + [1, 1, 0x11, 0])
    }
    static let huffman = segment(0xC4, [0] + zeros(16))
    static let scan = segment(0xDA, [1, 1, 0, 0, 63, 0])

    static func exif(_ block: [UInt8]) -> [UInt8] { segment(0xE1, text("Exif\0\0") + block) }

    /// Everything that stays, around what goes.
    static func file(_ metadata: [UInt8], jfif: [UInt8] = jfif, rest: [UInt8] = []) -> [UInt8] {
        [0xFF, 0xD8] + jfif + metadata + profile + adobe + table + restart + frame() + huffman + scan + entropy + [
            0xFF, 0xD9,
        ] + rest
    }

    static let extendedXMP =
        segment(0xE1, text("http://ns.adobe.com/xap/1.0/\0<x:SecretXMP/>"))
        + segment(0xE1, text("http://ns.adobe.com/xmp/extension/\0SecretExtension"))

    /// All kinds of segments that go.
    static func rich(orientation: Int?, isBigEndian: Bool = true) -> [UInt8] {
        let metadata =
            exif(TiffFixture(isBigEndian: isBigEndian).full(orientation: orientation)) + extendedXMP
            + segment(0xED, text("Photoshop 3.0\0SecretIPTC")) + segment(0xE2, text("MPF\0SecretIndex"))
            + segment(0xE5, text("SecretMaker"))
            + segment(0xFE, text("SecretComment"))
        return file(metadata, rest: [0xFF, 0xD8, 0xFF, 0xD9] + text("SecretSecondPicture"))
    }

    static func minimalExif(_ orientation: Int) -> [UInt8] {
        exif([
            0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0,
            0,
        ])
    }
}
