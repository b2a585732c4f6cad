// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ParserProtocol

/// `PictureDecoder` makes a small picture of untrusted bytes: JPEG, PNG, WebP or GIF, of moving ones the first frame.
///
/// It opens no file, starts no thread and writes no message, so it works where `Sandbox` leaves nothing but memory.
/// Colours are taken as sRGB whatever profile the file has.
public enum PictureDecoder {
    /// Largest input, in bytes.
    public static let byteCountMax = 128 << 20
    /// Most pixels that a picture may claim. It is refused before memory is taken for any.
    private static let pixelCountMax = 200_000_000
    /// Longest side, in pixels: a row is held as a whole.
    private static let sideMax = 1_000_000

    /// Returns the picture, upright, within a box of 1024×1024, or why there is none. It is made smaller, never larger.
    ///
    /// - Parameters:
    ///   - bytes: a whole file.
    ///   - box: the sides of a smaller box.
    public static func record(of bytes: [UInt8], within box: Int = PicturePixels.sideMax) -> PictureRecord {
        guard bytes.count <= byteCountMax else { return .tooLarge }
        guard let format = PictureFormat(of: bytes) else { return .notKnown }
        do throws(PictureFailure) {
            let pixels = try pixels(of: bytes, format, within: box)
            return .picture(ExifOrientation.find(in: bytes, format).turning(pixels))
        } catch {
            return error.record
        }
    }

    private static func pixels(
        of bytes: [UInt8], _ format: PictureFormat, within box: Int
    ) throws(PictureFailure) -> PicturePixels {
        try unsafe bytes.withUnsafeBufferPointer { (input) throws(PictureFailure) in
            var reader = try unsafe PictureReader(input, format)
            guard reader.width > 0, reader.height > 0 else { throw .damaged }
            guard max(reader.width, reader.height) <= sideMax, reader.width * reader.height <= pixelCountMax else {
                throw .tooLarge
            }
            let (width, height) = fitted(reader.width, reader.height, within: box)
            // Taken now, while there is memory: a library's refusal can be told, ours would end the process.
            var shrinker = PictureShrinker(width: width, height: height)
            var row = [UInt8](repeating: 0, count: 4 * reader.width)
            let plane = try reader.start(wantedWidth: width, wantedHeight: height)
            shrinker.begin(sourceWidth: plane.width, sourceHeight: plane.height)
            while let place = try reader.nextRow(into: &row) {
                guard shrinker.add(row, at: place) else { throw .damaged }
            }
            return shrinker.pixels
        }
    }

    /// Returns the largest size within the box that has the same form, at least 1×1.
    private static func fitted(_ width: Int, _ height: Int, within box: Int) -> (width: Int, height: Int) {
        let longer = max(width, height)
        guard longer > box else { return (width, height) }
        return (max(1, (width * box + longer / 2) / longer), max(1, (height * box + longer / 2) / longer))
    }
}

/// `PictureFailure` says why there is no picture.
enum PictureFailure: Error {
    case damaged
    case tooLarge

    var record: PictureRecord {
        switch self {
        case .damaged: .damaged
        case .tooLarge: .tooLarge
        }
    }
}

/// `PictureFormat` names the kinds of pictures that are shown, told by their first bytes and never by a name.
enum PictureFormat {
    case jpeg
    case png
    case webp
    case gif

    init?(of bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
            self = .gif
        } else if bytes.count >= 12, bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }
}
