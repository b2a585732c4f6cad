// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What files carry beside pixels, for tests.
enum Containers {
    /// An Exif block with one entry: the orientation.
    static func exif(orientation: Int, isLittle: Bool = false) -> [UInt8] {
        // Mark, place of the directory, how many entries; tag, type, count, value and its padding; no second directory.
        let fields = [(42, 2), (8, 4), (1, 2), (0x0112, 2), (3, 2), (1, 4), (orientation, 2), (0, 2), (0, 4)]
        return Array((isLittle ? "II" : "MM").utf8)
            + fields.flatMap { value, byteCount in
                isLittle ? littleEndian(value, byteCount) : bigEndian(value, byteCount)
            }
    }

    /// Puts an Exif segment behind the first marker.
    static func jpeg(_ bytes: [UInt8], exif: [UInt8]) -> [UInt8] {
        let content = Array("Exif\0\0".utf8) + exif
        let segment = [0xFF, 0xE1] + bigEndian(content.count + 2, 2) + content
        return Array(bytes[..<2]) + segment + bytes[2...]
    }

    /// Puts a simple WebP file into the extended form.
    static func webp(_ bytes: [UInt8], _ width: Int, _ height: Int, exif: [UInt8]) -> [UInt8] {
        riff(extended(flags: 0x08, width, height) + Array(bytes[12...]) + chunk("EXIF", exif))
    }

    /// A moving WebP picture of simple files.
    static func animation(
        _ frames: [(bytes: [UInt8], x: Int, y: Int, width: Int, height: Int)], _ width: Int, _ height: Int
    ) -> [UInt8] {
        let parts = frames.flatMap { frame in
            let place = [frame.x / 2, frame.y / 2, frame.width - 1, frame.height - 1, 100].flatMap {
                littleEndian($0, 3)
            }
            return chunk("ANMF", place + [0] + Array(frame.bytes[12...]))
        }
        return riff(extended(flags: 0x12, width, height) + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + parts)
    }

    private static func extended(flags: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        chunk("VP8X", [flags, 0, 0, 0] + littleEndian(width - 1, 3) + littleEndian(height - 1, 3))
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + littleEndian(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private static func riff(_ content: [UInt8]) -> [UInt8] {
        let head = Array("RIFF".utf8) + littleEndian(content.count + 4, 4)
        return head + Array("WEBP".utf8) + content
    }
}
