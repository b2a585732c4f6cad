// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MediaFormats
import Testing

struct WebPStripTests {
    private typealias Fixture = WebPFixture

    @Test func everythingGoesButTheOrientation() throws {
        let stripped = try PhotoMetadata.strip(Fixture.rich(orientation: 6))
        let expected =
            Fixture.extended(flags: 0x38) + Fixture.profile + Fixture.alpha + Fixture.lossy + Fixture.minimalExif(6)
        #expect(stripped.bytes == Fixture.file(expected))
        #expect(
            stripped.removed.contains(.xmp) && stripped.removed.contains(.other)
                && stripped.removed.contains(.trailingData))
    }

    @Test func anUprightPictureHasNoExifNorItsFlag() throws {
        let stripped = try PhotoMetadata.strip(Fixture.rich(orientation: 1))
        #expect(
            stripped.bytes
                == Fixture.file(Fixture.extended(flags: 0x30) + Fixture.profile + Fixture.alpha + Fixture.lossy))
    }

    @Test func aSimplePictureStaysAsItIs() throws {
        _ = try PhotoMetadataTests.unchanged(Fixture.file(Fixture.lossy))
        _ = try PhotoMetadataTests.unchanged(Fixture.file(Fixture.lossless))
        #expect(
            try PhotoMetadata.strip(Fixture.file(Fixture.lossy + Fixture.exif)).bytes == Fixture.file(Fixture.lossy))
    }

    @Test func framesLoseWhatIsNotAPicture() throws {
        let place = zeros(16)
        func animation(_ extra: [UInt8]) -> [UInt8] {
            Fixture.file(
                Fixture.extended(flags: 0x12) + Fixture.chunk("ANIM", zeros(6))
                    + Fixture.chunk("ANMF", place + Fixture.alpha + Fixture.lossy + extra)
                    + Fixture.chunk("ANMF", place + Fixture.lossless))
        }
        let stripped = try PhotoMetadata.strip(animation(Fixture.chunk("ABCD", text("Secret"))))
        #expect(stripped.bytes == animation([]))
        #expect(stripped.removed == [.other])
    }

    @Test func sizesThatLieAreRefused() {
        let file = Fixture.file(Fixture.lossy)
        for size in [0, 1, 11, file.count, 0xFFFF_FFFF] {
            var changed = file
            changed.replaceSubrange(4..<8, with: le32(size))
            #expect(throws: MediaError.self) { try PhotoMetadata.strip(changed) }
            changed = file
            changed.replaceSubrange(16..<20, with: le32(size + 1000))
            #expect(throws: MediaError(.truncated, offset: file.count)) { try PhotoMetadata.strip(changed) }
        }
        #expect(throws: MediaError(.malformed, offset: 30)) {
            try PhotoMetadata.strip(Fixture.file(Fixture.extended(flags: 0)))
        }
    }
}
