// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Containers that hold pictures, films or sound: RIFF, Ogg, Matroska, and the MPEG program stream.
enum ContainerSignature {
    static func type(of view: ByteView) -> MediaType? {
        riff(view) ?? OggStream.type(of: view) ?? EbmlDocument.type(of: view) ?? programStream(view)
    }

    private static func riff(_ view: ByteView) -> MediaType? {
        if view.has("RF64") || view.has("BW64") { return view.code(8) == "WAVE" ? .audio("audio/wav", "wav") : nil }
        guard view.has("RIFF"), let form = view.code(8) else { return nil }
        switch form {
        case "WEBP":
            guard let first = view.code(12) else { return nil }
            return ["VP8 ", "VP8L", "VP8X"].contains(first) ? .webP : nil
        case "AVI ": return .video("video/x-msvideo", "avi")
        case "WAVE": return .audio("audio/wav", "wav")
        default: return nil
        }
    }

    /// A pack header of MPEG-1 or MPEG-2 with its marker bits, or a sequence header of bare MPEG video.
    private static func programStream(_ view: ByteView) -> MediaType? {
        guard view.has([0, 0, 1]), let code = view.u8(3), let first = view.u8(4), let third = view.u8(6) else {
            return nil
        }
        let isPack = code == 0xBA && first & 0xC4 == 0x44 && third & 4 == 4
        let isOldPack = code == 0xBA && first & 0xF1 == 0x21 && third & 1 == 1
        guard isPack || isOldPack || isSequence(view, code) else { return nil }
        return .video("video/mpeg", "mpg")
    }

    /// Width and height of twelve bits each, neither of them 0, then a known shape and rate.
    private static func isSequence(_ view: ByteView, _ code: Int) -> Bool {
        guard code == 0xB3, let size = view.number(4, byteCount: 3), let rates = view.u8(7) else { return false }
        return size >> 12 > 0 && size & 0xFFF > 0 && (1...14).contains(rates >> 4) && (1...8).contains(rates & 15)
    }
}
