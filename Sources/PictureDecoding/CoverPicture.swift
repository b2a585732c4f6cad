// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CTurboJPEG
public import ParserProtocol

/// `CoverPicture` makes a small JPEG of an untrusted picture: decoded here and written anew, upright, with nothing of
/// the file but its pixels; on white where it lets something through.
public enum CoverPicture {
    private static let quality: Int32 = 85
    /// A picture with shorter sides stands for none, in pixels.
    private static let sideMin = 8

    /// Returns the picture within 600×600, or why there is none. It is made smaller, never larger.
    ///
    /// - Parameter bytes: a whole file.
    public static func record(of bytes: [UInt8]) -> CoverRecord {
        guard bytes.count <= CoverRecord.inputByteCountMax else { return .tooLarge }
        switch PictureDecoder.record(of: bytes, within: CoverRecord.sideMax) {
        case .notKnown: return .notKnown
        case .damaged: return .damaged
        case .tooLarge: return .tooLarge
        case .picture(let pixels):
            guard max(pixels.width, pixels.height) >= sideMin else { return .notKnown }
            guard let jpeg = encode(pixels), jpeg.count + 5 <= CoverRecord.byteCountMax else { return .tooLarge }
            return .picture(width: UInt16(pixels.width), height: UInt16(pixels.height), jpeg: jpeg)
        }
    }

    private static func encode(_ picture: PicturePixels) -> [UInt8]? {
        guard let encoder = unsafe tjInitCompress() else { return nil }
        defer { unsafe tjDestroy(encoder) }
        let pixels = onWhite(picture.rgba)
        var file: UnsafeMutablePointer<UInt8>?
        var byteCount: UInt = 0
        let result = unsafe pixels.withUnsafeBufferPointer { bytes in
            unsafe tjCompress2(
                encoder, bytes.baseAddress, Int32(picture.width), 0, Int32(picture.height), Int32(TJPF_RGBX.rawValue),
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
