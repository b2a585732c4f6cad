// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CPictureWriters
import Glibc

/// Pixels that tests make pictures of.
struct TestPicture {
    let width: Int
    let height: Int
    /// Red, green, blue, alpha.
    var rgba: [UInt8]

    init(_ width: Int, _ height: Int, _ pixel: (_ x: Int, _ y: Int) -> [UInt8]) {
        self.width = width
        self.height = height
        rgba = []
        rgba.reserveCapacity(4 * width * height)
        for y in 0..<height { for x in 0..<width { rgba += pixel(x, y) } }
    }

    /// Another colour at each place, smooth enough for JPEG; opaque.
    static func gradient(_ width: Int, _ height: Int) -> TestPicture {
        TestPicture(width, height) { x, y in [UInt8(255 * x / width), UInt8(255 * y / height), 128, 255] }
    }

    /// A quarter of each colour: red, green / blue, white. Shows where a picture was turned to.
    static func quarters(_ width: Int, _ height: Int) -> TestPicture {
        TestPicture(width, height) { x, y in
            switch (x < width / 2, y < height / 2) {
            case (true, true): [255, 0, 0, 255]
            case (false, true): [0, 255, 0, 255]
            case (true, false): [0, 0, 255, 255]
            case (false, false): [255, 255, 255, 255]
            }
        }
    }

    /// Every `channel` of the pixels: 0 red, 1 green, 2 blue, 3 alpha.
    func channels(_ channels: Int...) -> [UInt8] {
        stride(from: 0, to: rgba.count, by: 4).flatMap { at in channels.map { rgba[at + $0] } }
    }

    func jpeg(isProgressive: Bool = false) -> [UInt8] {
        Self.jpeg(channels(0, 1, 2), width, height, channels: 3, isProgressive: isProgressive)
    }

    static func jpeg(_ pixels: [UInt8], _ width: Int, _ height: Int, channels: Int, isProgressive: Bool = false)
        -> [UInt8]
    {
        var count = 0
        let bytes = unsafe vpw_jpeg(
            pixels, UInt32(width), UInt32(height), Int32(channels), isProgressive ? 1 : 0, &count)
        defer { unsafe free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    func webp(isLossless: Bool) -> [UInt8] {
        var count = 0
        let bytes = unsafe vpw_webp(rgba, Int32(width), Int32(height), isLossless ? 1 : 0, &count)
        defer { unsafe free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}

func bigEndian(_ value: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
func littleEndian(_ value: Int, _ byteCount: Int) -> [UInt8] { bigEndian(value, byteCount).reversed() }
