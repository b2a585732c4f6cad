// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SketchFormat
import Testing

struct ImportShapeTests {
    private func strokes(_ shapes: String) throws -> [Stroke] {
        var leftOut: [LeftOut: Int] = [:]
        let svg =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"100\" stroke=\"red\" fill=\"none\">\(shapes)</svg>"
        return try Sketch(importingSVG: Array(svg.utf8), leavingOut: &leftOut).strokes
    }

    private func places(_ path: String) throws -> [[Int32]] {
        try strokes("<path d=\"\(path)\"/>").flatMap(\.points).map { [$0.x, $0.y] }
    }

    @Test func straightCommandsInBothCases() throws {
        let square: [[Int32]] = [[100, 100], [500, 100], [500, 500], [100, 500], [100, 100]]
        for path in [
            "M1 1H5V5H1Z", "m1 1h4v4h-4z", "M1,1 5,1 5,5 1,5Z", "m1 1 4 0 0 4-4 0z", "M1e0.1e1L+5,1L5 5L1 50e-1z",
        ] {
            #expect(try places(path) == square, "\(path)")
        }
    }

    @Test func afterAClosedPathTheNextBeginsAtItsStart() throws {
        #expect(try strokes("<path d=\"M1 1h4v4zh-1\"/>").map(\.points.count) == [4, 2])
        #expect(try places("M1 1h4v4zl-1 0").suffix(2) == [[100, 100], [0, 100]])
    }

    @Test(arguments: [
        ("M0 0C0 40 60 40 60 0", "M0 0c0 40 60 40 60 0"),
        ("M0 0C0 20 30 40 60 0S60-40 90 0", "M0 0C0 20 30 40 60 0C90-40 60-40 90 0"),
        ("M0 0Q30 60 60 0T99 0", "M0 0Q30 60 60 0Q90-60 99 0"), ("M0 0q30 60 60 0t39 0", "M0 0Q30 60 60 0T99 0"),
        ("M10 10L20 10S30 20 30 30", "M10 10L20 10C20 10 30 20 30 30"), ("M5 5a9 9 0 1125 4", "M5 5A9 9 0 1 1 30 9"),
    ])
    func twoWaysToWriteACurveAreOneCurve(_ one: String, _ other: String) throws {
        #expect(try places(one) == places(other))
        #expect(try places(one).count > 6)
    }

    @Test func linesStayWithinTheToleranceOfTheCurve() throws {
        // y = x (60 - x) / 30 as one quadratic curve.
        for place in try places("M0 0Q30 60 60 0") {
            let (x, y) = (Double(place[0]) / 100, Double(place[1]) / 100)
            #expect(abs(y - x * (60 - x) / 30) < 0.02)
        }
        // Between two places of the parabola the line's middle is at most the tolerance away.
        let points = try places("M0 0Q30 60 60 0").map { (Double($0[0]) / 100, Double($0[1]) / 100) }
        for (a, b) in zip(points, points.dropFirst()) {
            let x = (a.0 + b.0) / 2
            #expect(abs((a.1 + b.1) / 2 - x * (60 - x) / 30) < 0.07)
        }
    }

    @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
    func theFourArcsBetweenTwoPlaces(_ isLarge: Bool, _ isClockwise: Bool) throws {
        // Radius 25 about (20, 35) or (50, 5)… the centres of the two circles through (20, 10) and (45, 35) are (45,
        // 10) and (20, 35).
        let points = try places("M20 10A25 25 0 \(isLarge ? 1 : 0) \(isClockwise ? 1 : 0) 45 35")
        let centre: (Double, Double) = isLarge == isClockwise ? (45, 10) : (20, 35)
        for point in points {
            let (x, y) = (Double(point[0]) / 100 - centre.0, Double(point[1]) / 100 - centre.1)
            #expect(abs((x * x + y * y).squareRoot() - 25) < 0.06)
        }
        #expect(points.first == [2000, 1000] && points.last == [4500, 3500])
        #expect((points.count > 20) == isLarge)
    }

    @Test func basicShapesClose() throws {
        let shapes = try strokes(
            "<rect x='1' y='1' width='9' height='5'/><rect width='20' height='10' rx='3'/><ellipse cx='50' cy='50' rx='20' ry='9'/>"
        )
        #expect(shapes.count == 3)
        for shape in shapes { #expect(shape.points.first == shape.points.last) }
        #expect(shapes[0].points.count == 5)
        #expect(shapes[2].points.map(\.x).max() == 7000 && shapes[2].points.map(\.y).min() == 4100)
        #expect(
            try strokes("<rect width='0' height='5'/><circle r='-1'/><polygon points=''/><path/><path d='M1 1'/>")
                .isEmpty)
    }

    @Test(arguments: [
        ("red", Colour(red: 255, green: 0, blue: 0)), ("#0f0", Colour(red: 0, green: 255, blue: 0)),
        ("#0000FF80", Colour(red: 0, green: 0, blue: 255, alpha: 128)),
        ("rgb(1, 2, 3)", Colour(red: 1, green: 2, blue: 3)),
        ("rgba(1 2 3 / 50%)", Colour(red: 1, green: 2, blue: 3, alpha: 128)),
        ("rgb(100%,50%,0%)", Colour(red: 255, green: 128, blue: 0)),
        ("RebeccaPurple", Colour(red: 0x66, green: 0x33, blue: 0x99)),
        ("rgb(300,-5,0)", Colour(red: 255, green: 0, blue: 0)), ("hsl(1,2%,3%)", .black), ("#12345", .black),
        ("#+12345", .black), ("", .black),
    ])
    func coloursAsTheyAreWritten(_ text: String, _ colour: Colour) throws {
        #expect(try strokes("<path d='M0 0h1' stroke='\(text)'/>").map(\.colour) == [colour])
    }

    @Test func placesBeyondAllBoundsAreMovedAndNeverTrap() throws {
        for path in [
            "M0 0L1e11 -1e11", "M0 0C1e11 0 0 1e11 5 5", "M0 0A1e-12 1e12 1e9 1 1 1e11 3", "M0 0L1e999 0",
            "M-1e12 1e12h1",
        ] {
            for transform in [
                "", "matrix(1e12 1e12 1e12 1e12 1e12 1e12)", "scale(0)", "scale(1e-12)", "skewX(90)", "rotate(1e12)",
            ] {
                _ = try strokes("<path transform='\(transform)' stroke-width='1e12' d='\(path)'/>")
            }
        }
        var leftOut: [LeftOut: Int] = [:]
        let far = "<svg xmlns='http://www.w3.org/2000/svg'><path stroke='red' fill='none' d='M0 0L99999 0'/></svg>"
        let sketch = try Sketch(importingSVG: Array(far.utf8), leavingOut: &leftOut)
        #expect(sketch.strokes.first?.points.last?.x == Point.coordinates.upperBound)
        #expect(leftOut == [.farPlaces: 1])
    }
}
