// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Streams without a header of their own: they are known by frames that follow one another at the right distance.
enum FrameStream {
    static func type(of view: ByteView) -> MediaType? {
        if isTransportStream(view) { return .video("video/mp2t", "ts") }
        if let layer = mpegLayer(view) { return .audio("audio/mpeg", layer == 3 ? "mp3" : "mp2") }
        return isADTS(view) ? .audio("audio/aac", "aac") : nil
    }

    /// Packets of 188 bytes, or of 192 with a time before each: every one in view, three at least, opens with "G".
    private static func isTransportStream(_ view: ByteView) -> Bool {
        [(first: 0, distance: 188), (first: 4, distance: 192)].contains { layout in
            let starts = stride(from: layout.first, to: view.count, by: layout.distance)
            return view.count >= 3 * layout.distance && starts.allSatisfy { view.u8($0) == 0x47 }
        }
    }

    /// The layer of MPEG audio, if a second frame of the same kind stands where the first one ends.
    private static func mpegLayer(_ view: ByteView) -> Int? {
        guard let first = MpegAudioFrame(view, at: 0), let second = MpegAudioFrame(view, at: first.byteCount) else {
            return nil
        }
        let isSame =
            first.version == second.version && first.layer == second.layer && first.sampleRate == second.sampleRate
        return isSame ? first.layer : nil
    }

    /// AAC in ADTS: the first three bytes, which tell profile and rate, are the same in each frame.
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
