// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MediaType` says what a file is by its content; its name plays no part.
public struct MediaType: Hashable, Sendable {
    /// `Kind` says how an attachment is shown. The raw values are stable: they are fit for a record.
    public enum Kind: UInt8, CaseIterable, Sendable {
        case file = 0
        case photo = 1
        case video = 2
        case audio = 3
        case sketch = 4
    }

    public let kind: Kind
    /// The media type as registered with IANA, or the customary one where none is; without parameters.
    public let name: String
    /// The usual extension, without its dot.
    public let fileExtension: String

    /// As many bytes from the start of a file as `detect(head:)` looks at.
    public static let headByteCount = 4096

    /// Names the type of a file.
    ///
    /// A file may be valid in several formats at once. The order settles it, and is the same for everyone who asks:
    /// 1. A signature at the first byte wins, as it does in the programs that open such files. A picture with an
    ///   archive
    ///    behind it is a picture; a document with a picture inside is a document.
    /// 2. Then tar, whose signature stands at byte 257 and is trusted only with a right checksum.
    /// 3. Then UTF-8 text without control characters, so that no text is mistaken for
    /// 4. streams known by repeated frames only (MPEG transport stream, MP3, AAC): two frames or more must agree.
    /// A signature further in the file never counts.
    ///
    /// - Parameter head: the first 4 KiB, or the whole of a shorter file. More is ignored.
    public static func detect(head: [UInt8]) -> MediaType {
        let view = ByteView(head.count > headByteCount ? Array(head[..<headByteCount]) : head)
        return PictureSignature.type(of: view)
            ?? IsoMediaType.type(of: view)
            ?? ContainerSignature.type(of: view)
            ?? AudioSignature.type(of: view)
            ?? FileSignature.type(of: view)
            ?? PlainText.type(of: view)
            ?? FrameStream.type(of: view)
            ?? .octetStream
    }

    static func photo(_ name: String, _ fileExtension: String) -> MediaType {
        .init(kind: .photo, name: name, fileExtension: fileExtension)
    }
    static func video(_ name: String, _ fileExtension: String) -> MediaType {
        .init(kind: .video, name: name, fileExtension: fileExtension)
    }
    static func audio(_ name: String, _ fileExtension: String) -> MediaType {
        .init(kind: .audio, name: name, fileExtension: fileExtension)
    }
    static func file(_ name: String, _ fileExtension: String) -> MediaType {
        .init(kind: .file, name: name, fileExtension: fileExtension)
    }
}

extension MediaType {
    public static let octetStream = file("application/octet-stream", "bin")
    public static let plainText = file("text/plain", "txt")
    /// Whether it is the strict subset that sketches are kept in is not decided here.
    public static let svg = MediaType(kind: .sketch, name: "image/svg+xml", fileExtension: "svg")

    static let jpeg = photo("image/jpeg", "jpg")
    static let png = photo("image/png", "png")
    static let apng = photo("image/apng", "png")
    static let gif = photo("image/gif", "gif")
    static let webP = photo("image/webp", "webp")
    static let avif = photo("image/avif", "avif")
    static let heic = photo("image/heic", "heic")
    static let heicSequence = photo("image/heic-sequence", "heics")
    static let heif = photo("image/heif", "heif")
    static let heifSequence = photo("image/heif-sequence", "heifs")
}
