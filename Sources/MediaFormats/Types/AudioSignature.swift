// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Sound files that say what they are in their first bytes.
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

    /// An ID3v2 tag stands before MP3 as a rule, but FLAC and AAC are seen behind one; where the tag is longer than
    /// what is in view, the rule is taken.
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
