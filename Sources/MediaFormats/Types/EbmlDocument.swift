// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Matroska and WebM. Source: RFC 8794 (EBML), RFC 9559 (Matroska).
enum EbmlDocument {
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

    /// Whether the list of tracks is in view in full and every track is sound.
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

    /// Of an element that is cut off, or of unknown size, the payload is what is there.
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

    /// A number whose leading zero bits tell its length; an identifier keeps the bit that ends them.
    private static func number(of view: ByteView, at offset: Int, keepsLength: Bool) -> (value: Int, byteCount: Int)? {
        guard let first = view.u8(offset), first > 0 else { return nil }
        let byteCount = UInt8(first).leadingZeroBitCount + 1
        guard let value = view.number(offset, byteCount: byteCount) else { return nil }
        return (keepsLength ? value : value & ((1 << (7 * byteCount)) - 1), byteCount)
    }
}
