// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A sixel sequence (DEC STD 070) as pixels; nil for a sequence that holds anything else.
struct SixelDecoder {
    private(set) var width = 0
    private(set) var height = 0
    /// Pixels that were drawn, by row and column.
    private(set) var pixels: [[SampleColor?]] = []
    private(set) var isTransparent = false

    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: "\u{1B}P".utf8), bytes.suffix(2).elementsEqual("\u{1B}\\".utf8) else { return nil }
        var rest = bytes[2..<(bytes.count - 2)]
        guard let header = Self.numbers(&rest), rest.popFirst() == 0x71 else { return nil }
        isTransparent = header.count > 1 && header[1] == 1
        var palette: [Int: SampleColor] = [:]
        var (color, x, y) = (0, 0, 0)
        while let byte = rest.popFirst() {
            switch byte {
            case 0x22:
                guard let size = Self.numbers(&rest), size.count == 4 else { return nil }
                (width, height) = (size[2], size[3])
                pixels = Array(repeating: Array(repeating: nil, count: width), count: height)
            case 0x23:
                guard let parts = Self.numbers(&rest), let number = parts.first else { return nil }
                color = number
                if parts.count == 5 && parts[1] == 2 {
                    palette[number] = SampleColor(
                        red: parts[2] * 255 / 100, green: parts[3] * 255 / 100, blue: parts[4] * 255 / 100)
                }
            case 0x21:
                guard let count = Self.numbers(&rest)?.first, let piece = rest.popFirst(),
                    draw(piece, count, palette[color], &x, y)
                else {
                    return nil
                }
            case 0x24: x = 0
            case 0x2D: (x, y) = (0, y + 6)
            default: guard draw(byte, 1, palette[color], &x, y) else { return nil }
            }
        }
    }

    private mutating func draw(_ byte: UInt8, _ count: Int, _ color: SampleColor?, _ x: inout Int, _ y: Int) -> Bool {
        guard (0x3F...0x7E).contains(byte), x + count <= width else { return false }
        for bit in 0..<6 where (byte - 0x3F) >> UInt8(bit) & 1 == 1 {
            guard y + bit < height, let color else { return false }
            for column in x..<(x + count) { pixels[y + bit][column] = color }
        }
        x += count
        return true
    }

    private static func numbers(_ bytes: inout ArraySlice<UInt8>) -> [Int]? {
        let text = bytes.prefix { (0x30...0x39).contains($0) || $0 == 0x3B }
        bytes = bytes.dropFirst(text.count)
        let parts = text.split(separator: 0x3B).map { Int(String(decoding: $0, as: UTF8.self)) }
        return parts.contains(nil) ? nil : parts.compactMap { $0 }
    }
}
