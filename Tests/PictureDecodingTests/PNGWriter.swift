// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// PNG files with data that is not compressed. Source: the PNG specification, third edition; RFC 1950 and 1951.
enum PNGWriter {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// - Parameters:
    ///   - colours: 0 grey, 2 red-green-blue, 3 palette, 4 grey with alpha, 6 with alpha.
    ///   - rows: of each pass, without filter bytes.
    ///   - chunks: between the head and the data.
    static func file(
        _ width: Int, _ height: Int, bits: Int = 8, colours: Int, isInterlaced: Bool = false, rows: [[UInt8]],
        chunks: [UInt8] = []
    ) -> [UInt8] {
        signature + head(width, height, bits: bits, colours: colours, isInterlaced: isInterlaced) + chunks
            + chunk("IDAT", zlib(rows.flatMap { [0] + $0 })) + chunk("IEND", [])
    }

    static func file(_ picture: TestPicture, chunks: [UInt8] = []) -> [UInt8] {
        let stride = 4 * picture.width
        let rows = (0..<picture.height).map { Array(picture.rgba[$0 * stride..<($0 + 1) * stride]) }
        return file(picture.width, picture.height, colours: 6, rows: rows, chunks: chunks)
    }

    static func interlacedFile(_ picture: TestPicture) -> [UInt8] {
        // First column and row, then the steps, of the seven passes.
        let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        var rows: [[UInt8]] = []
        for (left, top, right, down) in passes where left < picture.width {
            for y in stride(from: top, to: picture.height, by: down) {
                rows.append(
                    stride(from: left, to: picture.width, by: right).flatMap { x in
                        let at = 4 * (y * picture.width + x)
                        return Array(picture.rgba[at..<at + 4])
                    })
            }
        }
        return file(picture.width, picture.height, colours: 6, isInterlaced: true, rows: rows)
    }

    static func head(_ width: Int, _ height: Int, bits: Int = 8, colours: Int, isInterlaced: Bool = false) -> [UInt8] {
        chunk(
            "IHDR",
            bigEndian(width, 4) + bigEndian(height, 4) + [UInt8(bits), UInt8(colours), 0, 0, isInterlaced ? 1 : 0])
    }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bigEndian(content.count, 4) + body + bigEndian(Int(crc(body)), 4)
    }

    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65535) {
            let part = bytes[start..<min(start + 65535, bytes.count)]
            out +=
                [start + part.count == bytes.count ? 1 : 0] + littleEndian(part.count, 2) + littleEndian(~part.count, 2)
                + part
        }
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65521
            high = (high + low) % 65521
        }
        return out + bigEndian(high << 16 | low, 4)
    }

    private static let crcTable: [UInt32] = (0..<256).map { start in
        (0..<8).reduce(UInt32(start)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { value, byte in crcTable[Int((value ^ UInt32(byte)) & 0xFF)] ^ value >> 8 }
    }
}
