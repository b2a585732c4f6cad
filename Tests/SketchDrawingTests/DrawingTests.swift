// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SketchDrawing
import SketchFormat
import Testing

struct DrawingTests {
    private let red = Colour(red: 255, green: 0, blue: 0)

    /// A canvas of 200 × 100 with a red line of 20 units across its middle, half clear or whole.
    private func line(alpha: UInt8 = 255, background: Colour? = nil, pressures: [UInt8] = [255, 255, 255]) throws
        -> Sketch
    {
        let points = zip([2000, 10_000, 18_000], pressures).map { Point(x: $0, y: 5000, pressure: $1) }
        let stroke = try Stroke(colour: Colour(red: 255, green: 0, blue: 0, alpha: alpha), width: 2000, points: points)
        return try Sketch(width: 200, height: 100, background: background, strokes: [stroke])
    }

    @Test func aPNGIsClearWhereNothingIsDrawn() throws {
        let decoded = try Decoded.png(SketchDrawing.draw(try line(), as: .png))
        #expect([decoded.width, decoded.height] == [200, 100])
        #expect(decoded[5, 5] == [0, 0, 0, 0])
        #expect(decoded[100, 50] == [255, 0, 0, 255])
        #expect(decoded[100, 41] == [255, 0, 0, 255] && decoded[100, 38] == [0, 0, 0, 0])
    }

    @Test func aJPEGIsOnWhite() throws {
        let decoded = try Decoded.jpeg(SketchDrawing.draw(try line(alpha: 128), as: .jpeg, width: 400))
        #expect([decoded.width, decoded.height] == [400, 200])
        #expect(decoded[10, 10].allSatisfy { $0 > 250 })
        #expect(
            decoded[200, 100][0] > 250 && abs(decoded[200, 100][1] - 127) < 6 && abs(decoded[200, 100][2] - 127) < 6)
    }

    @Test func widthFollowsPressure() throws {
        let decoded = try Decoded.png(SketchDrawing.draw(try line(pressures: [255, 51, 51]), as: .png))
        // The second half is a fifth of the width: 4 units.
        #expect(decoded[150, 50][3] == 255 && decoded[150, 45][3] == 0)
        #expect(decoded[50, 45][3] == 255)
    }

    @Test func aClearStrokeDoesNotShowItsJoints() throws {
        let pixels = try SketchDrawing.draw(try line(alpha: 128, pressures: [255, 200, 255]), pixels: 1024)
        #expect([pixels.width, pixels.height] == [200, 100])
        for x in 30...170 {
            let start = (50 * 200 + x) * 4
            #expect(Array(pixels.rgba[start..<start + 4]) == [255, 0, 0, 128], "\(x)")
        }
    }

    @Test func aLongStrokeIsDrawnWholeThoughInParts() throws {
        let points = (0...1000).map { Point(x: Int32($0 * 20), y: 5000) }
        let sketch = try Sketch(width: 200, height: 100, strokes: [try Stroke(colour: red, width: 300, points: points)])
        let decoded = try Decoded.png(SketchDrawing.draw(sketch, as: .png))
        for x in 0..<200 { #expect(decoded[x, 50] == [255, 0, 0, 255]) }
    }

    @Test func aDotIsRound() throws {
        let dot = try Stroke(colour: red, width: 4000, points: [Point(x: 10_000, y: 5000)])
        let decoded = try Decoded.png(SketchDrawing.draw(try Sketch(width: 200, height: 100, strokes: [dot]), as: .png))
        #expect(decoded[100, 50][3] == 255 && decoded[118, 50][3] == 255 && decoded[115, 65][3] == 0)
    }

    @Test func pixelsAreNotPremultipliedAndFitTheirBox() throws {
        let sketch = try line(alpha: 64, background: nil)
        let pixels = try SketchDrawing.draw(sketch, pixels: 50)
        #expect([pixels.width, pixels.height, pixels.rgba.count] == [50, 25, 50 * 25 * 4])
        let middle = (12 * 50 + 25) * 4
        #expect(Array(pixels.rgba[middle..<middle + 4]) == [255, 0, 0, 64])
        #expect(Array(pixels.encoded.prefix(9)) == [0, 0, 0, 0, 50, 0, 0, 0, 25])
        let strip = try Sketch(width: 32_768, height: 1)
        #expect(try SketchDrawing.draw(strip, pixels: 1024).rgba.count == 1024 * 4)
    }

    @Test func sizesAreCheckedBeforeMemoryIsTaken() throws {
        let large = try Sketch(width: 32_768, height: 32_768)
        for format in [SketchDrawing.Format.png, .jpeg] {
            for width in [nil, 0, -1, 8193, 32_768, Int.max] {
                #expect(throws: SketchDrawingError(.tooLarge)) {
                    try SketchDrawing.draw(large, as: format, width: width)
                }
            }
        }
        #expect(throws: SketchDrawingError(.tooLarge)) {
            try SketchDrawing.draw(try Sketch(width: 1, height: 32_768), as: .png, width: 2)
        }
        #expect(throws: SketchDrawingError(.tooLarge)) {
            try SketchDrawing.draw(try Sketch(width: 10, height: 1), as: .png, width: 641)
        }
    }

    @Test func placesFarOutsideAreDrawnAsNothing() throws {
        let (low, high) = (Point.coordinates.lowerBound, Point.coordinates.upperBound)
        let corners = [
            Point(x: low, y: low, pressure: 3), Point(x: high, y: high), Point(x: high, y: low, pressure: 9),
            Point(x: low, y: high),
        ]
        let strokes = try [255, 100].map {
            try Stroke(colour: Colour(red: 0, green: 0, blue: 0, alpha: $0), width: 100_000, points: corners)
        }
        let sketch = try Sketch(width: 1, height: 1, strokes: strokes)
        for format in SketchDrawing.Format.allCases {
            #expect(try !SketchDrawing.draw(sketch, as: format, width: format == .pdf ? nil : 64).isEmpty)
        }
    }
}
