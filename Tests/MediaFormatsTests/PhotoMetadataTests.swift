// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MediaFormats
import Testing
import VaultTesting

struct PhotoMetadataTests {
    /// One rich file of each kind that can be stripped.
    static let files: [[UInt8]] = [
        JpegFixture.rich(orientation: 6), PngFixture.rich(orientation: 6), WebPFixture.rich(orientation: 6),
        GifFixture.rich, HeifFixture().bytes,
    ]

    static func unchanged(_ bytes: [UInt8]) throws -> PhotoMetadata.Stripped {
        let stripped = try PhotoMetadata.strip(bytes)
        #expect(stripped.bytes == bytes)
        #expect(stripped.removed.isEmpty)
        return stripped
    }

    @Test(arguments: files) func aReportNamesWhatStrippingRemoves(file: [UInt8]) throws {
        let stripped = try PhotoMetadata.strip(file)
        #expect(try PhotoMetadata.report(file) == stripped.removed)
        #expect(!stripped.removed.isEmpty && !stripped.bytes.contains(text: "Secret"))
        #expect(try PhotoMetadata.report(stripped.bytes).isEmpty)
        #expect(try PhotoMetadata.strip(stripped.bytes).bytes == stripped.bytes)
    }

    @Test(arguments: files) func aStrippedPictureHasTheSameTypeAndSize(file: [UInt8]) throws {
        let stripped = try PhotoMetadata.strip(file)
        #expect(MediaType.detect(head: file) == MediaType.detect(head: stripped.bytes))
        let size = try #require(PictureSize.read(file))
        #expect(size == PictureSize.read(stripped.bytes))
        #expect((size.width, size.height) == (320, 200))
    }

    /// Bytes behind the end are cut anyway, so a cut within them leaves a picture that is whole.
    @Test(arguments: files) func everyTruncationIsRefusedOrAWholePicture(file: [UInt8]) throws {
        let whole = try PhotoMetadata.strip(file).bytes
        for count in file.indices {
            if let stripped = try? PhotoMetadata.strip(Array(file[..<count])) { #expect(stripped.bytes == whole) }
        }
    }

    @Test(arguments: files) func flippedBitsNeverTrapNorLeaveAnythingToRemove(file: [UInt8]) throws {
        var generator = SeededGenerator(4)
        for _ in 0..<4_000 {
            var changed = file
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                changed[Int.random(in: changed.indices, using: &generator)] ^= UInt8.random(
                    in: 1...255, using: &generator)
            }
            _ = PictureSize.read(changed)
            guard let stripped = try? PhotoMetadata.strip(changed) else { continue }
            #expect(stripped.bytes.count <= changed.count)
            #expect(try PhotoMetadata.report(stripped.bytes) == [])
        }
    }

    /// The structure at the start is where the numbers stand that steer the parser.
    @Test(arguments: files) func extremeNumbersAtEveryPlaceNeverTrap(file: [UInt8]) throws {
        for at in 0..<min(file.count - 4, 700) {
            for value in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
                var changed = file
                changed.replaceSubrange(at..<at + 4, with: be32(value))
                _ = PictureSize.read(changed)
                _ = try? PhotoMetadata.report(changed)
            }
        }
    }

    @Test func otherTypesAreNotSupported() {
        let tiff = TiffFixture()
        for file in [tiff.full(orientation: 6), text("plain text"), [], text("%PDF-1.7\n")] {
            #expect(throws: MediaError(.notSupported)) { try PhotoMetadata.strip(file) }
        }
    }

    @Test func aPictureAboveTheLimitIsRefused() {
        #expect(throws: MediaError(.tooLarge)) { try PhotoMetadata.strip(zeros(PhotoMetadata.byteCountMax + 1)) }
    }
}
