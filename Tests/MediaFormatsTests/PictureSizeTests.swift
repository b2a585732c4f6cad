// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MediaFormats
import Testing

struct PictureSizeTests {
    @Test func theOrientationIsReadInEveryFormat() {
        for file in [
            JpegFixture.rich(orientation: 6), PngFixture.rich(orientation: 6), WebPFixture.rich(orientation: 6),
            HeifFixture(exif: nil).bytes,
        ] {
            let size = PictureSize.read(file)
            #expect(size?.orientation == 6)
            #expect(size?.shownWidth == 200 && size?.shownHeight == 320)
        }
        #expect(PictureSize.read(GifFixture.plain)?.orientation == 1)
    }

    @Test func bothSimpleFormsOfWebPAreRead() {
        for chunk in [WebPFixture.lossy, WebPFixture.lossless] {
            let size = PictureSize.read(WebPFixture.file(chunk))
            #expect(size?.width == 320 && size?.height == 200 && size?.orientation == 1)
        }
    }

    @Test func theStartOfAFileIsEnough() {
        #expect(PictureSize.read(Array(PngFixture.rich(orientation: 6).prefix(40)))?.width == 320)
        #expect(PictureSize.read(Array(JpegFixture.file([]).dropLast(12)))?.height == 200)
    }

    @Test func aSizeOfZeroIsNone() {
        var file = GifFixture.plain
        file.replaceSubrange(6..<8, with: [0, 0])
        #expect(PictureSize.read(file) == nil)
        #expect(PictureSize.read([]) == nil)
        #expect(PictureSize.read(text("text")) == nil)
    }

    /// Turns are counted against the clock there; the mirror's axis 1 swaps left and right.
    @Test(
        arguments: [
            ([UInt8(0)], nil, 1), ([1], nil, 8), ([2], nil, 3), ([3], nil, 6), ([0], 1, 2), ([0], 0, 4), ([1], 1, 7),
            ([3], 1, 5), ([1], 0, 5),
            ([3], 0, 7),
        ] as [([UInt8], Int?, Int)])
    func turnsAndMirrorsOfHEIFAreOneOrientation(turn: [UInt8], axis: Int?, orientation: Int) throws {
        let mirror = axis.map { HeifFixture.box("imir", [UInt8($0)]) } ?? HeifFixture.box("pixi", [0])
        var file = HeifFixture(exif: nil, xmp: nil, extraProperties: mirror).bytes
        let irot = try #require(file.indices.first { file[$0...].starts(with: text("irot")) })
        file[irot + 4] = turn[0]
        let ipma = try #require(file.indices.first { file[$0...].starts(with: text("ipma")) })
        let list: [UInt8] = [3, 0x81, 0x82, 0x83]
        let box = HeifFixture.fullBox("ipma", 0, be32(1) + be16(1) + list)
        file = rebuilt(file, ipmaAt: ipma - 4, box)
        #expect(PictureSize.read(file)?.orientation == orientation)
    }

    /// Puts another box in, and makes the boxes around it longer by its one byte.
    private func rebuilt(_ file: [UInt8], ipmaAt: Int, _ box: [UInt8]) -> [UInt8] {
        var file = file
        file.replaceSubrange(ipmaAt..<ipmaAt + box.count - 1, with: box)
        for name in ["iprp", "meta"] {
            guard let at = file.indices.first(where: { file[$0...].starts(with: text(name)) }) else { continue }
            file[at - 1] += 1
        }
        return file
    }
}
