// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Ogg: the first packet of each stream, all of which stand at the start, says what it holds.
///
/// Source: RFC 3533 section 6; RFC 5334.
enum OggStream {
    static func type(of view: ByteView) -> MediaType? {
        var at = 0
        var sound: MediaType?
        while let packet = firstPacket(of: view, at: &at) {
            if packet.has([0x80]), packet.has("theora", at: 1) { return .video("video/ogg", "ogv") }
            if packet.has("BBCD") || packet.has([0x4F, 0x56, 0x50, 0x38, 0x30]) { return .video("video/ogg", "ogv") }
            sound = sound ?? audio(packet)
        }
        guard at > 0 else { return nil }
        return sound ?? .file("application/ogg", "ogx")
    }

    private static func audio(_ packet: ByteView) -> MediaType? {
        if packet.has("OpusHead") { return .audio("audio/ogg", "opus") }
        if packet.has([1]), packet.has("vorbis", at: 1) { return .audio("audio/ogg", "ogg") }
        if packet.has([0x7F]), packet.has("FLAC", at: 1) { return .audio("audio/ogg", "oga") }
        if packet.has("Speex   ") { return .audio("audio/ogg", "spx") }
        return nil
    }

    /// The content of the page at an offset, if the page begins a stream; moves the offset behind the page.
    private static func firstPacket(of view: ByteView, at offset: inout Int) -> ByteView? {
        guard view.has("OggS", at: offset), view.u8(offset + 4) == 0, let flags = view.u8(offset + 5), flags & 2 == 2,
            let segmentCount = view.u8(offset + 26), let table = view.view(offset + 27, segmentCount)
        else { return nil }
        let start = offset + 27 + segmentCount
        let byteCount = table.slice.reduce(0) { $0 + Int($1) }
        guard let packet = view.view(start, min(byteCount, max(view.count - start, 0))) else { return nil }
        offset = start + byteCount
        return packet
    }
}
