// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// QuickTime films from before the time of brands: they open with a plain atom.
enum QuickTimeAtoms {
    /// Four letters in the middle of the first line could stand in any text, so the atom's size and what follows it
    /// count too.
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
