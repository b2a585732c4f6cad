// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PixelSize` holds width and height in pixels.
struct PixelSize: Sendable, Equatable {
    let width: Int
    let height: Int

    /// Size of the pixels in bytes: a red, a green, a blue and an opacity byte for each.
    var byteCount: Int { width * height * 4 }
}

/// `PixelReduction` makes pictures smaller.
enum PixelReduction {
    /// Averages of the pixels that each target pixel covers, opaque ones weighing more. Nothing is made larger: where
    /// the target has more pixels, some are repeated.
    ///
    /// - Returns: the target's pixels, which the caller wipes.
    static func reduced(_ pixels: Span<UInt8>, _ size: PixelSize, to target: PixelSize) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: target.byteCount)
        let columns = (0..<target.width).map { range($0, of: target.width, in: size.width) }
        var place = 0
        for row in 0..<target.height {
            let lines = range(row, of: target.height, in: size.height)
            for column in columns {
                let average = average(pixels, rowByteCount: size.width * 4, lines, column)
                for channel in 0..<4 { result[place + channel] = average[channel] }
                place += 4
            }
        }
        return result
    }

    private static func average(_ pixels: Span<UInt8>, rowByteCount: Int, _ lines: Range<Int>, _ columns: Range<Int>)
        -> SIMD4<UInt8>
    {
        var (red, green, blue, opacity) = (0, 0, 0, 0)
        for line in lines {
            var place = line * rowByteCount + columns.lowerBound * 4
            for _ in columns {
                let weight = Int(pixels[place + 3])
                red &+= Int(pixels[place]) &* weight
                green &+= Int(pixels[place + 1]) &* weight
                blue &+= Int(pixels[place + 2]) &* weight
                opacity &+= weight
                place &+= 4
            }
        }
        guard opacity > 0 else { return SIMD4(repeating: 0) }
        let half = opacity / 2
        let count = lines.count * columns.count
        return SIMD4(
            UInt8((red + half) / opacity), UInt8((green + half) / opacity), UInt8((blue + half) / opacity),
            UInt8((opacity + count / 2) / count))
    }

    private static func range(_ index: Int, of count: Int, in total: Int) -> Range<Int> {
        let start = index * total / count
        return start..<max((index + 1) * total / count, start + 1)
    }
}
