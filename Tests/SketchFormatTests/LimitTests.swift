// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SketchFormat
import Testing

struct LimitTests {
    private let dot = [Point(x: 0, y: 0)]

    @Test func valuesOutOfRangeAreNoSketch() throws {
        for side in [0, -1, 32_769] {
            #expect(throws: SketchError(.outOfRange)) { try Sketch(width: side, height: 1) }
            #expect(throws: SketchError(.outOfRange)) { try Sketch(width: 1, height: side) }
        }
        for width: Int32 in [0, -5, 100_001, .max, .min] {
            #expect(throws: SketchError(.outOfRange)) { try Stroke(width: width, points: dot) }
        }
        #expect(throws: SketchError(.outOfRange)) { try Stroke(width: 1, points: []) }
        let clear = Colour(red: 0, green: 0, blue: 0, alpha: 0)
        #expect(throws: SketchError(.outOfRange)) { try Stroke(colour: clear, width: 1, points: dot) }
        #expect(throws: SketchError(.outOfRange)) { try Sketch(width: 1, height: 1, background: clear) }
        for x in [Point.coordinates.lowerBound - 1, Point.coordinates.upperBound + 1, .min, .max] {
            #expect(throws: SketchError(.outOfRange)) { try Stroke(width: 1, points: [Point(x: x, y: 0)]) }
            #expect(throws: SketchError(.outOfRange)) { try Stroke(width: 1, points: [Point(x: 0, y: x)]) }
        }
    }

    @Test func timesAreThereForAllOrNoneAndNeverRunBack() {
        let (early, late, none) = (Point(x: 0, y: 0, time: 4), Point(x: 0, y: 0, time: 5), Point(x: 0, y: 0))
        for points in [[late, early], [early, none], [none, early]] {
            #expect(throws: SketchError(.outOfRange)) { try Stroke(width: 1, points: points) }
        }
        #expect(throws: Never.self) { try Stroke(width: 1, points: [early, early, late]) }
    }

    @Test func countsEndWhereTheFormatSays() throws {
        let stroke = try Stroke(width: 100, points: dot)
        let most = try Sketch(width: 1, height: 1, strokes: Array(repeating: stroke, count: Sketch.strokeCountMax))
        #expect(try Sketch(parsingSVG: most.svg).strokes.count == Sketch.strokeCountMax)
        #expect(throws: SketchError(.tooManyStrokes)) {
            try Sketch(width: 1, height: 1, strokes: most.strokes + [stroke])
        }

        let more = String(decoding: try most.svg, as: UTF8.self).replacing(
            "</svg>",
            with:
                "<g data-tool=\"pen\" data-width=\"1\" stroke=\"#000000\">\n<path stroke-width=\"1\" d=\"M0 0h0\"/>\n</g>\n</svg>"
        )
        #expect { try Sketch(parsingSVG: Array(more.utf8)) } throws: { ($0 as? SketchError)?.code == .tooManyStrokes }

        let half = try Stroke(width: 100, points: Array(repeating: Point(x: 7, y: 7), count: Sketch.pointCountMax / 2))
        let full = try Sketch(width: 1, height: 1, strokes: [half, half])
        #expect(try Sketch(parsingSVG: full.svg).pointCount == Sketch.pointCountMax)
        #expect(throws: SketchError(.tooManyPoints)) { try Sketch(width: 1, height: 1, strokes: [half, half, stroke]) }
        let tail = Array("\"/>\n</g>\n</svg>\n".utf8)
        let longer = try full.svg.dropLast(tail.count) + Array(" 1 1".utf8) + tail
        #expect { try Sketch(parsingSVG: Array(longer)) } throws: { ($0 as? SketchError)?.code == .tooManyPoints }
    }

    @Test func aFileAboveItsCapIsNeitherWrittenNorRead() throws {
        let points = (0..<400_000).map { Point(x: 6_000_001, y: 6_000_001, pressure: $0.isMultiple(of: 2) ? 10 : 200) }
        let pulsing = try Stroke(tool: .marker, width: 100_000, points: points)
        #expect(throws: SketchError(.tooLarge)) { try Sketch(width: 9, height: 9, strokes: [pulsing, pulsing]).svg }
        #expect(throws: SketchError(.tooLarge)) {
            try Sketch(parsingSVG: [UInt8](repeating: 0x3C, count: Sketch.byteCountMax + 1))
        }
    }

    @Test(arguments: ["99999999999999999999999999", "4294967296", "", "1e3", "0x10", " 7", "+7", "--1", "1..2", "٣"])
    func aNumberThatIsNoneIsRefused(number: String) {
        for (old, new) in [
            ("width=\"200\" height=\"100\" view", "width=\"\(number)\" height=\"100\" view"),
            ("data-width=\"4\"", "data-width=\"\(number)\""),
            ("M10 20", "M10 \(number)"), ("1500", number), ("128 128 255", "128 128 \(number)"),
        ] {
            #expect(throws: SketchError.self) {
                try Sketch(parsingSVG: Hostile(name: "", old: old, new: new).applied(to: Example.svg))
            }
        }
    }

    @Test func widthsOfPiecesAreWholeNumberMeans() throws {
        let points = [0, 0, 128, 255, 255].map { Point(x: 0, y: 0, pressure: $0) }
        #expect(try Stroke(width: 400, points: points).pieces.map(\.width) == [1, 100, 300, 400])
        let marked = try Stroke(tool: .marker, width: 400, points: points).pieces
        #expect(marked.map { [Int($0.width), $0.first, $0.last] } == [[400, 0, 4]])
        let dot = try Stroke(width: 400, points: [points[2]]).pieces
        #expect(dot.map { [Int($0.width), $0.first, $0.last] } == [[201, 0, 0]])
    }
}
