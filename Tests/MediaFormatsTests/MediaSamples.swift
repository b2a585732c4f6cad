// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MediaFormats

/// The first bytes of files, made by hand.
enum MediaSamples {
    typealias Sample = MediaTypeTests.Sample

    static func brands(_ major: String, _ others: String = "") -> [UInt8] {
        HeifFixture.box("ftyp", text(major) + be32(0) + text(others))
    }

    private static func tiff(_ entries: (TiffFixture) -> [TiffFixture.Entry]) -> [UInt8] {
        let tiff = TiffFixture(isBigEndian: false)
        return tiff.header + tiff.directory(entries(tiff), at: 8)
    }

    static let pictures: [Sample] = {
        var samples: [Sample] = []
        samples.append(Sample("image/jpeg", .photo, "jpg", JpegFixture.file([])))
        samples.append(Sample("image/png", .photo, "png", PngFixture.signature + PngFixture.header))
        samples.append(Sample("image/apng", .photo, "png", PngFixture.file([])))
        samples.append(Sample("image/gif", .photo, "gif", GifFixture.plain))
        samples.append(Sample("image/gif", .photo, "gif", text("GIF87a") + zeros(7)))
        samples.append(Sample("image/webp", .photo, "webp", WebPFixture.file(WebPFixture.lossy)))
        samples.append(Sample("image/avif", .photo, "avif", brands("avif", "mif1")))
        samples.append(Sample("image/avif", .photo, "avif", brands("mif1", "miafavif")))
        samples.append(Sample("image/heic", .photo, "heic", brands("heic", "mif1")))
        samples.append(Sample("image/heif", .photo, "heif", brands("mif1")))
        samples.append(Sample("image/heic-sequence", .photo, "heics", brands("hevc", "msf1")))
        samples.append(Sample("image/heif-sequence", .photo, "heifs", brands("msf1")))
        samples.append(Sample("image/tiff", .photo, "tif", tiff { [$0.ascii(0x010F, "SONY")] }))
        samples.append(Sample("image/tiff", .photo, "tif", TiffFixture().full(orientation: 1)))
        samples.append(Sample("image/tiff", .photo, "tif", [0x49, 0x49, 0x2B, 0, 8, 0, 0, 0]))
        samples.append(
            Sample(
                "image/bmp", .photo, "bmp",
                joined(text("BM"), le32(90), le32(0), le32(54), le32(40), le32(1), le32(1), le16(1), le16(24))))
        samples.append(
            Sample(
                "image/bmp", .photo, "bmp",
                joined(text("BM"), le32(90), le32(0), le32(26), le32(12), le16(1), le16(1), le16(1), le16(24))))
        samples.append(Sample("image/jxl", .photo, "jxl", [0xFF, 0x0A] + zeros(20)))
        samples.append(Sample("image/jxl", .photo, "jxl", joined(be32(12), text("JXL "), [0x0D, 0x0A, 0x87, 0x0A])))
        samples.append(
            Sample(
                "image/x-canon-cr2", .photo, "cr2",
                joined(text("II"), [42, 0, 16, 0, 0, 0], text("CR"), [2, 0], zeros(20))))
        samples.append(Sample("image/x-canon-cr3", .photo, "cr3", brands("crx ", "crx isom")))
        samples.append(
            Sample("image/x-adobe-dng", .photo, "dng", tiff { [$0.ascii(0x010F, "Any"), $0.long(0xC612, 4)] }))
        samples.append(
            Sample(
                "image/x-nikon-nef", .photo, "nef", tiff { [$0.ascii(0x010F, "NIKON CORP"), $0.short(0x0103, 34_713)] })
        )
        samples.append(
            Sample("image/x-sony-arw", .photo, "arw", tiff { [$0.ascii(0x010F, "SONY"), $0.short(0x0103, 32_767)] }))
        samples.append(Sample("image/x-olympus-orf", .photo, "orf", text("IIRO") + zeros(8)))
        samples.append(Sample("image/x-fuji-raf", .photo, "raf", text("FUJIFILMCCD-RAW 0201")))
        samples.append(Sample("image/x-panasonic-rw2", .photo, "rw2", [0x49, 0x49, 0x55, 0, 24, 0, 0, 0]))
        return samples
    }()

    /// A film whose only track has this handler.
    static func movie(_ handler: String) -> [UInt8] {
        let media = HeifFixture.box("mdia", HeifFixture.fullBox("hdlr", 0, zeros(4) + text(handler) + zeros(13)))
        return HeifFixture.box("moov", HeifFixture.fullBox("mvhd", 0, zeros(96)) + HeifFixture.box("trak", media))
    }

