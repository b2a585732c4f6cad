// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@testable import VaultClient

/// Pixels made by rule.
struct SamplePicture {
    let width: Int
    let height: Int
    var pixels: [UInt8]

    init(_ width: Int, _ height: Int, _ pixel: (Int, Int) throws -> (UInt8, UInt8, UInt8, UInt8)) rethrows {
        self.width = width
        self.height = height
        pixels = []
        pixels.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let (red, green, blue, opacity) = try pixel(x, y)
                pixels += [red, green, blue, opacity]
            }
        }
    }

    /// Red grows to the right, green downwards.
    static func slope(_ width: Int, _ height: Int) -> SamplePicture {
        SamplePicture(width, height) { x, y in
            (UInt8(x * 255 / max(width - 1, 1)), UInt8(y * 255 / max(height - 1, 1)), 60, 255)
        }
    }

    func drawn(_ form: PictureProtocol, _ geometry: PictureGeometry) -> [UInt8] {
        PictureDrawing.drawn(pixels: pixels, width: width, height: height, protocol: form, geometry: geometry)
    }
}

/// A colour that a decoder found.
struct SampleColor: Equatable {
    var red: Int
    var green: Int
    var blue: Int

    func isNear(_ other: SampleColor, within tolerance: Int) -> Bool {
        abs(red - other.red) <= tolerance && abs(green - other.green) <= tolerance
            && abs(blue - other.blue) <= tolerance
    }
}

extension SamplePicture {
    func color(_ x: Int, _ y: Int) -> SampleColor {
        let place = (y * width + x) * 4
        return SampleColor(red: Int(pixels[place]), green: Int(pixels[place + 1]), blue: Int(pixels[place + 2]))
    }

    /// The mean of a part.
    func mean(_ columns: Range<Int>, _ rows: Range<Int>) -> SampleColor {
        var sum = SampleColor(red: 0, green: 0, blue: 0)
        for y in rows {
            for x in columns {
                let color = color(x, y)
                sum = SampleColor(red: sum.red + color.red, green: sum.green + color.green, blue: sum.blue + color.blue)
            }
        }
        let count = columns.count * rows.count
        return SampleColor(red: sum.red / count, green: sum.green / count, blue: sum.blue / count)
    }
}
