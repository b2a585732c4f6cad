// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SketchFormat
import Testing

/// Files in the manner of drawing programs, written for these tests.
struct ImportSampleTests {
    private func imported(_ svg: String) throws -> (sketch: Sketch, leftOut: [LeftOut: Int]) {
        var leftOut: [LeftOut: Int] = [.text: 99]
        let sketch = try Sketch(importingSVG: Array(svg.utf8), leavingOut: &leftOut)
        #expect(try Sketch(parsingSVG: sketch.svg) == sketch)
        return (sketch, leftOut)
    }

    private func places(_ stroke: Stroke) -> [[Int32]] { stroke.points.map { [$0.x, $0.y] } }

    @Test func aMasterIsTakenExactly() throws {
        let (sketch, leftOut) = try imported(Example.svg)
        #expect(try sketch == Example.sketch())
        #expect(leftOut.isEmpty)
    }

    @Test func aDrawingProgramWithMillimetresLayersAndStyles() throws {
        let (sketch, leftOut) = try imported(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="no"?>
            <!-- Created with a drawing program -->
            <svg width="210mm" height="297mm" viewBox="0 0 210 297" version="1.1" xmlns="http://www.w3.org/2000/svg"
               xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd">
              <sodipodi:namedview id="base" pagecolor="#ffffff"><inkscape:grid type="xygrid"/></sodipodi:namedview>
              <defs id="d"><linearGradient id="l"><stop offset="0"/></linearGradient></defs>
              <g inkscape:label="Layer 1" transform="translate(10,-20)">
                <path style="fill:none;stroke:#ff0000;stroke-width:0.5;stroke-linecap:round;stroke-opacity:0.5" d="m 10,30 20,0 v 10 z"/>
                <text x="1" y="2"><tspan>words</tspan></text>
                <path style="fill:#00ff00;stroke:none" d="M 0 20 H 10 V 30 Z" onclick="alert(1)"/>
              </g>
            </svg>
            """)
        #expect([sketch.width, sketch.height] == [794, 1123])
        #expect(sketch.strokes.count == 2)
        let line = try #require(sketch.strokes.first)
        #expect(line.colour == Colour(red: 255, green: 0, blue: 0, alpha: 128))
        #expect(line.width == 189)
        // 20 mm and 10 mm at 96 dots per inch.
        #expect(places(line) == [[7559, 3780], [15118, 3780], [15118, 7559], [7559, 3780]])
        #expect(sketch.strokes[1].colour == Colour(red: 0, green: 255, blue: 0))
        #expect(leftOut == [.text: 1, .fills: 1, .scripts: 1, .foreignContent: 1])
    }

    @Test func aWhiteboardExport() throws {
        let (sketch, leftOut) = try imported(
            """
            <svg version="1.1" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200" width="300" height="200"><!-- svg-source:board -->
            <metadata></metadata><defs><style class="style-fonts">@font-face { src: url(https://example.org/f.woff2) }</style></defs>
            <rect x="0" y="0" width="300" height="200" fill="#ffffff"></rect>
            <g stroke-linecap="round" transform="translate(10 20) rotate(90 50 50)"><path d="M0 0 C0 0, 100 0, 100 0" stroke="#1e1e1e"
            stroke-width="2" fill="none" stroke-dasharray="8 10"></path></g><mask></mask><g transform="translate(0 0)"><text>hello</text></g>
            <image href="data:image/png;base64,AAAA"/><use href="#x"/></svg>
            """)
        #expect(sketch.background == .white)
        #expect(sketch.strokes.count == 1)
        let line = try #require(sketch.strokes.first)
        #expect(
            [line.points.first?.x, line.points.first?.y, line.points.last?.x, line.points.last?.y] == [
                11000, 2000, 11000, 12000,
            ])
        #expect(leftOut == [.styleSheets: 1, .dashes: 1, .effects: 1, .text: 1, .images: 1, .references: 1])
    }

    @Test func shortLinesOfManyWidthsBecomeOneStroke() throws {
        let style =
            "fill:none;stroke-linecap:round;stroke-linejoin:round;stroke:rgb(0%,20%,100%);stroke-opacity:1;stroke-miterlimit:10;"
        let (sketch, leftOut) = try imported(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="600pt" height="840pt" viewBox="0 0 600 840">
            <g id="surface1"><rect x="0" y="0" width="600" height="840" style="fill:rgb(100%,100%,100%);fill-opacity:1;stroke:none;"/>
            <path style="\(style)stroke-width:1;" d="M 30 30 L 60 30 "/><path style="\(style)stroke-width:2;" d="M 60 30 L 90 60 "/>
            <path style="\(style)stroke-width:4;" d="M 90 60 L 120 60 "/><path style="\(style)stroke-width:4;" d="M 300 60 L 330 60 "/></g></svg>
            """)
        #expect(sketch.strokes.map(\.points.count) == [4, 2])
        let line = try #require(sketch.strokes.first)
        #expect(line.colour == Colour(red: 0, green: 51, blue: 255))
        #expect(line.width == 533)
        #expect(line.points.map(\.pressure) == [64, 64, 128, 255])
        #expect(places(line) == [[4000, 4000], [8000, 4000], [12000, 8000], [16000, 8000]])
        #expect(sketch.background == .white)
        #expect(leftOut.isEmpty)
    }

    @Test func aTabletAppWithPrefixesAndNestedOpacity() throws {
        let (sketch, leftOut) = try imported(
            """
            \u{FEFF}<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
            <s:svg xmlns:s='http://www.w3.org/2000/svg' viewBox='0 0 1024 768'><s:title>A &amp; B</s:title>
            <s:g opacity='.5' stroke='currentColor' color='Teal' fill='none' stroke-width='3px'><s:g opacity="50%">
            <s:polyline points='1,2 3,4,5-6.5.5'/><s:line x1='1' x2='2' y1='3' y2='3'/></s:g>
            <s:a href='https://example.org'><s:circle cx='100' cy='100' r='50'/></s:a>
            <s:path d='M1 1L2 2' display='none'/><s:path d='M1 1L2 2 L x'/><s:blink/></s:g></s:svg>
            """)
        #expect([sketch.width, sketch.height] == [1024, 768])
        #expect(sketch.strokes.map(\.colour.alpha) == [64, 64, 128, 128])
        #expect(sketch.strokes.allSatisfy { $0.width == 300 && $0.colour.green == 128 && $0.colour.red == 0 })
        #expect(places(sketch.strokes[0]) == [[100, 200], [300, 400], [500, -650]])
        #expect(leftOut == [.links: 1, .hidden: 1, .damagedShapes: 2, .unknownElements: 1])
        for point in sketch.strokes[2].points {
            let (x, y) = (Double(point.x - 10_000), Double(point.y - 10_000))
            #expect(abs((x * x + y * y).squareRoot() - 5000) < 7)
        }
    }
}
