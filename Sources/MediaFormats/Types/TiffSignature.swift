// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// TIFF, and those raw files of cameras that are TIFF and say so beyond doubt.
///
/// A raw file that is not certain is called TIFF: that is true as well.
enum TiffSignature {
    static func type(of view: ByteView) -> MediaType? {
        if view.has("IIRO") || view.has("IIRS") || view.has("MMOR") { return .photo("image/x-olympus-orf", "orf") }
        if view.has([0x49, 0x49, 0x55, 0x00]), let at = view.le32(4), at >= 8 {
            return .photo("image/x-panasonic-rw2", "rw2")
        }
        if view.has([0x49, 0x49, 0x2B, 0, 8, 0, 0, 0]) || view.has([0x4D, 0x4D, 0, 0x2B, 0, 8, 0, 0]) {
            return .photo("image/tiff", "tif")
        }
        guard let tiff = TiffView(view), tiff.firstDirectoryAt >= 8 else { return nil }
        if view.has("CR", at: 8), view.u8(10) == 2 { return .photo("image/x-canon-cr2", "cr2") }
        return rawType(of: tiff) ?? .photo("image/tiff", "tif")
    }

    /// DNG has a tag of its own. Nikon's and Sony's files are known by the maker together with its own compression,
    /// which stands in the first directory or in one below it.
    private static func rawType(of tiff: TiffView) -> MediaType? {
        guard let entries = tiff.entries(at: tiff.firstDirectoryAt) else { return nil }
        if entries.contains(where: { $0.tag == TiffTag.dngVersion }) { return .photo("image/x-adobe-dng", "dng") }
        guard let make = entries.first(where: { $0.tag == TiffTag.make }) else { return nil }
        var compressions = entries.filter { $0.tag == TiffTag.compression }.compactMap { tiff.number(of: $0) }
        if let below = entries.first(where: { $0.tag == TiffTag.subDirectories }) {
            for index in 0..<min(below.count, 8) {
                guard let at = tiff.offset(index, of: below), let entries = tiff.entries(at: at) else { continue }
                compressions += entries.filter { $0.tag == TiffTag.compression }.compactMap { tiff.number(of: $0) }
            }
        }
        if compressions.contains(34_713), tiff.text(of: make, startsWith: "NIKON") {
            return .photo("image/x-nikon-nef", "nef")
        }
        if compressions.contains(32_767), tiff.text(of: make, startsWith: "SONY") {
            return .photo("image/x-sony-arw", "arw")
        }
        return nil
    }
}
