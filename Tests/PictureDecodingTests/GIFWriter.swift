// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// GIF files whose data is not compressed: the table of codes is cleared before it grows. Source: GIF89a specification.
enum GIFWriter {
    struct Frame {
        var left = 0
        var top = 0
        let width: Int
        let height: Int
        var isInterlaced = false
        var transparent: Int?
        /// Numbers of colours, 0…3, in the order of the rows of the picture.
        let indices: [UInt8]
    }

    /// Red, green, blue and white.
    static let palette: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]

    static func file(screen: (Int, Int), _ frames: [Frame]) -> [UInt8] {
        let head = Array("GIF89a".utf8) + littleEndian(screen.0, 2) + littleEndian(screen.1, 2) + [0x81, 0, 0]
        return head + palette + frames.flatMap { encoded($0) } + [0x3B]
    }

    private static func encoded(_ frame: Frame) -> [UInt8] {
        var out: [UInt8] = []
        if let transparent = frame.transparent { out += [0x21, 0xF9, 4, 1, 0, 0, UInt8(transparent), 0] }
        out += [0x2C] + [frame.left, frame.top, frame.width, frame.height].flatMap { littleEndian($0, 2) }
        return out + [frame.isInterlaced ? 0x40 : 0, 2] + blocks(codes(inOrder(frame))) + [0]
    }

    private static func inOrder(_ frame: Frame) -> [UInt8] {
        guard frame.isInterlaced else { return frame.indices }
        let rows = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: frame.height, by: $0.1)) }
        return rows.flatMap { frame.indices[$0 * frame.width..<($0 + 1) * frame.width] }
    }

    /// Codes of three bits, lowest bit first: 4 clears the table, 5 ends. After two colours the next code would need
    /// four bits.
    private static func codes(_ indices: [UInt8]) -> [UInt8] {
        let codes = indices.enumerated().flatMap { at, index in at % 2 == 0 ? [4, Int(index)] : [Int(index)] } + [5]
        let bits = codes.flatMap { code in (0..<3).map { code >> $0 & 1 } }
        return stride(from: 0, to: bits.count, by: 8).map { at in
            UInt8(bits[at..<min(at + 8, bits.count)].reversed().reduce(0) { $0 << 1 | $1 })
        }
    }

    private static func blocks(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 255).flatMap { at in
            let part = bytes[at..<min(at + 255, bytes.count)]
            return [UInt8(part.count)] + part
        }
    }
}
