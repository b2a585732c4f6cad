// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MediaFormats
import Testing

/// Files that look like something at first sight and are not.
struct MediaNearMissTests {
    private func name(_ head: [UInt8]) -> String { MediaType.detect(head: head).name }

    @Test func wordsThatBeginAsSignaturesAreText() {
        for line in [
            "BM is short for bitmap, and this is a text of some length.", "RIFF, WAVE and AVI are containers.", "GIF89",
            "ID3 tags stand before MP3",
            "%PDF is how they begin", "SQLite format 3", "fLaC", "OggS", "MThd", "FORMxxxxAIF",
            "The moov atom, the mdat atom", "II*", "PK", "ustar",
        ] { #expect(name(text(line)) == "text/plain", "\(line)") }
    }

    @Test(
        arguments: [
            [0xFF, 0xD8, 0xFF, 0x00, 1, 2], [0xFF, 0xD8, 0x41, 0], PngFixture.signature + be32(12) + text("IHDR"),
            text("RIFF") + le32(9) + text("WEBPabcd\0"),
            text("BM") + le32(90) + le32(0) + le32(54) + le32(41) + zeros(20),
            text("BM") + le32(90) + le32(0) + le32(54) + le32(40) + zeros(20),
            text("II*\0") + le32(4) + zeros(8), text("MM\0*") + be32(0), text("OggS") + [1, 2] + zeros(30),
            text("OggS") + [0, 0] + zeros(30),
            MediaSamples.matroska("docs", trackType: 1), [0x1A, 0x45, 0xDF, 0xA3, 0xFF],
            [0, 0, 1, 0xBA, 0x84, 0, 0, 0],
            [0, 0, 1, 0xB3, 0, 0, 0, 0x13],
            text("ID3") + [9, 0, 0, 0, 0, 0, 0], text("ID3") + [3, 0, 0, 0x80, 0, 0, 0], text("fLaC") + [4, 0, 0, 34],
            text("MThd") + be32(7) + be16(1),
            [0x1F, 0x8B, 9, 0], [0x1F, 0x8B, 8, 0xE0], [0x7F, 0x45, 0x4C, 0x46, 3, 1], text("SQLite format 4\0"),
            MediaSamples.brands("zzzz"),
            be32(12) + text("ftypheic"), be32(16) + text("moov") + be32(8) + text("junk"), [0xFF, 0x0A],
        ] as [[UInt8]])
    func aSignatureWithWrongDetailsIsNone(head: [UInt8]) { #expect(name(head) == "application/octet-stream") }

    @Test func oneFrameOfSoundIsNotEnough() {
        let (mp3, adts) = (MediaSamples.mp3Frame, MediaSamples.adtsFrame)
        for head in [
            mp3, mp3 + zeros(8), adts, adts + zeros(8), mp3 + [0xFF, 0xFB, 0x94, 0], mp3 + [0xFF, 0xFD, 0x90, 0],
            adts + [0xFF, 0xF1, 0x54] + adts[3...],
        ] {
            #expect(name(head) == "application/octet-stream")
        }
        #expect(name(MediaSamples.packets(188, at: 0, count: 2)) == "application/octet-stream")
        #expect(name(MediaSamples.packets(188, at: 0, count: 4) + [0x48] + zeros(187)) == "application/octet-stream")
    }

    @Test func aTarWithAWrongChecksumIsNone() {
        var tar = MediaSamples.tar(name: "a")
        tar[0] += 1
        #expect(name(tar) == "application/octet-stream")
    }

    @Test func controlCharactersAndWrongUTF8AreNoText() {
        for head in [
            [0x61, 0], [0x61, 8], [0x7F], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80],
        ] as [[UInt8]] {
            #expect(name(head) == "application/octet-stream")
        }
    }

    @Test func aCharacterThatIsCutByTheEndOfTheHeadIsAllowedThereOnly() {
        let long = text(String(repeating: "a", count: 4095)) + text("€€")
        #expect(name(Array(long[..<4096])) == "text/plain" && name(long) == "text/plain")
        #expect(name(Array(long[1..<4096])) == "application/octet-stream")
        #expect(name(text(String(repeating: "a", count: 4095)) + [0xFF]) == "application/octet-stream")
    }

    @Test(arguments: [
        "<svg/>", "<svg xmlns='http://www.w3.org/2000/svg ' />", "<html xmlns='http://www.w3.org/2000/svg'/>",
        "text <svg xmlns='http://www.w3.org/2000/svg'/>",
        "<s:svg xmlns='http://www.w3.org/2000/svg'/>", "<svg xmlns:svg='http://www.w3.org/2000/svg'/>",
        "<!-- <svg xmlns='http://www.w3.org/2000/svg'/>",
        "<g><svg xmlns='http://www.w3.org/2000/svg'/></g>", "<svg a='xmlns=\"http://www.w3.org/2000/svg\"'/>",
        "<svg xmlns='http://www.w3.org/2000/svg",
        "<svg", "<", "<?xml", "<!DOCTYPE svg [", "<svg =", "<svgx xmlns='http://www.w3.org/2000/svg'/>",
    ])
    func anotherRootOrNamespaceIsPlainText(head: String) { #expect(MediaType.detect(head: text(head)) == .plainText) }

    @Test func anArchiveThatOnlyNamesADocumentIsAnArchive() {
        #expect(name(MediaSamples.member("mimetype", "application/x-unknown")) == "application/zip")
        #expect(name(MediaSamples.member("a.txt") + MediaSamples.member("word/document.xml")) == "application/zip")
        #expect(name(MediaSamples.member("[Content_Types].xml")) == "application/zip")
    }
}
