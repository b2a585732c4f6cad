// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SketchDrawing
import SketchFormat
import Testing

struct PDFTests {
    private func pdf(_ sketch: Sketch) throws -> String {
        // Bytes as letters, so that places stay the same.
        String(String.UnicodeScalarView(try SketchDrawing.draw(sketch, as: .pdf).map { Unicode.Scalar($0) }))
    }

    private func sketch(alpha: UInt8, count: Int = 300) throws -> Sketch {
        let points = (0..<count).map { index -> Point in
            let (x, y) = (index * 60, 5000 + index % 9 * 100)
            return Point(x: Int32(x), y: Int32(y), pressure: UInt8(40 + index % 200))
        }
        let stroke = try Stroke(colour: Colour(red: 1, green: 2, blue: 3, alpha: alpha), width: 500, points: points)
        return try Sketch(width: 200, height: 100, background: .white, strokes: [stroke])
    }

    @Test(arguments: [255, 90] as [UInt8])
    func itHoldsLinesAndNoPicture(alpha: UInt8) throws {
        let text = try pdf(try sketch(alpha: alpha))
        #expect(text.hasPrefix("%PDF-1.4\n") && text.hasSuffix("%%EOF\n"))
        #expect(!text.contains("/Image") && !text.contains("/Font"))
        #expect(text.contains("/MediaBox [ 0 0 150 75 ]"))
    }

    @Test func itSaysNothingOfWhenAndByWhatItWasMade() throws {
        let text = try pdf(try sketch(alpha: 255))
        for word in ["/Producer", "/Creator", "/CreationDate", "/ModDate", "/Author", "/Title", "cairo", "D:20", "/ID"]
        {
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test func theTableOfObjectsStillFits() throws {
        let bytes = try SketchDrawing.draw(try sketch(alpha: 128), as: .pdf)
        let text = try pdf(try sketch(alpha: 128))
        let start = try #require(text.components(after: "startxref\n").flatMap { Int($0.prefix { $0 != "\n" }) })
        #expect(bytes[start...].starts(with: Array("xref\n".utf8)))
        let lines = String(decoding: bytes[start...], as: UTF8.self).split(separator: "\n").dropFirst(3).prefix {
            $0.hasSuffix("n ")
        }
        #expect(lines.count > 5)
        for (index, line) in lines.enumerated() {
            let offset = try #require(Int(line.prefix(10)))
            #expect(bytes[offset...].starts(with: Array("\(index + 1) 0 obj".utf8)))
        }
    }

    @Test func theSameSketchGivesTheSameFile() throws {
        let sketch = try sketch(alpha: 128)
        for format in SketchDrawing.Format.allCases {
            #expect(try SketchDrawing.draw(sketch, as: format) == SketchDrawing.draw(sketch, as: format), "\(format)")
        }
    }

    @Test func aLargePageBecomesSmallerThanReadersAllow() throws {
        let text = try pdf(try Sketch(width: 32_768, height: 100))
        #expect(text.contains("/MediaBox [ 0 0 14400 "))
    }
}

extension String {
    fileprivate func components(after mark: String) -> Substring? {
        ranges(of: mark).last.map { self[$0.upperBound...] }
    }
}
