// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import SketchDrawing
import SketchFormat
import Testing

struct CommandTests {
    private let foreign = Array(
        "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='30'><text>x</text><image/><text/><path stroke='red' d='M1 1L9 9'/></svg>"
            .utf8)

    private func run(_ line: String, _ input: [UInt8]) throws -> [UInt8] {
        try #require(SketchCommand(line.split(separator: " ").map { String($0) })).run(input)
    }

    @Test func onlyTheDescribedCommandLinesAreTaken() {
        for line in [
            "", "x", "import x", "check 1", "draw", "draw gif", "draw png 0", "draw png -1", "draw png x",
            "draw png 1 2", "draw pdf 5",
            "draw pixels 1025",
        ] {
            #expect(SketchCommand(line.split(separator: " ").map { String($0) }) == nil, "\(line)")
        }
        #expect(SketchCommand(["draw", "png", "70"]) == .draw(.png, width: 70))
        #expect(SketchCommand(["draw", "pixels"]) == .pixels(box: 1024))
    }

    @Test func importCheckAndDrawFollowOneAnother() throws {
        let imported = try SketchImportRecord(parsing: try run("import", foreign))
        #expect(imported.status == .ok)
        #expect(imported.losses == [SketchLoss(.text, count: 2), SketchLoss(.images, count: 1)])
        let checked = try SketchCheckRecord(parsing: try run("check", imported.svg))
        #expect([checked.width, checked.height, checked.strokeCount, checked.pointCount] == [40, 30, 1, 2])
        for format in SketchDrawingRecord.Format.allCases {
            let drawn = try SketchDrawingRecord(parsing: try run("draw \(format)", imported.svg))
            #expect(drawn.status == .ok && drawn.format == format && drawn.content.count > 100)
        }
        #expect(try run("draw pixels 20", imported.svg).count == 9 + 20 * 15 * 4)
    }

    @Test func aRefusalIsARecordToo() throws {
        #expect(try SketchCheckRecord(parsing: try run("check", foreign)).status == .notASketch)
        #expect(try SketchDrawingRecord(parsing: try run("draw png", foreign)).status == .notASketch)
        #expect(try SketchImportRecord(parsing: try run("import", Array("<html/>".utf8))).status == .notASketch)
        #expect(try SketchImportRecord(parsing: try run("import", Array("<!DOCTYPE a [".utf8))).status == .damaged)
        let large = [UInt8](repeating: 0x20, count: Sketch.byteCountMax + 1)
        #expect(try SketchImportRecord(parsing: try run("import", large)).status == .tooLarge)
        #expect(try run("draw pixels", large) == [3])
        let svg = try Sketch(width: 30_000, height: 30_000).svg
        #expect(try SketchDrawingRecord(parsing: try run("draw jpeg", svg)).status == .tooLarge)
        #expect(try SketchCheckRecord(parsing: try run("check", svg + [0])).status == .damaged)
    }

    @Test func bothEndsNameTheSameLosses() {
        #expect(Set(LeftOut.allCases.map(\.rawValue)) == Set(SketchLoss.Code.allCases.map(\.rawValue)))
        for left in LeftOut.allCases { #expect(SketchLoss.Code(rawValue: left.rawValue).map { "\($0)" } == "\(left)") }
        #expect(Set(SketchLoss.Code.allCases.map(\.words)).count == LeftOut.allCases.count)
    }
}
