// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import PictureDecoding
import Testing
import VaultTesting

/// Files that are broken, that lie, or that somebody made to hurt.
struct HostilePictureTests {
    /// A small one of each kind.
    static let files: [[UInt8]] = {
        let picture = TestPicture.gradient(20, 13)
        let exif = Containers.exif(orientation: 6)
        let frame = GIFWriter.Frame(
            left: 1, width: 6, height: 9, isInterlaced: true, transparent: 2, indices: (0..<54).map { UInt8($0 % 4) })
        return [
            Containers.jpeg(picture.jpeg(), exif: exif), picture.jpeg(isProgressive: true),
            TestPicture.jpeg(picture.rgba, 20, 13, channels: 4),
            PNGWriter.file(picture, chunks: PNGWriter.chunk("eXIf", exif)),
            PNGWriter.interlacedFile(picture), picture.webp(isLossless: true),
            Containers.webp(picture.webp(isLossless: false), 20, 13, exif: exif),
            Containers.animation([(picture.webp(isLossless: true), 2, 2, 20, 13)], 24, 16),
            GIFWriter.file(screen: (7, 9), [frame, frame]),
        ]
    }()

    @Test(arguments: files.indices) func twoThousandRandomChangesEndWithARecord(index: Int) throws {
        let file = Self.files[index]
        #expect(PictureDecoder.record(of: file).encoded.first == 0)
        var generator = SeededGenerator(UInt64(index))
        for _ in 0..<2000 {
            var changed = file
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                changed[Int.random(in: changed.indices, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            let record = PictureDecoder.record(of: changed)
            #expect(try PictureRecord.parse(record.encoded) == record)
        }
    }

    @Test(arguments: files.indices) func everyPrefixEndsWithARecord(index: Int) {
        let file = Self.files[index]
        for count in file.indices {
            let record = PictureDecoder.record(of: Array(file[..<count]))
            // The first quarter of a file is not yet a picture in any of them.
            if count < file.count / 4 { #expect(record == .notKnown || record == .damaged) }
        }
    }

    @Test func whatIsNoPictureThatWeKnowIsNotKnown() {
        let others: [[UInt8]] = [
            [], [0], Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), Array("%PDF-1.7\n".utf8),
            Array("BM".utf8) + [0, 0, 0, 0],
            [0, 0, 0, 0x18] + Array("ftypheic".utf8), [0, 0, 0, 0x18] + Array("ftypavif".utf8),
            Array("RIFF\0\0\0\0WAVE".utf8),
            Array("RIFF".utf8), Array("II*\0".utf8), [0xFF, 0xD8], [0x89, 0x50, 0x4E, 0x47],
        ]
        for other in others { #expect(PictureDecoder.record(of: other) == .notKnown) }
    }

    @Test func H07aBombIsRefusedBeforeItIsDecoded() {
        let data = PNGWriter.chunk("IDAT", [UInt8](repeating: 0, count: 1 << 20))
        let bomb = PNGWriter.signature + PNGWriter.head(60000, 60000, colours: 6) + data
        #expect(PictureDecoder.record(of: bomb) == .tooLarge)
        let time = ContinuousClock().measure { _ = PictureDecoder.record(of: bomb) }
        #expect(time < .milliseconds(100))
    }

    @Test func everyKindThatClaimsTooMuchIsTooLarge() {
        func png(_ width: Int, _ height: Int) -> [UInt8] {
            PNGWriter.signature + PNGWriter.head(width, height, colours: 0) + PNGWriter.chunk("IDAT", [0])
        }
        // In a JPEG the height comes before the width, behind the length and a byte of the frame's head.
        var jpeg = TestPicture.gradient(16, 16).jpeg()
        let head = jpeg.indices.first { jpeg[$0...].starts(with: [0xFF, 0xC0]) }!
        jpeg.replaceSubrange(head + 5..<head + 9, with: bigEndian(65500, 2) + bigEndian(65500, 2))
        let red = TestPicture(2, 2) { _, _ in [255, 0, 0, 255] }
        let frame = GIFWriter.Frame(width: 2, height: 2, indices: [0, 0, 0, 0])
        let files = [
            png(14_143, 14_143), png(1_000_001, 1), png(1, 0x7FFF_FFFF), png(0x7FFF_FFFF, 0x7FFF_FFFF), jpeg,
            GIFWriter.file(screen: (65535, 65535), [frame]),
            Containers.animation([(red.webp(isLossless: true), 0, 0, 2, 2)], 1 << 24, 255),
        ]
        for file in files { #expect(PictureDecoder.record(of: file) == .tooLarge) }
        // Just within the cap it is read, and found to be broken.
        #expect(PictureDecoder.record(of: png(14_142, 14_142)) == .damaged)
    }

    @Test func aJPEGOfTooManyScansIsDamaged() throws {
        let file = TestPicture.gradient(20, 13).jpeg(isProgressive: true)
        let lastScan = try #require(file.indices.last { file[$0...].starts(with: [0xFF, 0xDA]) })
        let scan = Array(file[lastScan..<file.count - 2])
        func repeated(_ count: Int) -> [UInt8] {
            let scans = [[UInt8]](repeating: scan, count: count).flatMap { $0 }
            return Array(file[..<(file.count - 2)]) + scans + [0xFF, 0xD9]
        }
        #expect(PictureDecoder.record(of: repeated(50)).encoded.first == 0)
        #expect(PictureDecoder.record(of: repeated(200)) == .damaged)
    }

    @Test func aFrameOutsideOfItsPictureIsDamaged() {
        let red = TestPicture(4, 4) { _, _ in [255, 0, 0, 255] }.webp(isLossless: true)
        #expect(PictureDecoder.record(of: Containers.animation([(red, 4, 4, 4, 4)], 6, 6)) == .damaged)
        // What the frame says of its own size counts for nothing: here 2×2, and the picture in it has 4×4.
        #expect(PictureDecoder.record(of: Containers.animation([(red, 4, 4, 2, 2)], 6, 6)) == .damaged)
    }

    @Test func textsAndProfilesOfAPNGAreSteppedOver() throws {
        let picture = TestPicture.gradient(4, 4)
        // A profile and a text that would inflate to nothing sensible.
        let chunks =
            PNGWriter.chunk("iCCP", Array("x\0\0".utf8) + [1, 2, 3])
            + PNGWriter.chunk("zTXt", Array("y\0\0".utf8) + [9, 9])
        #expect(
            PictureDecoder.record(of: PNGWriter.file(picture, chunks: chunks))
                == PictureDecoder.record(of: PNGWriter.file(picture)))
    }
}
