// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import PictureDecoding
import Testing

/// That each kind of file comes out as the pixels that went in.
struct PictureFormatTests {
    private func pixels(_ bytes: [UInt8]) throws -> PicturePixels {
        guard case .picture(let pixels) = PictureDecoder.record(of: bytes) else {
            throw Unexpected(record: PictureDecoder.record(of: bytes))
        }
        return pixels
    }
    private struct Unexpected: Error { let record: PictureRecord }

    private func isAlike(_ pixels: PicturePixels, _ picture: TestPicture, tolerance: Int) -> Bool {
        pixels.width == picture.width && pixels.height == picture.height
            && zip(pixels.rgba, picture.rgba).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }

    @Test func aPNGIsExact() throws {
        var picture = TestPicture.gradient(40, 31)
        for at in stride(from: 3, to: picture.rgba.count, by: 4) { picture.rgba[at] = UInt8(1 + at % 255) }
        #expect(try pixels(PNGWriter.file(picture)).rgba == picture.rgba)
        #expect(try pixels(PNGWriter.interlacedFile(picture)).rgba == picture.rgba)
    }

    @Test(arguments: [(1, 1), (2, 1), (1, 5), (4, 4), (5, 9), (9, 5)]) func everySizeOfAnInterlacedPNGIsExact(
        width: Int, height: Int
    ) throws {
        let picture = TestPicture.gradient(width, height)
        #expect(try pixels(PNGWriter.interlacedFile(picture)).rgba == picture.rgba)
    }

    @Test func everyKindOfPNGIsShown() throws {
        let palette = PNGWriter.chunk("PLTE", [255, 0, 0, 0, 0, 255]) + PNGWriter.chunk("tRNS", [255, 0])
        let red: [UInt8] = [255, 0, 0, 255]
        let none: [UInt8] = [0, 0, 0, 0]
        #expect(
            try pixels(PNGWriter.file(2, 1, bits: 1, colours: 3, rows: [[0x40]], chunks: palette)).rgba == red + none)
        #expect(
            try pixels(PNGWriter.file(2, 1, bits: 1, colours: 0, rows: [[0x40]])).rgba == [
                0, 0, 0, 255, 255, 255, 255, 255,
            ])
        #expect(try pixels(PNGWriter.file(2, 1, colours: 0, rows: [[7, 9]])).rgba == [7, 7, 7, 255, 9, 9, 9, 255])
        #expect(try pixels(PNGWriter.file(1, 1, colours: 4, rows: [[7, 9]])).rgba == [7, 7, 7, 9])
        #expect(try pixels(PNGWriter.file(1, 1, colours: 2, rows: [[1, 2, 3]])).rgba == [1, 2, 3, 255])
        #expect(
            try pixels(PNGWriter.file(1, 1, bits: 16, colours: 2, rows: [[1, 1, 2, 2, 3, 3]])).rgba == [1, 2, 3, 255])
        #expect(
            try pixels(PNGWriter.file(1, 1, bits: 16, colours: 6, rows: [[255, 255, 0, 0, 0, 0, 4, 4]])).rgba == [
                255, 0, 0, 4,
            ])
    }

    @Test func aJPEGIsAlike() throws {
        let picture = TestPicture.gradient(40, 31)
        #expect(isAlike(try pixels(picture.jpeg()), picture, tolerance: 12))
        #expect(isAlike(try pixels(picture.jpeg(isProgressive: true)), picture, tolerance: 12))
    }

    @Test func aGreyJPEGAndOneOfFourInksAreAlike() throws {
        let grey = TestPicture(16, 8) { x, _ in [UInt8(16 * x), UInt8(16 * x), UInt8(16 * x), 255] }
        #expect(isAlike(try pixels(TestPicture.jpeg(grey.channels(0), 16, 8, channels: 1)), grey, tolerance: 6))
        // Missing ink: all of red is missing, none of the others is, a third of the black is there.
        let inks = [[UInt8]](repeating: [255, 0, 0, 170], count: 64).flatMap { $0 }
        let red = TestPicture(8, 8) { _, _ in [170, 0, 0, 255] }
        #expect(isAlike(try pixels(TestPicture.jpeg(inks, 8, 8, channels: 4)), red, tolerance: 4))
    }

    @Test func aWebPIsExactOrAlike() throws {
        var picture = TestPicture.gradient(40, 31)
        #expect(isAlike(try pixels(picture.webp(isLossless: false)), picture, tolerance: 24))
        for at in stride(from: 3, to: picture.rgba.count, by: 4) { picture.rgba[at] = UInt8(1 + at % 255) }
        #expect(try pixels(picture.webp(isLossless: true)).rgba == picture.rgba)
    }

    @Test func aGIFIsExactInterlacedToo() throws {
        let indices = (0..<7 * 13).map { UInt8($0 * 5 % 4) }
        let expected = indices.flatMap { (index: UInt8) -> [UInt8] in
            GIFWriter.palette[3 * Int(index)..<3 * Int(index) + 3] + [255]
        }
        for isInterlaced in [false, true] {
            let frame = GIFWriter.Frame(width: 7, height: 13, isInterlaced: isInterlaced, indices: indices)
            #expect(try pixels(GIFWriter.file(screen: (7, 13), [frame])).rgba == expected)
        }
    }

    @Test func ofAMovingGIFTheFirstFrameIsShownInItsPlace() throws {
        let first = GIFWriter.Frame(left: 1, top: 1, width: 2, height: 1, transparent: 3, indices: [0, 3])
        let second = GIFWriter.Frame(width: 3, height: 2, indices: [1, 1, 1, 1, 1, 1])
        let shown = try pixels(GIFWriter.file(screen: (3, 2), [first, second]))
        #expect(shown.width == 3 && shown.height == 2)
        #expect(shown.rgba == [UInt8](repeating: 0, count: 16) + [255, 0, 0, 255] + [0, 0, 0, 0])
        // A screen that is too small grows to hold the frame.
        let grown = try pixels(GIFWriter.file(screen: (0, 0), [first]))
        #expect(grown.width == 3 && grown.height == 2)
    }

    @Test func ofAMovingWebPTheFirstFrameIsShownInItsPlace() throws {
        let red = TestPicture(4, 2) { _, _ in [255, 0, 0, 255] }.webp(isLossless: true)
        let green = TestPicture(6, 4) { _, _ in [0, 255, 0, 255] }.webp(isLossless: true)
        let shown = try pixels(Containers.animation([(red, 2, 2, 4, 2), (green, 0, 0, 6, 4)], 6, 4))
        let expected = TestPicture(6, 4) { x, y in x >= 2 && y >= 2 ? [255, 0, 0, 255] : [0, 0, 0, 0] }
        #expect(shown == PicturePixels(width: 6, height: 4, rgba: expected.rgba))
    }
}
