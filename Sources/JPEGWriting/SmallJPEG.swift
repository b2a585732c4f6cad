// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CTurboJPEG

/// `SmallJPEG` writes the pixels of a small picture as a JPEG, by libjpeg-turbo, on white where the picture lets
/// something through. The pixels are ours: nobody's file is read here.
public enum SmallJPEG {
    private static let quality: Int32 = 85

    /// Returns the bytes of the file; nil where there is no memory for it.
    ///
    /// - Parameter rgba: four bytes for each pixel, red, green, blue, alpha, not premultiplied, row by row from the
    ///   top.
    public static func encode(rgba: [UInt8], width: Int, height: Int) -> [UInt8]? {
        precondition(rgba.count == 4 * width * height, "the pixels do not fill the picture")
        guard let encoder = unsafe tjInitCompress() else { return nil }
        defer { unsafe tjDestroy(encoder) }
        let pixels = onWhite(rgba)
        var file: UnsafeMutablePointer<UInt8>?
        var byteCount: UInt = 0
        let result = unsafe pixels.withUnsafeBufferPointer { bytes in
            unsafe tjCompress2(
                encoder, bytes.baseAddress, Int32(width), 0, Int32(height), Int32(TJPF_RGBX.rawValue),
                &file, &byteCount, Int32(TJSAMP_420.rawValue), quality, 0)
        }
        defer { unsafe tjFree(file) }
        guard result == 0, let file = unsafe file else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: file, count: Int(byteCount)))
    }

    private static func onWhite(_ rgba: [UInt8]) -> [UInt8] {
        var pixels = rgba
        for at in stride(from: 0, to: pixels.count - 3, by: 4) where pixels[at + 3] < 255 {
            let alpha = Int(pixels[at + 3])
            for part in at..<at + 3 {
                pixels[part] = UInt8(truncatingIfNeeded: (Int(pixels[part]) * alpha + 255 * (255 - alpha)) / 255)
            }
        }
        return pixels
    }
}
