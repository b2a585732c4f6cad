// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// An attachment as an export writes it. Its content comes apart, through `AttachmentContent`.
public struct ExportedAttachment: Sendable {
    /// 26 characters of base32.
    public var id: String
    /// As the note's text calls it: `![caption](att:NAME)`.
    public var name: String
    public var mediaType: String
    /// "file", "photo", "video", "audio" or "sketch".
    public var kind: String
    public var caption = ""
    /// Exact size of the content, in bytes.
    public var byteCount: UInt64
    /// When it was added, in milliseconds since 1970, UTC.
    public var created: Int64

    public init(id: String, name: String, mediaType: String, kind: String, byteCount: UInt64, created: Int64) {
        self.id = id
        self.name = name
        self.mediaType = mediaType
        self.kind = kind
        self.byteCount = byteCount
        self.created = created
    }
}
