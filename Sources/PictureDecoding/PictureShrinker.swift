// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `PictureShrinker` makes a picture smaller as its rows come, in any order, with memory for the small picture only.
///
/// Each small pixel is the mean of the area that it covers. A pixel of the source that lies on an edge counts for both
/// sides by its share; the shares are whole numbers, so a picture that keeps its size is not changed. Colours count by
/// their alpha: what is transparent has none. Where no row came, the picture is transparent.
struct PictureShrinker {
    let width: Int
    let height: Int
    private var sourceWidth = 0
    private var sourceHeight = 0
    /// Sums over the small pixels: red, green, blue times alpha, and alpha, times shares. At most 255² ×
    /// `pixelCountMax`.
    private var sums: [UInt64]
    /// The same of one row, before the vertical shares.
    private var rowSums: [UInt64]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        sums = [UInt64](repeating: 0, count: 4 * width * height)
        rowSums = [UInt64](repeating: 0, count: 4 * width)
    }

    /// Begins with the size that the rows will make up, which is not below this picture's own.
    mutating func begin(sourceWidth: Int, sourceHeight: Int) {
        self.sourceWidth = sourceWidth
        self.sourceHeight = sourceHeight
    }

    /// Adds a row to the picture; returns false for a row that lies outside of the source.
    mutating func add(_ row: [UInt8], at place: RowPlace) -> Bool {
        guard place.count > 0, place.x >= 0, place.step > 0, 0..<sourceHeight ~= place.y, 4 * place.count <= row.count,
            place.x + (place.count - 1) * place.step < sourceWidth
        else { return false }
        sumUp(row, place)
        // In units of which `sourceHeight` make a small pixel and `height` one of the source.
        let top = place.y * height
        let line = top / sourceHeight
        let inFirst = min(height, (line + 1) * sourceHeight - top)
        addRow(to: line, share: UInt64(inFirst))
        if inFirst < height { addRow(to: line + 1, share: UInt64(height - inFirst)) }
        return true
    }

    private mutating func sumUp(_ row: [UInt8], _ place: RowPlace) {
        for index in rowSums.indices { rowSums[index] = 0 }
        var column = place.x * width / sourceWidth
        for index in 0..<place.count {
            let left = (place.x + index * place.step) * width
            while (column + 1) * sourceWidth <= left { column += 1 }
            let inFirst = min(width, (column + 1) * sourceWidth - left)
            let alpha = UInt64(row[4 * index + 3])
            let colours = (
                alpha * UInt64(row[4 * index]), alpha * UInt64(row[4 * index + 1]), alpha * UInt64(row[4 * index + 2])
            )
            addPixel(colours, alpha, to: column, share: UInt64(inFirst))
            if inFirst < width { addPixel(colours, alpha, to: column + 1, share: UInt64(width - inFirst)) }
        }
    }

    @inline(__always)
    private mutating func addPixel(_ colours: (UInt64, UInt64, UInt64), _ alpha: UInt64, to column: Int, share: UInt64)
    {
        rowSums[4 * column] += colours.0 * share
        rowSums[4 * column + 1] += colours.1 * share
        rowSums[4 * column + 2] += colours.2 * share
        rowSums[4 * column + 3] += alpha * share
    }

    private mutating func addRow(to line: Int, share: UInt64) {
        let start = 4 * width * line
        for index in 0..<4 * width { sums[start + index] += rowSums[index] * share }
    }

    /// The small picture, after the last row.
    var pixels: PicturePixels {
        var rgba = [UInt8](repeating: 0, count: sums.count)
        let area = UInt64(sourceWidth * sourceHeight)
        for pixel in stride(from: 0, to: sums.count, by: 4) {
            let alpha = sums[pixel + 3]
            guard alpha > 0 else { continue }
            for colour in pixel..<pixel + 3 { rgba[colour] = UInt8(clamping: (sums[colour] + alpha / 2) / alpha) }
            rgba[pixel + 3] = UInt8(clamping: (alpha + area / 2) / area)
        }
        return PicturePixels(width: width, height: height, rgba: rgba)
    }
}
