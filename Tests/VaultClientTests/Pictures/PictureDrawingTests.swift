// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

@testable import VaultClient

/// What is drawn, read back as a terminal would.
struct PictureDrawingTests {
    private let geometry = PictureGeometry(columns: 80, rows: 24, cell: (10, 20), depth: .direct)

    /// Takes the framing off: rows that are made first, the cursor saved before and put below after.
    private func framed(_ bytes: [UInt8]) throws -> (rows: Int, body: [UInt8]) {
        let rows = bytes.prefix { $0 == 0x0A }.count
        let start = Array(String(repeating: "\n", count: rows).utf8) + Array("\u{1B}[\(rows)A\u{1B}7".utf8)
        let end = Array("\u{1B}8\u{1B}[\(rows)B\r".utf8)
        try #require(rows > 0 && bytes.starts(with: start) && bytes.suffix(end.count).elementsEqual(end))
        return (rows, Array(bytes[start.count..<(bytes.count - end.count)]))
    }

    /// The keys of the first piece and all pixels.
    private func kitty(_ body: [UInt8]) throws -> (keys: [String: String], pixels: [UInt8]) {
        let pieces = String(decoding: body, as: UTF8.self).components(separatedBy: "\u{1B}\\")
        try #require(pieces.last == "")
        var (keys, text) = ([String: String](), "")
        for (index, piece) in pieces.dropLast().enumerated() {
            try #require(piece.hasPrefix("\u{1B}_G"))
            let parts = piece.dropFirst(3).split(separator: ";", omittingEmptySubsequences: false)
            try #require(parts.count == 2)
            let isLast = index == pieces.count - 2
            #expect(parts[0].hasSuffix("q=2,m=\(isLast ? 0 : 1)"))
            #expect(parts[1].utf8.count <= 4096 && (isLast || parts[1].utf8.count % 4 == 0))
            if index == 0 {
                for key in parts[0].split(separator: ",") { keys[String(key.prefix(1))] = String(key.dropFirst(2)) }
            } else {
                #expect(parts[0] == "q=2,m=\(isLast ? 0 : 1)")
            }
            text += parts[1]
        }
        return (keys, Array(try #require(Data(base64Encoded: text))))
    }

    @Test(arguments: [(1, 1), (2, 1), (31, 7), (200, 150), (32, 24)]) func kittyGetsEveryPixel(width: Int, height: Int)
        throws
    {
        var picture = SamplePicture.slope(width, height)
        for place in stride(from: 3, to: picture.pixels.count, by: 8) { picture.pixels[place] = 77 }
        let (rows, body) = try framed(picture.drawn(.kitty, geometry))
        let (keys, pixels) = try kitty(body)
        #expect(pixels == picture.pixels)
        let box = geometry.box(width: width, height: height)
        #expect(
            keys == [
                "a": "T", "f": "32", "s": "\(width)", "v": "\(height)", "c": "\(box.columns)", "r": "\(box.rows)",
                "C": "1", "q": "2",
                "m": picture.pixels.count > 3072 ? "1" : "0",
            ])
        #expect(rows == box.rows)
    }

    @Test func kittyGetsNoMoreThanTwiceWhatItShows() throws {
        let picture = SamplePicture.slope(1024, 512)
        let (_, body) = try framed(picture.drawn(.kitty, geometry))
        let (keys, pixels) = try kitty(body)
        #expect(keys["s"] == "512" && keys["v"] == "256" && pixels.count == 512 * 256 * 4)
        let shown = SampleColor(red: Int(pixels[0]), green: Int(pixels[1]), blue: Int(pixels[2]))
        #expect(shown.isNear(picture.mean(0..<2, 0..<2), within: 1))
        // What a cell's size is must be known for that.
        let (all, _) = try kitty(
            framed(picture.drawn(.kitty, PictureGeometry(columns: 80, rows: 24, depth: .direct))).body)
        #expect(all["s"] == "1024")
    }

    @Test(.enabled(if: SixelPicture.isAvailable, "needs libchafa0"))
    func sixelsShowThePicture() throws {
        let picture = SamplePicture.slope(120, 90)
        let (rows, body) = try framed(picture.drawn(.sixel, geometry))
        let decoded = try #require(SixelDecoder(body))
        #expect(decoded.width == 120 && decoded.height == 90 && rows == 5)
        // Single pixels are spread; parts of 10 × 10 have the picture's colour.
        for y in stride(from: 0, to: 90, by: 10) {
            for x in stride(from: 0, to: 120, by: 10) {
                let drawn = try SamplePicture(10, 10) { column, row in
                    let color = try #require(decoded.pixels[y + row][x + column])
                    return (UInt8(color.red), UInt8(color.green), UInt8(color.blue), 255)
                }
                #expect(
                    drawn.mean(0..<10, 0..<10).isNear(picture.mean(x..<(x + 10), y..<(y + 10)), within: 24), "\(x) \(y)"
                )
            }
        }
    }

