// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// How a picture is to be turned before it is shown: the number of Exif's tag 0x0112, which says where the first row
/// and column belong.
struct ExifOrientation: Equatable {
    /// 1…8; 1 is upright.
    let number: Int

    static let upright = ExifOrientation(number: 1)

    /// - Returns: nil for a number that means nothing.
    init?(_ number: Int) {
        guard 1...8 ~= number else { return nil }
        self.number = number
    }

    private init(number: Int) { self.number = number }

    /// Whether rows become columns.
    private var swapsSides: Bool { number >= 5 }

    func turning(_ pixels: PicturePixels) -> PicturePixels {
        guard self != .upright else { return pixels }
        let width = swapsSides ? pixels.height : pixels.width
        let height = swapsSides ? pixels.width : pixels.height
        var rgba = [UInt8](repeating: 0, count: pixels.rgba.count)
        for y in 0..<height {
            for x in 0..<width {
                let from = 4 * source(x, y, pixels.width, pixels.height)
                let to = 4 * (y * width + x)
                for part in 0..<4 { rgba[to + part] = pixels.rgba[from + part] }
            }
        }
        return PicturePixels(width: width, height: height, rgba: rgba)
    }

    /// Which pixel of the stored picture is shown at a place.
    private func source(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Int {
        let (column, row) =
            switch number {
            case 2: (width - 1 - x, y)
            case 3: (width - 1 - x, height - 1 - y)
            case 4: (x, height - 1 - y)
            case 5: (y, x)
            case 6: (y, height - 1 - x)
            case 7: (width - 1 - y, height - 1 - x)
            case 8: (width - 1 - y, x)
            default: (x, y)
            }
        return row * width + column
    }
}