    static func matroska(_ documentType: String, trackType: UInt8) -> [UInt8] {
        let header: [UInt8] = [0x42, 0x82, 0x80 | UInt8(documentType.utf8.count)] + text(documentType)
        let tracks: [UInt8] = [0x16, 0x54, 0xAE, 0x6B, 0x85, 0xAE, 0x83, 0x83, 0x81, trackType]
        let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xFF, count: 7)
        return joined([0x1A, 0x45, 0xDF, 0xA3, 0x80 | UInt8(header.count)], header, segment, tracks)
    }

    static func ogg(_ packets: [UInt8]...) -> [UInt8] {
        packets.flatMap { joined(text("OggS"), [0, 2], zeros(20), [1, UInt8($0.count)], $0) }
    }

    static func packets(_ byteCount: Int, at first: Int, count: Int = 6) -> [UInt8] {
        let packet = joined(zeros(first), [0x47], zeros(byteCount - first - 1))
        return (0..<count).flatMap { _ in packet }
    }

    static let films: [Sample] = {
        var samples: [Sample] = []
        samples.append(Sample("video/mp4", .video, "mp4", brands("isom", "iso2avc1mp41")))
        samples.append(Sample("video/mp4", .video, "mp4", brands("zzzz", "yyyymp42")))
        samples.append(Sample("video/mp4", .video, "mp4", brands("isom") + movie("vide")))
        samples.append(Sample("video/mp4", .video, "m4v", brands("M4V ")))
        samples.append(Sample("video/quicktime", .video, "mov", brands("qt  ")))
        samples.append(Sample("video/quicktime", .video, "mov", movie("vide")))
        samples.append(Sample("video/quicktime", .video, "mov", joined(be32(8), text("wide"), be32(900), text("mdat"))))
        samples.append(Sample("video/3gpp", .video, "3gp", brands("3gp5")))
        samples.append(Sample("video/matroska", .video, "mkv", matroska("matroska", trackType: 1)))
        samples.append(Sample("video/webm", .video, "webm", matroska("webm", trackType: 1)))
        samples.append(Sample("video/x-msvideo", .video, "avi", joined(text("RIFF"), le32(100), text("AVI LIST"))))
        samples.append(Sample("video/mp2t", .video, "ts", packets(188, at: 0)))
        samples.append(Sample("video/mp2t", .video, "ts", packets(192, at: 4)))
        samples.append(Sample("video/mpeg", .video, "mpg", [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1]))
        samples.append(Sample("video/mpeg", .video, "mpg", [0, 0, 1, 0xBA, 0x21, 0, 1, 0]))
        samples.append(Sample("video/mpeg", .video, "mpg", [0, 0, 1, 0xB3, 0x14, 0, 0xF0, 0x13]))
        samples.append(
            Sample("video/ogg", .video, "ogv", ogg(text("OpusHead") + zeros(11), [0x80] + text("theora") + zeros(30))))
        return samples
    }()

    static let mp3Frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + zeros(413)
    static let adtsFrame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x00, 0x00] + zeros(9)

    static let sounds: [Sample] = {
        var samples: [Sample] = []
        samples.append(Sample("audio/ogg", .audio, "opus", ogg(text("OpusHead") + zeros(11))))
        samples.append(Sample("audio/ogg", .audio, "ogg", ogg([1] + text("vorbis") + zeros(23))))
        samples.append(Sample("audio/ogg", .audio, "oga", ogg([0x7F] + text("FLAC") + zeros(40))))
        samples.append(Sample("audio/flac", .audio, "flac", joined(text("fLaC"), [0, 0, 0, 34], zeros(34))))
        samples.append(
            Sample("audio/flac", .audio, "flac", joined(text("ID3"), [4, 0, 0, 0, 0, 0, 2, 0, 0], text("fLaC"))))
        samples.append(Sample("audio/wav", .audio, "wav", joined(text("RIFF"), le32(36), text("WAVEfmt "))))
        samples.append(Sample("audio/wav", .audio, "wav", joined(text("RF64"), le32(-1), text("WAVEds64"))))
        samples.append(Sample("audio/mpeg", .audio, "mp3", mp3Frame + mp3Frame))
        samples.append(Sample("audio/mpeg", .audio, "mp3", joined(text("ID3"), [3, 0, 0, 0, 1, 0, 0], zeros(30))))
        samples.append(Sample("audio/aac", .audio, "aac", adtsFrame + adtsFrame))
        samples.append(Sample("audio/mp4", .audio, "m4a", brands("M4A ")))
        samples.append(Sample("audio/mp4", .audio, "m4a", brands("isom", "iso5") + movie("soun")))
        samples.append(Sample("audio/amr", .audio, "amr", text("#!AMR\n") + zeros(4)))
        samples.append(Sample("audio/amr-wb", .audio, "awb", text("#!AMR-WB\n") + zeros(4)))
        samples.append(Sample("audio/x-aiff", .audio, "aiff", joined(text("FORM"), be32(90), text("AIFF"))))
        samples.append(Sample("audio/midi", .audio, "mid", joined(text("MThd"), be32(6), be16(1), be16(2), be16(96))))
        samples.append(Sample("audio/webm", .audio, "weba", matroska("webm", trackType: 2)))
        samples.append(Sample("audio/matroska", .audio, "mka", matroska("matroska", trackType: 2)))
        return samples
    }()

    static func member(_ name: String, _ content: String = "") -> [UInt8] {
        let sizes = joined(le32(content.utf8.count), le32(content.utf8.count), le16(name.utf8.count), le16(0))
        return joined([0x50, 0x4B, 3, 4], zeros(14), sizes, text(name), text(content))
    }

    static func tar(name: String) -> [UInt8] {
        var header = text(name) + zeros(512 - name.utf8.count)
        header.replaceSubrange(257..<265, with: text("ustar\u{0}00"))
        let sum = header.reduce(8 * 32) { $0 + Int($1) }
        let octal = String(sum, radix: 8)
        header.replaceSubrange(148..<156, with: text(String(repeating: "0", count: 6 - octal.count) + octal + "\0 "))
        return header
    }

    private static let office = "application/vnd.openxmlformats-officedocument."
    private static let types = "[Content_Types].xml"

    static let files: [Sample] = {
        var samples: [Sample] = []
        samples.append(Sample("application/pdf", .file, "pdf", text("%PDF-1.7\n")))
        samples.append(Sample("application/zip", .file, "zip", member("a.txt", "hello")))
        samples.append(Sample("application/zip", .file, "zip", [0x50, 0x4B, 5, 6] + zeros(18)))
        samples.append(
            Sample(
                office + "wordprocessingml.document", .file, "docx", member(types, "<a/>") + member("word/document.xml")
            ))
        samples.append(
            Sample(
                office + "spreadsheetml.sheet", .file, "xlsx",
                joined(member(types), member("_rels/.rels", "<a/>"), member("xl/workbook.xml"))))
        samples.append(
            Sample(
                office + "presentationml.presentation", .file, "pptx", member(types) + member("ppt/presentation.xml")))
        samples.append(
            Sample(
                "application/vnd.oasis.opendocument.text", .file, "odt",
                member("mimetype", "application/vnd.oasis.opendocument.text")))
        samples.append(Sample("application/epub+zip", .file, "epub", member("mimetype", "application/epub+zip")))
        samples.append(Sample("application/gzip", .file, "gz", [0x1F, 0x8B, 8, 0] + zeros(6)))
        samples.append(Sample("application/x-xz", .file, "xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]))
        samples.append(Sample("application/zstd", .file, "zst", [0x28, 0xB5, 0x2F, 0xFD, 0]))
        samples.append(Sample("application/x-7z-compressed", .file, "7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]))
        samples.append(Sample("application/x-tar", .file, "tar", tar(name: "a.txt")))
        samples.append(Sample("application/vnd.sqlite3", .file, "sqlite", text("SQLite format 3\0")))
        samples.append(Sample("application/x-executable", .file, "elf", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]))
        samples.append(Sample("text/plain", .file, "txt", text("Grüße ✓\n")))
        samples.append(Sample("text/plain", .file, "txt", [0xEF, 0xBB, 0xBF] + text("with a mark\r\n")))
        samples.append(
            Sample(
                "image/svg+xml", .sketch, "svg",
                text("<?xml version=\"1.0\"?>\n<!-- a > b --><svg width='1' xmlns='http://www.w3.org/2000/svg'/>")))
        samples.append(
            Sample(
                "image/svg+xml", .sketch, "svg",
                text("<!DOCTYPE svg [<!ENTITY a \">\">]><s:svg xmlns:s=\"http://www.w3.org/2000/svg\"></s:svg>")))
        return samples
    }()
}
