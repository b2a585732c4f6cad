// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `KittyPicture` writes kitty's graphics protocol: the pixels themselves, in base64.
///
/// ```
/// ESC _ G a=T,f=32,s=WIDTH,v=HEIGHT,c=COLUMNS,r=ROWS,C=1,q=2,m=1 ; at most 4096 characters ESC \
/// ESC _ G q=2,m=1 ; … ESC \      and m=0 in the last
/// ```
/// q=2: no answer comes, also none about a failure. C=1: the cursor stays. Without a number for the picture the
/// terminal forgets it once its place has scrolled away.
enum KittyPicture {
    /// Bytes in one piece: 4,096 characters, the most that is allowed.
    private static let pieceByteCount = 3072

    static func drawn(_ pixels: Span<UInt8>, _ size: PixelSize, _ geometry: PictureGeometry) -> [UInt8] {
        let box = geometry.box(width: size.width, height: size.height)
        // The terminal scales better than we do; only what it would throw away by halves or more is left out here.
        let factor = geometry.isCellKnown ? min(size.width / box.pixelWidth, size.height / box.pixelHeight) : 1
        guard factor > 1 else { return sequence(pixels, size, box) }
        let target = PixelSize(width: max(size.width / factor, 1), height: max(size.height / factor, 1))
        var reduced = PixelReduction.reduced(pixels, size, to: target)
        defer { PictureDrawing.wipe(&reduced) }
        return sequence(reduced.span, target, box)
    }

    private static func sequence(_ pixels: Span<UInt8>, _ size: PixelSize, _ box: PictureGeometry.Box) -> [UInt8] {
        let pieceCount = (pixels.count + pieceByteCount - 1) / pieceByteCount
        var bytes = PictureDrawing.placedStart(
            rows: box.rows, byteCount: (pixels.count + 2) / 3 * 4 + pieceCount * 16 + 128)
        for piece in 0..<pieceCount {
            let range = piece * pieceByteCount..<min((piece + 1) * pieceByteCount, pixels.count)
            bytes += "\u{1B}_G".utf8
            if piece == 0 {
                bytes += "a=T,f=32,s=\(size.width),v=\(size.height),c=\(box.columns),r=\(box.rows),C=1,".utf8
            }
            bytes += "q=2,m=\(piece + 1 < pieceCount ? 1 : 0);".utf8
            appendBase64(pixels, range, to: &bytes)
            bytes += "\u{1B}\\".utf8
        }
        bytes += PictureDrawing.placedEnd(rows: box.rows)
        return bytes
    }

    /// Appends base64 by RFC 4648 section 4, with padding.
    private static func appendBase64(_ source: Span<UInt8>, _ range: Range<Int>, to bytes: inout [UInt8]) {
        var place = range.lowerBound
        while place + 3 <= range.upperBound {
            let bits = UInt32(source[place]) << 16 | UInt32(source[place + 1]) << 8 | UInt32(source[place + 2])
            bytes.append(letter(bits >> 18))
            bytes.append(letter(bits >> 12))
            bytes.append(letter(bits >> 6))
            bytes.append(letter(bits))
            place += 3
        }
        let left = range.upperBound - place
        guard left > 0 else { return }
        let bits = UInt32(source[place]) << 16 | (left == 2 ? UInt32(source[place + 1]) << 8 : 0)
        bytes.append(letter(bits >> 18))
        bytes.append(letter(bits >> 12))
        bytes.append(left == 2 ? letter(bits >> 6) : 0x3D)
        bytes.append(0x3D)
    }

    private static func letter(_ bits: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: bits & 63)
        return switch value {
        case 0..<26: value + 0x41
        case 26..<52: value - 26 + 0x61
        case 52..<62: value - 52 + 0x30
        case 62: 0x2B
        default: 0x2F
        }
    }
}
