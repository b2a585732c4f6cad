// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import JPEGWriting
public import ParserProtocol

/// `CoverPicture` makes a small JPEG of an untrusted picture: decoded here and written anew, upright, with nothing of
/// the file but its pixels; on white where it lets something through.
public enum CoverPicture {
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
            let jpeg = SmallJPEG.encode(rgba: pixels.rgba, width: Int(pixels.width), height: Int(pixels.height))
            guard let jpeg, jpeg.count + 5 <= CoverRecord.byteCountMax else { return .tooLarge }
            return .picture(width: UInt16(pixels.width), height: UInt16(pixels.height), jpeg: jpeg)
        }
    }
}
