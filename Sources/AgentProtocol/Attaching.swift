// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Requests about attachments. Contents travel as descriptors, never in frames. Spec: docs/agent-protocol.md §6.
public enum Attaching: Sendable, Equatable {
    /// Seals what the descriptor that comes with this request gives: a regular file or a pipe, open for reading. It is no attachment before
    /// `commit`; on this connection it waits, and goes with it.
    case put(ref: String, AddedFile)
    /// Adds everything that was put, in the order it was put, as one change.
    case commit(ref: String)
    /// Forgets the last `count` that were put.
    case drop(count: UInt32)
    case list(ref: String, kind: AttachmentDetails.Kind?)
    /// Writes the content, or `count` bytes of it from `offset`, to the descriptor that comes with this request: a regular file or a pipe, open
    /// for writing.
    case get(ref: String, name: String, range: ByteRange?)
    /// What an attachment is, as an `attachment` frame.
    case describe(ref: String, name: String)
    case remove(ref: String, names: [String])
    case rename(ref: String, name: String, to: String)
    case caption(ref: String, name: String, to: String)
    /// Says a note as `new` says it, with what is attached to it.
    case tell(ref: String)

    /// Whether a descriptor comes with the request.
    public var needsDescriptor: Bool {
        switch self {
        case .put, .get: true
        case .commit, .drop, .list, .describe, .remove, .rename, .caption, .tell: false
        }
    }
}

/// What a file is that is to be attached, as its owner's program sees it.
public struct AddedFile: Sendable, Equatable {
    /// As it was called; it is made safe and unique.
    public var name: String
    public var caption = ""
    public var kind: AttachmentDetails.Kind
    public var mediaType: String
    /// Of a picture as shown, in pixels; 0 when not known.
    public var width: UInt32 = 0
    public var height: UInt32 = 0
    /// Whether metadata was taken out on the way.
    public var isStripped = false
    /// Of an imported file, in milliseconds since 1970, UTC; 0 when it is new here.
    public var created: Int64 = 0

    public init(name: String, kind: AttachmentDetails.Kind, mediaType: String) {
        self.name = name
        self.kind = kind
        self.mediaType = mediaType
    }
}

/// Bytes of a content.
public struct ByteRange: Sendable, Equatable {
    public var offset: UInt64
    public var count: UInt64

    public init(offset: UInt64, count: UInt64) {
        self.offset = offset
        self.count = count
    }
}

extension Attaching {
    private enum Operation: UInt8 { case put = 1, commit, drop, list, get, describe, remove, rename, caption, tell }

    func encode(to writer: inout ByteWriter) {
        func begin(_ operation: Operation, _ ref: String) {
            writer.u8(operation.rawValue)
            writer.text(ref)
        }
        switch self {
        case .put(let ref, let file):
            begin(.put, ref)
            file.encode(to: &writer)
        case .commit(let ref): begin(.commit, ref)
        case .drop(let count):
            begin(.drop, "")
            writer.u32(count)
        case .list(let ref, let kind):
            begin(.list, ref)
            writer.flag(kind != nil)
            if let kind { writer.u8(kind.rawValue) }
        case .get(let ref, let name, let range):
            begin(.get, ref)
            writer.text(name)
            writer.flag(range != nil)
            if let range {
                writer.u64(range.offset)
                writer.u64(range.count)
            }
        case .describe(let ref, let name):
            begin(.describe, ref)
            writer.text(name)
        case .remove(let ref, let names):
            begin(.remove, ref)
            writer.texts(names)
        case .rename(let ref, let name, let new):
            begin(.rename, ref)
            writer.text(name)
            writer.text(new)
        case .caption(let ref, let name, let text):
            begin(.caption, ref)
            writer.text(name)
            writer.text(text)
        case .tell(let ref): begin(.tell, ref)
        }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        guard let operation = Operation(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        let max = Request.refMax
        let ref = try reader.text(max: max)
        switch operation {
        case .put: self = .put(ref: ref, try AddedFile(from: &reader))
        case .commit: self = .commit(ref: ref)
        case .drop: self = .drop(count: try reader.u32())
        case .list: self = .list(ref: ref, kind: try reader.flag() ? try AddedFile.kind(from: &reader) : nil)
        case .get:
            let name = try reader.text(max: max)
            guard try reader.flag() else {
                self = .get(ref: ref, name: name, range: nil)
                return
            }
            self = .get(ref: ref, name: name, range: ByteRange(offset: try reader.u64(), count: try reader.u64()))
        case .describe: self = .describe(ref: ref, name: try reader.text(max: max))
        case .remove: self = .remove(ref: ref, names: try reader.texts())
        case .rename: self = .rename(ref: ref, name: try reader.text(max: max), to: try reader.text(max: max))
        case .caption: self = .caption(ref: ref, name: try reader.text(max: max), to: try reader.text(max: max))
        case .tell: self = .tell(ref: ref)
        }
    }
}

extension AddedFile {
    func encode(to writer: inout ByteWriter) {
        writer.text(name)
        writer.text(caption)
        writer.u8(kind.rawValue)
        writer.text(mediaType)
        writer.u32(width)
        writer.u32(height)
        writer.flag(isStripped)
        writer.i64(created)
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        name = try reader.text(max: 4096)
        caption = try reader.text(max: AttachmentDetails.captionByteCountMax)
        kind = try Self.kind(from: &reader)
        mediaType = try reader.text(max: AttachmentDetails.mediaTypeByteCountMax)
        width = try reader.u32()
        height = try reader.u32()
        isStripped = try reader.flag()
        created = try reader.i64()
    }

    static func kind(from reader: inout ByteReader) throws(FormatError) -> AttachmentDetails.Kind {
        guard let kind = AttachmentDetails.Kind(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        return kind
    }
}
