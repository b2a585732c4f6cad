// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import PictureDecoding
import Testing

/// Which way up a picture is shown, and how large.
struct PictureGeometryTests {
    private func pixels(_ bytes: [UInt8]) throws -> PicturePixels {
        guard case .picture(let pixels) = PictureDecoder.record(of: bytes) else { throw NoPicture() }
        return pixels
    }
    private struct NoPicture: Error {}

    /// The colours of the four quarters, from the top left on.
    private func quarters(_ pixels: PicturePixels) -> String {
        let places = [(0, 0), (pixels.width - 1, 0), (0, pixels.height - 1), (pixels.width - 1, pixels.height - 1)]
        return String(
            places.map { x, y -> Character in
                let at = 4 * (y * pixels.width + x)
                return switch pixels.rgba[at..<at + 3].map({ $0 > 127 }) {
                case [true, false, false]: "r"
                case [false, true, false]: "g"
                case [false, false, true]: "b"
                case [true, true, true]: "w"
                default: "?"
                }
            })
    }

    @Test(
        arguments: [
            (1, "rgbw"), (2, "grwb"), (3, "wbgr"), (4, "bwrg"), (5, "rbgw"), (6, "brwg"), (7, "wgbr"), (8, "gwrb"),
        ])
    func everyOrientationIsTurnedUpright(orientation: Int, expected: String) throws {
        let picture = TestPicture.quarters(48, 32)
        for isLittle in [false, true] {
            let exif = Containers.exif(orientation: orientation, isLittle: isLittle)
            let files = [
                Containers.jpeg(picture.jpeg(), exif: exif),
                PNGWriter.file(picture, chunks: PNGWriter.chunk("eXIf", exif)),
                Containers.webp(picture.webp(isLossless: true), 48, 32, exif: exif),
            ]
            for file in files {
                let shown = try pixels(file)
                #expect(quarters(shown) == expected)
                #expect(shown.width == (orientation < 5 ? 48 : 32) && shown.height == (orientation < 5 ? 32 : 48))
            }
        }
    }

    @Test func brokenExifIsUpright() throws {
        let picture = TestPicture.quarters(16, 16).jpeg()
        let whole = Containers.exif(orientation: 6)
        for exif in [
            [], Containers.exif(orientation: 0), Containers.exif(orientation: 9), [UInt8](repeating: 255, count: 40),
        ] {
            #expect(quarters(try pixels(Containers.jpeg(picture, exif: exif))) == "rgbw")
        }
        // Up to the entry's value nothing is known yet.
        for count in 0..<20 {
            #expect(quarters(try pixels(Containers.jpeg(picture, exif: Array(whole[..<count])))) == "rgbw")
        }
    }

    @Test(
        arguments: [
            (3000, 2000, 1024, 683), (2000, 3000, 683, 1024), (1025, 1, 1024, 1), (1, 5000, 1, 1024),
            (1024, 1024, 1024, 1024), (17, 3, 17, 3),
        ])
    func aPictureFitsIntoTheBoxAndIsNeverEnlarged(width: Int, height: Int, shownWidth: Int, shownHeight: Int) throws {
        let rows = [[UInt8]](repeating: [UInt8](repeating: 9, count: width), count: height)
        let png = try pixels(PNGWriter.file(width, height, colours: 0, rows: rows))
        #expect(png.width == shownWidth && png.height == shownHeight)
        #expect(stride(from: 0, to: png.rgba.count, by: 4).allSatisfy { png.rgba[$0] == 9 && png.rgba[$0 + 3] == 255 })
        let jpeg = try pixels(TestPicture.jpeg(rows.flatMap { $0 }, width, height, channels: 1))
        #expect(jpeg.width == shownWidth && jpeg.height == shownHeight)
        #expect(
            stride(from: 0, to: jpeg.rgba.count, by: 4).allSatisfy {
                abs(Int(jpeg.rgba[$0]) - 9) < 3 && jpeg.rgba[$0 + 3] == 255
            })
    }

    @Test func aWebPThatIsTooWideIsMadeSmaller() throws {
        let shown = try pixels(TestPicture.quarters(2048, 64).webp(isLossless: true))
        #expect(shown.width == 1024 && shown.height == 32 && quarters(shown) == "rgbw")
    }

    @Test func aSmallPixelIsTheMeanOfItsArea() throws {
        // Black and white by turns: two in each small pixel.
        let row = (0..<2048).map { UInt8($0 % 2 * 255) }
        let shown = try pixels(PNGWriter.file(2048, 2, colours: 0, rows: [row, row]))
        #expect(
            shown.width == 1024 && stride(from: 0, to: shown.rgba.count, by: 4).allSatisfy { shown.rgba[$0] == 128 })
        // Two of three: the middle one counts for both sides.
        let third = (0..<1536).map { UInt8($0 % 3 == 1 ? 90 : 0) }
        let uneven = try pixels(PNGWriter.file(1536, 1, colours: 0, rows: [third]))
        #expect(
            uneven.width == 1024 && stride(from: 0, to: uneven.rgba.count, by: 4).allSatisfy { uneven.rgba[$0] == 30 })
    }

    @Test func whatIsTransparentHasNoColour() throws {
        let pair: [UInt8] = [255, 0, 0, 255, 0, 255, 0, 0]
        let shown = try pixels(
            PNGWriter.file(2048, 1, colours: 6, rows: [[[UInt8]](repeating: pair, count: 1024).flatMap { $0 }]))
        #expect(shown.rgba == [[UInt8]](repeating: [255, 0, 0, 128], count: 1024).flatMap { $0 })
    }
}
