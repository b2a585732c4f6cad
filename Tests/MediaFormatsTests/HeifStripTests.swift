// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MediaFormats
import Testing

struct HeifStripTests {
    /// The same file with other bytes in its two items of metadata.
    private func expected(_ fixture: HeifFixture, orientation: Int) -> [UInt8] {
        var fixture = fixture
        let minimal = be32(0) + JpegFixture.minimalExif(orientation).dropFirst(10)
        fixture.exif = fixture.exif.map { minimal + zeros($0.count - minimal.count) }
        fixture.xmp = fixture.xmp.map { zeros($0.count) }
        fixture.gap = zeros(fixture.gap.count)
        return fixture.bytes
    }

    @Test(arguments: [("heic", "hvc1"), ("avif", "av01")]) func metadataIsOverwrittenInPlace(
        brand: String, itemType: String
    ) throws {
        let fixture = HeifFixture(brand: brand, itemType: itemType)
        let stripped = try PhotoMetadata.strip(fixture.bytes)
        #expect(stripped.bytes == expected(fixture, orientation: 6))
        #expect(
            stripped.removed.contains(.location) && stripped.removed.contains(.serialNumbers)
                && stripped.removed.contains(.xmp))
    }

    @Test func aSplitItemAndBytesOfNoItemAreOverwritten() throws {
        let fixture = HeifFixture(gap: text("SecretGap"), isSplit: true)
        let stripped = try PhotoMetadata.strip(fixture.bytes)
        #expect(stripped.bytes == expected(fixture, orientation: 6))
        #expect(stripped.removed.contains(.trailingData))
    }

    @Test func aPictureWithoutMetadataStaysAsItIs() throws {
        _ = try PhotoMetadataTests.unchanged(HeifFixture(exif: nil, xmp: nil).bytes)
    }

    @Test func descriptionsAndFurtherBoxesAreCleared() throws {
        let words =
            HeifFixture.box("udes", zeros(4) + text("Secret\0Secret\0\0\0"))
            + HeifFixture.box("mdft", zeros(4) + [1, 2, 3, 4, 5, 6, 7, 8])
        let film = HeifFixture.box("mpvd", text("SecretFilm")) + HeifFixture.box("uuid", text("SecretBox"))
        let fixture = HeifFixture(exif: nil, xmp: nil, extraProperties: words, extraTopLevel: film)
        let stripped = try PhotoMetadata.strip(fixture.bytes)
        #expect(stripped.bytes.count == fixture.bytes.count && !stripped.bytes.contains(text: "Secret"))
        #expect(stripped.removed == [.dates, .comments, .extraPictures, .other])
    }

    @Test func whatIsNotUnderstoodIsRefused() {
        let unknown = [
            HeifFixture(exifShift: -5), HeifFixture(exifShift: 1_000), HeifFixture(metadataType: "uri "),
            HeifFixture(itemType: "zzzz"),
            HeifFixture(extraProperties: HeifFixture.box("uuid", zeros(20))),
            HeifFixture(extraTopLevel: HeifFixture.box("moov", zeros(20))),
            HeifFixture(exif: text("no Exif at all")),
        ]
        for fixture in unknown {
            let error = #expect(throws: MediaError.self) { try PhotoMetadata.strip(fixture.bytes) }
            #expect(error?.code == .notUnderstood)
        }
    }
}
