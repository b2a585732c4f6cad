// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MediaFormats
import Testing

struct JpegStripTests {
    @Test(arguments: [true, false]) func everythingGoesButTheOrientation(isBigEndian: Bool) throws {
        let stripped = try PhotoMetadata.strip(JpegFixture.rich(orientation: 6, isBigEndian: isBigEndian))
        #expect(stripped.bytes == JpegFixture.file(JpegFixture.minimalExif(6)))
        #expect(!stripped.bytes.contains(text: "Secret"))
        #expect(
            stripped.removed == [
                .location, .serialNumbers, .owner, .dates, .thumbnail, .makerNotes, .xmp, .iptc, .comments, .software,
                .cameraSettings,
                .extraPictures,
            ])
    }

    @Test(arguments: 2...8) func everyTurnStays(orientation: Int) throws {
        let file = JpegFixture.rich(orientation: orientation, isBigEndian: orientation % 2 == 0)
        #expect(try PhotoMetadata.strip(file).bytes == JpegFixture.file(JpegFixture.minimalExif(orientation)))
    }

    @Test(arguments: [nil, 0, 1, 9, 65_535] as [Int?]) func anUprightPictureHasNoExifAtAll(orientation: Int?) throws {
        #expect(try PhotoMetadata.strip(JpegFixture.rich(orientation: orientation)).bytes == JpegFixture.file([]))
    }

    @Test func whatIsStrippedHasNothingToRemove() throws {
        let once = try PhotoMetadata.strip(JpegFixture.rich(orientation: 8))
        #expect(try PhotoMetadata.strip(once.bytes) == PhotoMetadataTests.unchanged(once.bytes))
    }

    @Test func theThumbnailOfJFIFGoesAndItsDensityStays() throws {
        let jfif = JpegFixture.segment(0xE0, text("JFIF\0") + [1, 2, 1] + be16(72) + be16(72) + [1, 1, 9, 9, 9])
        let stripped = try PhotoMetadata.strip(
            JpegFixture.file(JpegFixture.segment(0xE0, text("JFXX\0Secret")), jfif: jfif))
        #expect(stripped.bytes == JpegFixture.file([]))
        #expect(stripped.removed == [.thumbnail])
    }

    @Test func aProgressivePictureKeepsItsScansAndLosesCommentsBetweenThem() throws {
        let comment = JpegFixture.segment(0xFE, text("Secret"))
        func file(_ between: [UInt8]) -> [UInt8] {
            [0xFF, 0xD8] + JpegFixture.table + JpegFixture.frame(0xC2) + JpegFixture.huffman + JpegFixture.scan
                + JpegFixture.entropy + between
                + JpegFixture.huffman + JpegFixture.scan + JpegFixture.secondEntropy + [0xFF, 0xD9]
        }
        let stripped = try PhotoMetadata.strip(file(comment))
        #expect(stripped.bytes == file([]))
        #expect(stripped.removed == [.comments])
    }

    @Test func bytesBehindTheEndAreCut() throws {
        let stripped = try PhotoMetadata.strip(JpegFixture.file([], rest: text("PK\u{3}\u{4}")))
        #expect(stripped.bytes == JpegFixture.file([]))
        #expect(stripped.removed == [.trailingData])
    }

    @Test func onlyTheFirstOfTwoExifBlocksCounts() throws {
        let two = JpegFixture.minimalExif(3) + JpegFixture.exif(TiffFixture().full(orientation: 6))
        #expect(try PhotoMetadata.strip(JpegFixture.file(two)).bytes == JpegFixture.file(JpegFixture.minimalExif(3)))
    }

    @Test(arguments: [0, 1]) func aSegmentShorterThanItsLengthIsRefused(byteCount: Int) {
        let file = [0xFF, 0xD8, 0xFF, 0xE0] + be16(byteCount) + JpegFixture.file([]).dropFirst(2)
        #expect(throws: MediaError(.malformed, offset: 2)) { try PhotoMetadata.strip(file) }
    }

    @Test func aPictureWithoutAFrameOrWithUnknownMarkersIsRefused() {
        #expect(throws: MediaError(.malformed, offset: 2 + JpegFixture.jfif.count)) {
            try PhotoMetadata.strip([0xFF, 0xD8] + JpegFixture.jfif + [0xFF, 0xD9])
        }
        #expect(throws: MediaError(.notUnderstood, offset: 2 + JpegFixture.jfif.count)) {
            try PhotoMetadata.strip(JpegFixture.file(JpegFixture.segment(0xF7, [1])))
        }
    }

    @Test func directoriesThatLoopOrLieOutsideAreNamedAndGo() throws {
        let tiff = TiffFixture()
        let entries = [tiff.short(0x0112, 6), tiff.long(0x8769, 8), tiff.long(0x8825, 0xFFFF_FFFF)]
        let looping = tiff.header + tiff.directory(entries, at: 8, next: 8)
        let stripped = try PhotoMetadata.strip(JpegFixture.file(JpegFixture.exif(looping)))
        #expect(stripped.bytes == JpegFixture.file(JpegFixture.minimalExif(6)))
        #expect(stripped.removed.contains(.location))
        let outside = tiff.header + tiff.directory([tiff.short(0x0112, 6), tiff.long(0x8769, 0xFFFF_FFFF)], at: 8)
        #expect(try PhotoMetadata.report(JpegFixture.file(JpegFixture.exif(outside))) == [.cameraSettings])
    }

    @Test func aFirstDirectoryThatCannotBeReadIsRefused() {
        let tiff = TiffFixture()
        let at = 2 + JpegFixture.jfif.count + 10
        for block in [
            text("XX") + zeros(20), tiff.header, text("MM") + be16(42) + be32(0xFFFF_FFFF), tiff.header + be16(65_535),
        ] {
            #expect(throws: MediaError(.malformed, offset: at)) {
                try PhotoMetadata.strip(JpegFixture.file(JpegFixture.exif(block)))
            }
        }
    }

    @Test func aCountOfAllBitsIsNoOrientation() throws {
        let tiff = TiffFixture()
        let entry = TiffFixture.Entry(tag: 0x0112, type: 4, count: 0xFFFF_FFFF, value: be32(6))
        let file = JpegFixture.file(JpegFixture.exif(tiff.header + tiff.directory([entry], at: 8)))
        #expect(try PhotoMetadata.strip(file).bytes == JpegFixture.file([]))
    }
}