    @Test(.enabled(if: SixelPicture.isAvailable, "needs libchafa0")) func sixelsLeaveClearPixelsOut() throws {
        let picture = SamplePicture(60, 60) { x, _ in (200, 40, 40, x < 30 ? 0 : 255) }
        let decoded = try #require(SixelDecoder(framed(picture.drawn(.sixel, geometry)).body))
        #expect(decoded.isTransparent)
        for row in decoded.pixels {
            #expect(row[..<29].allSatisfy { $0 == nil })
            #expect(
                row[31...].allSatisfy { $0?.isNear(SampleColor(red: 200, green: 40, blue: 40), within: 12) == true })
        }
    }

    @Test(
        .enabled(if: SixelPicture.isAvailable, "needs libchafa0"),
        arguments: [(1, 1), (1, 300), (300, 1), (1024, 3), (640, 480)])
    func sixelsFitWhateverTheShape(width: Int, height: Int) throws {
        let wide = PictureGeometry(columns: 300, rows: 200, cell: (20, 40), depth: .direct)
        for geometry in [geometry, wide] {
            let decoded = try #require(
                SixelDecoder(framed(SamplePicture.slope(width, height).drawn(.sixel, geometry)).body))
            #expect(decoded.height % 6 == 0 && decoded.width >= 8 && max(decoded.width, decoded.height) <= 1000)
        }
    }

    @Test(arguments: [(ColorDepth.direct, 3), (.palette, 60), (.sixteen, 130)]) func blocksShowThePicture(
        depth: ColorDepth, tolerance: Int
    ) throws {
        let geometry = PictureGeometry(columns: 40, rows: 24, cell: (10, 20), depth: depth)
        let picture = SamplePicture.slope(160, 96)
        let decoded = try #require(BlockDecoder(picture.drawn(.blocks, geometry)))
        #expect(decoded.rows.count == 12)
        for (y, row) in decoded.rows.enumerated() {
            #expect(row.count == 40)
            for (x, cell) in row.enumerated() {
                let upper = picture.mean(x * 4..<(x + 1) * 4, y * 8..<y * 8 + 4)
                let lower = picture.mean(x * 4..<(x + 1) * 4, y * 8 + 4..<(y + 1) * 8)
                #expect(cell.upper?.isNear(upper, within: tolerance) == true, "\(x) \(y)")
                #expect(cell.lower?.isNear(lower, within: tolerance) == true, "\(x) \(y)")
            }
        }
    }

    @Test func blocksShowWhatIsBehindClearPixels() throws {
        let picture = SamplePicture(4, 4) { x, y in (250, 0, 0, (x + y) % 4 < 2 ? 255 : x == 3 ? 100 : 0) }
        let decoded = try #require(BlockDecoder(picture.drawn(.blocks, geometry)))
        #expect(decoded.rows.count == 2)
        for (y, row) in decoded.rows.enumerated() {
            for (x, cell) in row.enumerated() {
                #expect((cell.upper != nil) == ((x + 2 * y) % 4 < 2))
                #expect((cell.lower != nil) == ((x + 2 * y + 1) % 4 < 2))
            }
        }
    }

    @Test(arguments: [PictureProtocol.kitty, .sixel, .blocks, .none]) func wrongSizesDrawNothing(form: PictureProtocol)
    {
        for (width, height, count) in [
            (0, 0, 0), (-1, -1, 4), (1, 0, 0), (2, 2, 15), (2, 2, 17), (1025, 1, 4100), (Int.max, Int.max, 4),
            (1, 1, 0),
        ] {
            let pixels = [UInt8](repeating: 9, count: count)
            #expect(
                PictureDrawing.drawn(pixels: pixels, width: width, height: height, protocol: form, geometry: geometry)
                    .isEmpty)
        }
    }

    @Test func noneDrawsNothing() { #expect(SamplePicture.slope(8, 8).drawn(.none, geometry).isEmpty) }

    @Test func wipingClears() {
        var bytes: [UInt8] = [1, 2, 3]
        PictureDrawing.wipe(&bytes)
        #expect(bytes == [0, 0, 0])
    }
}
