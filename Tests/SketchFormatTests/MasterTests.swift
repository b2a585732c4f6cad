// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SketchFormat
import Testing
import VaultTesting

struct MasterTests {
    @Test func theWorkedExampleIsWrittenAndRead() throws {
        let sketch = try Example.sketch()
        #expect(String(decoding: try sketch.svg, as: UTF8.self) == Example.svg)
        #expect(try Sketch(parsingSVG: Array(Example.svg.utf8)) == sketch)
    }

    @Test func everySketchIsReadBackAsItself() throws {
        var numbers = SeededGenerator(4)
        var seen = 0
        for _ in 0..<400 {
            let sketch = try Sketch.random(&numbers)
            let svg = try sketch.svg
            let again = try Sketch(parsingSVG: svg)
            #expect(again == sketch)
            seen += again.strokes.count
        }
        #expect(seen > 400)
    }

    @Test func everyOpacityHasOneText() throws {
        for alpha in 1...255 {
            let colour = Colour(red: 1, green: 2, blue: 3, alpha: UInt8(alpha))
            let sketch = try Sketch(width: 1, height: 1, background: colour)
            #expect(try Sketch(parsingSVG: sketch.svg).background == colour)
        }
    }

    @Test func noFlippedBitTrapsOrGivesASecondForm() throws {
        var numbers = SeededGenerator(71)
        let svg = Array(Example.svg.utf8)
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = svg
            for _ in 0..<Int.random(in: 1...2, using: &numbers) {
                bytes[Int.random(in: 0..<bytes.count, using: &numbers)] ^= UInt8(
                    1 << Int.random(in: 0..<8, using: &numbers))
            }
            guard let sketch = try? Sketch(parsingSVG: bytes) else { continue }
            accepted += 1
            #expect(try sketch.svg == bytes)
        }
        // Some flips give another digit of a colour or a time: still the one form of another sketch.
        #expect(accepted > 0 && accepted < 10_000)
    }

    @Test func everyPrefixAndEveryTailIsRefused() {
        let svg = Array(Example.svg.utf8)
        for count in svg.indices { #expect(throws: SketchError.self) { try Sketch(parsingSVG: Array(svg[..<count])) } }
        #expect(throws: SketchError(.unexpected, offset: svg.count)) { try Sketch(parsingSVG: svg + [10]) }
        #expect(throws: SketchError(.notASketch, offset: 0)) { try Sketch(parsingSVG: [0xEF, 0xBB, 0xBF] + svg) }
    }

    @Test(arguments: Hostile.all)
    func nothingForeignIsTaken(_ hostile: Hostile) throws {
        let bytes = hostile.applied(to: Example.svg)
        #expect(bytes != Array(Example.svg.utf8), "the example must hold the place that is changed")
        #expect(throws: SketchError.self) { try Sketch(parsingSVG: bytes) }
    }

    @Test(arguments: [
        // The picture shows another line, width, colour or canvas than the strokes have.
        ("M12.5 21.25L16.07", "M12.5 21.24L16.07"), ("stroke-width=\"3\"", "stroke-width=\"9\""),
        ("128 128 255", "128 128 250"),
        ("128 128 255", "128 128"), ("128 128 255", "128 128 255 255"), ("1500 8 9", "1500 8"),
        ("viewBox=\"0 0 200", "viewBox=\"0 0 201"),
        ("<rect width=\"200\"", "<rect width=\"20\""), ("<path stroke-width=\"12\"", "<path stroke-width=\"1\""),
        // The same values in another form.
        ("M10 20", "M10.0 20"), ("M10 20", "M010 20"), ("M10 20", "M10 20.00"), ("-0.5", "-.5"), ("-0.5", "-0.50"),
        ("0.502", "0.503"),
        ("M50 50", "M50 -0"), ("data-time=\"1500", "data-time=\"01500"), ("h0", "h0h0"),
        ("stroke=\"#000000\"", "stroke=\"#000000\" opacity=\"1\""),
        ("data-width=\"12\"", "data-width=\"12\" data-pressure=\"255 255\""),
    ])
    func aSecondFormIsRefused(_ old: String, _ new: String) throws {
        let bytes = Hostile(name: "", old: old, new: new).applied(to: Example.svg)
        #expect(bytes != Array(Example.svg.utf8))
        #expect(throws: SketchError.self) { try Sketch(parsingSVG: bytes) }
    }
}
