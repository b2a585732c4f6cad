// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ContainerSignature` knows containers that hold pictures, films or sound: RIFF, Ogg, Matroska, and the MPEG program
/// stream.
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

    /// Looks for a pack header of MPEG-1 or MPEG-2 with its marker bits, or a sequence header of bare MPEG video.
    private static func programStream(_ view: ByteView) -> MediaType? {
        guard view.has([0, 0, 1]), let code = view.u8(3), let first = view.u8(4), let third = view.u8(6) else {
            return nil
        }
        let isPack = code == 0xBA && first & 0xC4 == 0x44 && third & 4 == 4
        let isOldPack = code == 0xBA && first & 0xF1 == 0x21 && third & 1 == 1
        guard isPack || isOldPack || isSequence(view, code) else { return nil }
        return .video("video/mpeg", "mpg")
    }

    /// Looks for width and height of twelve bits each, neither of them 0, then a known shape and rate.
    private static func isSequence(_ view: ByteView, _ code: Int) -> Bool {
        guard code == 0xB3, let size = view.number(4, byteCount: 3), let rates = view.u8(7) else { return false }
        return size >> 12 > 0 && size & 0xFFF > 0 && (1...14).contains(rates >> 4) && (1...8).contains(rates & 15)
    }
}

/// `EbmlDocument` knows Matroska and WebM. Source: RFC 8794 (EBML), RFC 9559 (Matroska).
private enum EbmlDocument {
    private struct Element {
        let id: Int
        let payload: ByteView
        /// Whether all of the payload is in view.
        let isWhole: Bool
        let end: Int
    }

    static func type(of view: ByteView) -> MediaType? {
        guard let header = element(of: view, at: 0), header.id == 0x1A45_DFA3, header.isWhole else { return nil }
        guard let documentType = elements(of: header.payload).first(where: { $0.id == 0x4282 }) else { return nil }
        let isSoundOnly = hasSoundOnly(view, after: header.end)
        // A name may be padded with zeros.
        let name = documentType.payload.slice.prefix { $0 != 0 }
        if name.elementsEqual("webm".utf8) {
            return isSoundOnly ? .audio("audio/webm", "weba") : .video("video/webm", "webm")
        }
        guard name.elementsEqual("matroska".utf8) else { return nil }
        return isSoundOnly ? .audio("audio/matroska", "mka") : .video("video/matroska", "mkv")
    }

    /// Returns whether the list of tracks is in view in full and every track is sound.
    private static func hasSoundOnly(_ view: ByteView, after start: Int) -> Bool {
        guard let segment = element(of: view, at: start), segment.id == 0x1853_8067,
            let tracks = elements(of: segment.payload).first(where: { $0.id == 0x1654_AE6B }), tracks.isWhole
        else { return false }
        let types = elements(of: tracks.payload).filter { $0.id == 0xAE }.map { track in
            elements(of: track.payload).first { $0.id == 0x83 }.flatMap { $0.payload.u8(0) }
        }
        return !types.isEmpty && types.allSatisfy { $0 == 2 }
    }

    private static func elements(of view: ByteView) -> [Element] {
        var elements: [Element] = []
        var at = 0
        while let element = element(of: view, at: at) {
            elements.append(element)
            at = element.end
        }
        return elements
    }

    /// Reads an element; the payload of one that is cut off, or of unknown size, is what is there.
    private static func element(of view: ByteView, at offset: Int) -> Element? {
        guard let id = number(of: view, at: offset, keepsLength: true),
            let size = number(of: view, at: offset + id.byteCount, keepsLength: false)
        else { return nil }
        let start = offset + id.byteCount + size.byteCount
        let available = view.count - start
        let isUnknown = size.value == (1 << (7 * size.byteCount)) - 1
        let byteCount = isUnknown ? available : min(size.value, available)
        guard let payload = view.view(start, byteCount) else { return nil }
        return Element(
            id: id.value, payload: payload, isWhole: !isUnknown && size.value <= available, end: start + byteCount)
    }

    /// Reads a number whose leading zero bits tell its length; an identifier keeps the bit that ends them.
    private static func number(of view: ByteView, at offset: Int, keepsLength: Bool) -> (value: Int, byteCount: Int)? {
        guard let first = view.u8(offset), first > 0 else { return nil }
        let byteCount = UInt8(first).leadingZeroBitCount + 1
        guard let value = view.number(offset, byteCount: byteCount) else { return nil }
        return (keepsLength ? value : value & ((1 << (7 * byteCount)) - 1), byteCount)
    }
}

/// `OggStream` knows Ogg: the first packet of each stream, all of which stand at the start, says what it holds.
///
/// Source: RFC 3533 section 6; RFC 5334.
private enum OggStream {
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

    /// Returns the content of the page at an offset, if the page begins a stream; moves the offset behind the page.
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
