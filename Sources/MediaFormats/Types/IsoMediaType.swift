// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `IsoMediaType` knows the ISO base media file format and QuickTime: HEIF, AVIF, MP4, MOV, M4A, 3GP and Canon's CR3,
/// told apart by brand.
enum IsoMediaType {
    static func type(of view: ByteView) -> MediaType? {
        guard view.code(4) == "ftyp" else { return QuickTimeAtoms.type(of: view) }
        // Four bytes for each brand; a list beyond 4 KiB is no list of brands.
        guard let byteCount = view.be32(0), byteCount >= 16, byteCount <= MediaType.headByteCount, byteCount % 4 == 0,
            let box = view.view(0, min(byteCount, view.count)), let major = box.code(8)
        else { return nil }
        let others = stride(from: 16, to: box.count - 3, by: 4).compactMap { box.code($0) }
        guard let type = still(major, others) ?? moving(major) ?? others.lazy.compactMap({ moving($0) }).first else {
            return nil
        }
        // A recorder may write sound alone under a brand of films; the tracks decide where they can be seen.
        guard type.kind == .video, MovieTracks.areSoundOnly(in: view, after: byteCount) else { return type }
        return .audio("audio/mp4", "m4a")
    }

    /// Returns the type of a still picture by its brands. "mif1" and "msf1" say only that it is a picture or a
    /// sequence: the other brands then name the coding.
    private static func still(_ major: FourCC, _ others: [FourCC]) -> MediaType? {
        if let type = still(major) { return type }
        switch major {
        case "mif1", "mif2", "mif3", "miaf": return others.lazy.compactMap { still($0) }.first ?? .heif
        case "msf1": return others.lazy.compactMap { still($0) }.first ?? .heifSequence
        case "jpeg", "j2ki", "avci", "vvic": return .heif
        default: return nil
        }
    }

    private static func still(_ brand: FourCC) -> MediaType? {
        switch brand {
        case "avif", "avis": .avif
        case "heic", "heix", "heim", "heis": .heic
        case "hevc", "hevx", "hevm", "hevs": .heicSequence
        case "crx ": .photo("image/x-canon-cr3", "cr3")
        default: nil
        }
    }

    private static func moving(_ brand: FourCC) -> MediaType? {
        switch brand {
        case "qt  ": return .video("video/quicktime", "mov")
        case "M4V ", "M4VH", "M4VP": return .video("video/mp4", "m4v")
        case "M4A ", "F4A ": return .audio("audio/mp4", "m4a")
        case "M4B ", "M4P ": return .audio("audio/mp4", "m4b")
        case "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "isoa", "isob", "isoc", "mp41",
            "mp42", "mp71", "avc1", "av01",
            "hvc1", "dash", "msdh", "cmfc", "cmf2", "mmp4", "MSNV", "NDSC", "NDSM", "XAVC", "F4V ", "f4v ", "dby1":
            return .video("video/mp4", "mp4")
        default: break
        }
        switch brand.value >> 8 {
        case 0x33_67_70: return .video("video/3gpp", "3gp")
        case 0x33_67_32: return .video("video/3gpp2", "3g2")
        default: return nil
        }
    }
}

/// `MovieTracks` finds the kinds of the tracks of a film in ISO base media format, as far as they stand in its first
/// bytes.
private enum MovieTracks {
    /// Returns whether the whole list of tracks is in view, and every one of them is sound.
    static func areSoundOnly(in view: ByteView, after start: Int) -> Bool {
        guard let movie = BoxList(view, from: start).first(where: { $0.type == "moov" }) else { return false }
        var hasSound = false
        for track in BoxList(movie.payload) where track.type == "trak" {
            guard let media = BoxList(track.payload).first(where: { $0.type == "mdia" }),
                let handler = BoxList(media.payload).first(where: { $0.type == "hdlr" })
            else { return false }
            guard handler.payload.code(8) == "soun" else { return false }
            hasSound = true
        }
        return hasSound
    }
}

/// `QuickTimeAtoms` knows QuickTime films from before the time of brands: they open with a plain atom.
private enum QuickTimeAtoms {
    /// Returns the type of a QuickTime film. Four letters in the middle of the first line could stand in any text, so
    /// the atom's size and what follows it count too.
    static func type(of view: ByteView) -> MediaType? {
        guard let byteCount = view.be32(0), let name = view.code(4) else { return nil }
        let isFilm =
            switch name {
            case "moov": byteCount >= 16 && view.code(12).map { isHeader($0) } == true
            case "wide", "free", "skip", "pnot":
                byteCount >= 8 && byteCount < view.count && view.code(byteCount + 4).map { isTopLevel($0) } == true
            // The media data are long; nothing behind them can be seen. A size below 16 MiB or of 64 bits is no text.
            case "mdat": byteCount == 1 || (byteCount >= 8 && byteCount < 1 << 24)
            default: false
            }
        return isFilm ? .video("video/quicktime", "mov") : nil
    }

    private static func isHeader(_ name: FourCC) -> Bool { ["mvhd", "cmov", "rmra", "prfl", "trak"].contains(name) }
    private static func isTopLevel(_ name: FourCC) -> Bool {
        ["moov", "mdat", "wide", "free", "skip", "PICT"].contains(name)
    }
}
