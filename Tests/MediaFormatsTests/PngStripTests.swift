// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MediaFormats
import Testing

struct PngStripTests {
    @Test(arguments: [true, false]) func everythingGoesButTheOrientation(isBigEndian: Bool) throws {
        let stripped = try PhotoMetadata.strip(PngFixture.rich(orientation: 8, isBigEndian: isBigEndian))
        #expect(stripped.bytes == PngFixture.file(PngFixture.minimalExif(8)))
        #expect(
            stripped.removed == [
                .location, .serialNumbers, .owner, .dates, .thumbnail, .makerNotes, .xmp, .comments, .software,
                .cameraSettings, .trailingData,
                .other,
            ])
    }

    @Test func anUprightPictureHasNoExifAtAll() throws {
        #expect(try PhotoMetadata.strip(PngFixture.rich(orientation: 1)).bytes == PngFixture.file([]))
        #expect(try PhotoMetadata.strip(PngFixture.rich(orientation: nil)).bytes == PngFixture.file([]))
    }

    @Test func aWrongChecksumIsRefused() {
        var file = PngFixture.file([])
        file[file.count - 1] ^= 1
        #expect(throws: MediaError(.badChecksum, offset: file.count - 12)) { try PhotoMetadata.strip(file) }
    }

    @Test func anUnknownCriticalChunkIsRefused() {
        let at = PngFixture.signature.count + PngFixture.header.count + PngFixture.kept.count
        #expect(throws: MediaError(.notUnderstood, offset: at)) {
            try PhotoMetadata.strip(PngFixture.file(PngFixture.chunk("CgBI", [1, 2])))
        }
    }

    @Test func aPictureWithoutDataIsRefused() {
        let file = PngFixture.signature + PngFixture.header + PngFixture.end
        #expect(throws: MediaError(.malformed, offset: file.count - 12)) { try PhotoMetadata.strip(file) }
    }

    @Test func aLengthOfAllBitsIsRefused() {
        let file = PngFixture.signature + PngFixture.header + be32(0xFFFF_FFFF) + text("tEXt") + zeros(40)
        #expect(throws: MediaError(.malformed, offset: 33)) { try PhotoMetadata.strip(file) }
    }

    @Test(arguments: [
        ("Copyright", MetadataKind.owner), ("Software", .software), ("Creation Time", .dates),
        ("Raw profile type iptc", .iptc), ("Title", .comments),
    ])
    func aKeywordSaysWhatGoes(keyword: String, kind: MetadataKind) throws {
        #expect(try PhotoMetadata.report(PngFixture.file(PngFixture.chunk("tEXt", text(keyword + "\0x")))) == [kind])
    }
}
