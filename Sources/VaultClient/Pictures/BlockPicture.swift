// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `BlockPicture` draws two pixels in each cell: the upper half of a cell (U+2580) in the text's colour, the lower half
/// in the colour behind it.
///
/// A pixel that is more clear than not shows what is behind the text; the other half then stands alone.
enum BlockPicture {
    private static let upperHalf = Array("\u{2580}".utf8)
    private static let lowerHalf = Array("\u{2584}".utf8)
    /// Longest cell: both colours and the character.
    private static let cellByteCountMax = 48

    static func drawn(_ pixels: Span<UInt8>, _ size: PixelSize, _ geometry: PictureGeometry) -> [UInt8] {
        let box = geometry.blockBox(width: size.width, height: size.height)
        let halves = PixelSize(width: box.columns, height: box.rows * 2)
        var reduced = PixelReduction.reduced(pixels, size, to: halves)
        defer { PictureDrawing.wipe(&reduced) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(box.rows * (box.columns * cellByteCountMax + 8))
        for row in 0..<box.rows {
            var colors = BlockColors(depth: geometry.depth)
            for column in 0..<box.columns {
                let upper = pixel(reduced, row * 2 * box.columns + column)
                let lower = pixel(reduced, (row * 2 + 1) * box.columns + column)
                append(upper, lower, &colors, to: &bytes)
            }
            colors.reset(&bytes)
            bytes.append(0x0A)
        }
        return bytes
    }

    private static func append(
        _ upper: PixelColor?, _ lower: PixelColor?, _ colors: inout BlockColors, to bytes: inout [UInt8]
    ) {
        switch (upper, lower) {
        case (let upper?, let lower):
            colors.set(text: upper, behind: lower, &bytes)
            bytes += upperHalf
        case (nil, let lower?):
            colors.set(text: lower, behind: nil, &bytes)
            bytes += lowerHalf
        case (nil, nil):
            colors.reset(&bytes)
            bytes.append(0x20)
        }
    }

    private static func pixel(_ pixels: [UInt8], _ index: Int) -> PixelColor? {
        let place = index * 4
        guard pixels[place + 3] >= 128 else { return nil }
        return PixelColor(red: pixels[place], green: pixels[place + 1], blue: pixels[place + 2])
    }
}
