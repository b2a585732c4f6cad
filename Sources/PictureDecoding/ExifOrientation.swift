// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `ExifOrientation` says how a picture is to be turned before it is shown: the number of Exif's tag 0x0112, which says
/// where the first row and column belong.
struct ExifOrientation: Equatable {
    /// 1…8; 1 is upright.
    let number: Int

    private static let upright = ExifOrientation(number: 1)

    /// Takes the number of Exif's tag; nil for anything but 1 to 8.
    init?(_ number: Int) {
        guard 1...8 ~= number else { return nil }
        self.number = number
    }

    private init(number: Int) { self.number = number }

    /// Whether rows become columns.
    private var swapsSides: Bool { number >= 5 }

    func turning(_ pixels: PicturePixels) -> PicturePixels {
        guard self != .upright else { return pixels }
        let width = swapsSides ? pixels.height : pixels.width
        let height = swapsSides ? pixels.width : pixels.height
        var rgba = [UInt8](repeating: 0, count: pixels.rgba.count)
        for y in 0..<height {
            for x in 0..<width {
                let from = 4 * source(x, y, pixels.width, pixels.height)
                let to = 4 * (y * width + x)
                for part in 0..<4 { rgba[to + part] = pixels.rgba[from + part] }
            }
        }
        return PicturePixels(width: width, height: height, rgba: rgba)
    }

    /// Returns which pixel of the stored picture is shown at a place.
    private func source(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Int {
        let (column, row) =
            switch number {
            case 2: (width - 1 - x, y)
            case 3: (width - 1 - x, height - 1 - y)
            case 4: (x, height - 1 - y)
            case 5: (y, x)
            case 6: (y, height - 1 - x)
            case 7: (width - 1 - y, height - 1 - x)
            case 8: (width - 1 - y, x)
            default: (x, y)
            }
        return row * width + column
    }
}

extension ExifOrientation {
    /// Returns what the file says, or upright: a file whose Exif data is missing or broken is still a picture.
    static func find(in bytes: [UInt8], _ format: PictureFormat) -> ExifOrientation {
        let exif: ArraySlice<UInt8>? =
            switch format {
            case .jpeg: jpegExif(bytes)
            case .png: pngExif(bytes)
            case .webp: webpExif(bytes)
            case .gif: nil
            }
        return exif.flatMap { orientation(tiff: $0) } ?? .upright
    }

    private static let exifMark = Array("Exif\0\0".utf8)

    /// Returns the first APP1 segment that is Exif, before the picture itself begins.
    private static func jpegExif(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var at = 2
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
            let marker = bytes[at + 1]
            // Any number of 0xFF may stand before a marker.
            if marker == 0xFF {
                at += 1
                continue
            }
            let count = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            guard marker != 0xDA, count >= 2, at + 2 + count <= bytes.count else { return nil }
            let content = bytes[at + 4..<at + 2 + count]
            if marker == 0xE1, content.starts(with: exifMark) { return content.dropFirst(exifMark.count) }
            at += 2 + count
        }
        return nil
    }

    private static func pngExif(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var at = 8
        while at + 12 <= bytes.count {
            let count = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard at + 12 + count <= bytes.count else { return nil }
            if bytes[at + 4..<at + 8].elementsEqual("eXIf".utf8) { return bytes[at + 8..<at + 8 + count] }
            at += 12 + count
        }
        return nil
    }

    private static func webpExif(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var at = 12
        while at + 8 <= bytes.count {
            let count = bytes[at + 4..<at + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            guard at + 8 + count <= bytes.count else { return nil }
            if bytes[at..<at + 4].elementsEqual("EXIF".utf8) {
                let content = bytes[at + 8..<at + 8 + count]
                // Some writers keep the mark that only JPEG has.
                return content.starts(with: exifMark) ? content.dropFirst(exifMark.count) : content
            }
            // A chunk of an odd length has a byte behind it.
            at += 8 + count + count % 2
        }
        return nil
    }

    /// Returns tag 0x0112 of the first directory: a number of 16 bits (type 3), one of them.
    private static func orientation(tiff: ArraySlice<UInt8>) -> ExifOrientation? {
        let isLittle = tiff.starts(with: [0x49, 0x49, 42, 0])
        guard isLittle || tiff.starts(with: [0x4D, 0x4D, 0, 42]) else { return nil }
        func number(at offset: Int, byteCount: Int) -> Int? {
            guard offset >= 0, offset + byteCount <= tiff.count else { return nil }
            let part = tiff[tiff.startIndex + offset..<tiff.startIndex + offset + byteCount]
            return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(at: 4, byteCount: 4), let count = number(at: directory, byteCount: 2) else {
            return nil
        }
        for entry in 0..<count {
            let at = directory + 2 + 12 * entry
            guard let tag = number(at: at, byteCount: 2) else { return nil }
            guard tag == 0x0112 else { continue }
            guard number(at: at + 2, byteCount: 2) == 3, number(at: at + 4, byteCount: 4) == 1 else { return nil }
            return number(at: at + 8, byteCount: 2).flatMap { ExifOrientation($0) }
        }
        return nil
    }
}
