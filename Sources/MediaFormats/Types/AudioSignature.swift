// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `AudioSignature` knows sound files that say what they are in their first bytes.
enum AudioSignature {
    static func type(of view: ByteView) -> MediaType? {
        if view.has([0x66, 0x4C, 0x61, 0x43, 0, 0, 0, 34]) || view.has([0x66, 0x4C, 0x61, 0x43, 0x80, 0, 0, 34]) {
            return flac
        }
        if view.has("FORM"), view.code(8) == "AIFF" || view.code(8) == "AIFC" { return .audio("audio/x-aiff", "aiff") }
        if view.has("MThd"), view.be32(4) == 6, let format = view.be16(8), format <= 2 {
            return .audio("audio/midi", "mid")
        }
        if view.has("#!AMR\n") { return .audio("audio/amr", "amr") }
        if view.has("#!AMR-WB\n") { return .audio("audio/amr-wb", "awb") }
        return behindTag(view)
    }

    private static let flac = MediaType.audio("audio/flac", "flac")

    /// Returns the type of a file that begins with an ID3v2 tag. One stands before MP3 as a rule, but FLAC and AAC are
    /// seen after one; where the tag is longer than what is in view, the rule is taken.
    private static func behindTag(_ view: ByteView) -> MediaType? {
        guard view.has("ID3"), let major = view.u8(3), (2...4).contains(major), let minor = view.u8(4), minor != 0xFF,
            let flags = view.u8(5)
        else {
            return nil
        }
        var byteCount = 10
        for index in 0..<4 {
            guard let part = view.u8(6 + index), part < 0x80 else { return nil }
            byteCount += part << (21 - 7 * index)
        }
        // A footer repeats the header.
        if major == 4, flags & 0x10 != 0 { byteCount += 10 }
        guard let rest = view.from(byteCount), rest.count > 0 else { return .audio("audio/mpeg", "mp3") }
        if rest.has("fLaC") { return flac }
        return FrameStream.type(of: rest) ?? .audio("audio/mpeg", "mp3")
    }
}

/// `FrameStream` knows streams without a header of their own: they are known by frames that follow one another at the
/// right distance.
enum FrameStream {
    static func type(of view: ByteView) -> MediaType? {
        if isTransportStream(view) { return .video("video/mp2t", "ts") }
        if let layer = mpegLayer(view) { return .audio("audio/mpeg", layer == 3 ? "mp3" : "mp2") }
        return isADTS(view) ? .audio("audio/aac", "aac") : nil
    }

    /// Looks for packets of 188 bytes, or of 192 with a time before each: every one in view, three at least, opens with
    /// "G".
    private static func isTransportStream(_ view: ByteView) -> Bool {
        [(first: 0, distance: 188), (first: 4, distance: 192)].contains { layout in
            let starts = stride(from: layout.first, to: view.count, by: layout.distance)
            return view.count >= 3 * layout.distance && starts.allSatisfy { view.u8($0) == 0x47 }
        }
    }

    /// Returns the layer of MPEG audio, if a second frame of the same kind stands where the first one ends.
    private static func mpegLayer(_ view: ByteView) -> Int? {
        guard let first = MpegAudioFrame(view, at: 0), let second = MpegAudioFrame(view, at: first.byteCount) else {
            return nil
        }
        let isSame =
            first.version == second.version && first.layer == second.layer && first.sampleRate == second.sampleRate
        return isSame ? first.layer : nil
    }

    /// Looks for AAC in ADTS: the first three bytes, which tell profile and rate, are the same in each frame.
    private static func isADTS(_ view: ByteView) -> Bool {
        guard let byteCount = adtsByteCount(view, at: 0), adtsByteCount(view, at: byteCount) != nil else {
            return false
        }
        return (0..<3).allSatisfy { view.u8($0) == view.u8(byteCount + $0) }
    }

    private static func adtsByteCount(_ view: ByteView, at offset: Int) -> Int? {
        guard let sync = view.be16(offset), sync & 0xFFF6 == 0xFFF0, let rate = view.u8(offset + 2),
            (rate >> 2) & 15 < 13,
            let length = view.number(offset + 3, byteCount: 3)
        else { return nil }
        let byteCount = (length >> 5) & 0x1FFF
        return byteCount > (sync & 1 == 1 ? 7 : 9) ? byteCount : nil
    }
}

/// `MpegAudioFrame` is the header of one frame of MPEG audio. Source: ISO/IEC 11172-3 section 2.4.1.3; ISO/IEC 13818-3
/// for the lower rates.
private struct MpegAudioFrame {
    /// 1, 2, or 3 for what is called 2.5.
    let version: Int
    let layer: Int
    let sampleRate: Int
    let byteCount: Int

    /// Reads the header at an offset; nil for no sync word, a reserved value, or the free format, whose length cannot
    /// be told.
    init?(_ view: ByteView, at offset: Int) {
        guard let header = view.be32(offset), header >> 21 == 0x7FF else { return nil }
        let versionBits = (header >> 19) & 3
        let layerBits = (header >> 17) & 3
        let rateIndex = (header >> 12) & 15
        let sampleIndex = (header >> 10) & 3
        guard versionBits != 1, layerBits != 0, (1...14).contains(rateIndex), sampleIndex != 3, header & 3 != 2 else {
            return nil
        }
        version = versionBits == 3 ? 1 : versionBits == 2 ? 2 : 3
        layer = 4 - layerBits
        sampleRate = [44_100, 48_000, 32_000][sampleIndex] >> (version - 1)
        let bitRate = Self.kilobits(version, layer)[rateIndex - 1] * 1000
        let padding = (header >> 9) & 1
        switch layer {
        case 1: byteCount = (12 * bitRate / sampleRate + padding) * 4
        case 3 where version > 1: byteCount = 72 * bitRate / sampleRate + padding
        default: byteCount = 144 * bitRate / sampleRate + padding
        }
    }

    private static func kilobits(_ version: Int, _ layer: Int) -> [Int] {
        switch (version, layer) {
        case (1, 1): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
        case (1, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
        case (1, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        case (_, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
        default: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        }
    }
}
