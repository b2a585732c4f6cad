// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SketchFormat
import Testing

@testable import WebServer

struct SketchLinesTests {
    @Test func aDrawingBecomesItsOneForm() throws {
        let text = "200 100 fffef0\np 1a2b3c 255 400 1000 2000 128 1250 2125 128\nm ffee00 128 1200 5000 5000 255\n"
        let svg = String(decoding: try #require(SketchLines.sketch(Array(text.utf8))).svg, as: UTF8.self)
        #expect(svg.contains("<g data-tool=\"pen\" data-width=\"4\" data-pressure=\"128 128\" stroke=\"#1a2b3c\">"))
        #expect(svg.contains("<path stroke-width=\"2.01\" d=\"M10 20L12.5 21.25\"/>"))
        #expect(svg.contains("<path stroke-width=\"12\" d=\"M50 50h0\"/>"))
    }

    @Test(arguments: [
        "", "\n", "200", "0 100", "200 99999", "200 100 fffe", "200 100 fffef0 1", "200 100\np 1a2b3c 255 400",
        "200 100\np 1a2b3c 255 400 1 2", "200 100\nq 1a2b3c 255 400 1 2 3", "200 100\np 1a2b3c 256 400 1 2 3",
        "200 100\np 1a2b3c 0 400 1 2 3", "200 100\np 1a2b3c 255 0 1 2 3", "200 100\np 1a2b3c 255 400 1 2 256",
        "200 100\np 1a2b3c 255 400 99999999999999999999 2 3", "200 100\np 1a2b3c 255 400 999999999 2 3",
        "200 100\np 1a2b3z 255 400 1 2 3", "-200 100", "200 100\np +a2b3c 255 400 1 2 3",
    ])
    func whatNoSketchHoldsIsRefused(_ text: String) { #expect(SketchLines.sketch(Array(text.utf8)) == nil) }
}
