// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MediaFormats
import Testing
import VaultTesting

/// A sample of each signature, and what it is called.
struct MediaTypeTests {
    struct Sample: CustomTestStringConvertible, Sendable {
        let name: String
        let kind: MediaType.Kind
        let fileExtension: String
        let head: [UInt8]
        var testDescription: String { "\(name) .\(fileExtension)" }

        init(_ name: String, _ kind: MediaType.Kind, _ fileExtension: String, _ head: [UInt8]) {
            (self.name, self.kind, self.fileExtension, self.head) = (name, kind, fileExtension, head)
        }
    }

    @Test(arguments: MediaSamples.pictures + MediaSamples.films + MediaSamples.sounds + MediaSamples.files)
    func everySignatureIsKnown(sample: Sample) {
        let type = MediaType.detect(head: sample.head)
        #expect(type.name == sample.name && type.kind == sample.kind && type.fileExtension == sample.fileExtension)
        // What follows the first 4 KiB plays no part.
        let padded = sample.head + zeros(max(0, MediaType.headByteCount - sample.head.count))
        if type.name != "text/plain", type.kind != .sketch, !sample.testDescription.contains("mp2t") {
            #expect(MediaType.detect(head: padded + text("%PDF-1.7")) == MediaType.detect(head: padded))
        }
    }

    @Test(arguments: MediaSamples.pictures + MediaSamples.films + MediaSamples.sounds + MediaSamples.files)
    func noPrefixOfASampleTraps(sample: Sample) {
        for count in 0..<min(sample.head.count, 600) { _ = MediaType.detect(head: Array(sample.head[..<count])) }
    }

    @Test func anEmptyFileIsOctets() { #expect(MediaType.detect(head: []) == .octetStream) }

    @Test func theFirstSignatureOfAPolyglotWins() {
        let picture = JpegFixture.file([])
        let archive: [UInt8] = [0x50, 0x4B, 3, 4] + zeros(26)
        #expect(MediaType.detect(head: picture + archive).name == "image/jpeg")
        #expect(MediaType.detect(head: GifFixture.plain + text("%PDF-1.7")).name == "image/gif")
        #expect(MediaType.detect(head: text("%PDF-1.4\n") + picture).name == "application/pdf")
        #expect(MediaType.detect(head: archive + picture).name == "application/zip")
        // A member of an archive that is named as a picture begins does not make the archive one.
        #expect(MediaType.detect(head: MediaSamples.tar(name: "%PNG.png")).name == "application/x-tar")
        // A text is a text, though a stream's mark stands at the right distances.
        #expect(
            MediaType.detect(head: text(String(repeating: "G" + String(repeating: "a", count: 187), count: 6)))
                == .plainText)
    }

    @Test func randomBytesNeverTrap() {
        var generator = SeededGenerator(9)
        let samples = MediaSamples.pictures + MediaSamples.films + MediaSamples.sounds + MediaSamples.files
        for round in 0..<20_000 {
            var head = Array(samples[round % samples.count].head.prefix(200))
            for _ in 0...3 {
                head[Int.random(in: head.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = MediaType.detect(head: head)
        }
    }
}
