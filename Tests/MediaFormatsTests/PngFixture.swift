// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Builds PNG files chunk by chunk, with checksums of its own.
enum PngFixture {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Bit by bit, so that the tests do not stand on the table that they test.
    static func checksum(_ bytes: [UInt8]) -> Int {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0xEDB8_8320 : value >> 1 }
        }
        return Int(~value)
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        be32(content.count) + text(type) + content + be32(checksum(text(type) + content))
    }

    static let header = chunk("IHDR", be32(320) + be32(200) + [8, 2, 0, 0, 0])
    static let kept =
        chunk("gAMA", be32(45455)) + chunk("sRGB", [0]) + chunk("iCCP", text("p\0\0profile"))
        + chunk("pHYs", be32(2835) + be32(2835) + [1])
        + chunk("acTL", be32(2) + be32(0)) + chunk("bKGD", zeros(6))
    static let data = chunk("fcTL", zeros(26)) + chunk("IDAT", text("coded one")) + chunk("IDAT", text("coded two"))
    static let frame = chunk("fcTL", zeros(26)) + chunk("fdAT", be32(2) + text("coded three"))
    static let end = chunk("IEND", [])

    static func file(_ metadata: [UInt8], _ late: [UInt8] = [], rest: [UInt8] = []) -> [UInt8] {
        signature + header + kept + metadata + data + late + frame + end + rest
    }

    static func rich(orientation: Int?, isBigEndian: Bool = true) -> [UInt8] {
        file(
            chunk("eXIf", TiffFixture(isBigEndian: isBigEndian).full(orientation: orientation))
                + chunk("tIME", [7, 228, 1, 2, 3, 4, 5])
                + chunk("prVt", text("SecretPrivate")),
            chunk("tEXt", text("Author\0SecretAuthor")) + chunk("zTXt", text("Comment\0SecretText"))
                + chunk("iTXt", text("XML:com.adobe.xmp\0\0\0\0\0SecretXMP")),
            rest: text("SecretTail"))
    }

    static func minimalExif(_ orientation: Int) -> [UInt8] {
        chunk("eXIf", Array(JpegFixture.minimalExif(orientation).dropFirst(10)))
    }
}
