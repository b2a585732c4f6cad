// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Seals what the descriptor gives: a regular file or a pipe, open for reading. It becomes an attachment with
/// `CommitAttachments`; until then it belongs to this connection, and is dropped if that ends.
public struct PutAttachment: Operation {
    public static let id: UInt8 = 0x30
    public static let traits: OperationTraits = [.writes, .descriptor]
    public var ref = ""
    public var file: AddedFile = AddedFile(name: "", kind: .file, mediaType: "")
    /// The part received is attached if the vault locks or the connection ends before the content does.
    public var isRecording = false
    public init() {}

    public init(ref: String, file: AddedFile, isRecording: Bool = false) {
        (self.ref, self.file, self.isRecording) = (ref, file, isRecording)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try file.code(&fields)
        try fields.flag(&isRecording)
    }
}

/// Adds everything that was put, in the order it was put, as one change.
public struct CommitAttachments: Operation {
    public static let id: UInt8 = 0x31
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = AttachmentList
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
    }
}

/// Forgets the attachments that were put last.
public struct DropAttachments: Operation {
    public static let id: UInt8 = 0x32
    public static let traits: OperationTraits = []
    public var count: UInt32 = 1
    public init() {}

    public init(count: UInt32) {
        self.count = count
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u32(&count)
    }
}

/// The attachments of a note.
public struct ListAttachments: Operation {
    public static let id: UInt8 = 0x33
    public static let traits: OperationTraits = []
    public typealias Reply = AttachmentList
    public var ref = ""
    public var kind: AttachmentDetails.Kind?
    public init() {}

    public init(ref: String, kind: AttachmentDetails.Kind?) {
        (self.ref, self.kind) = (ref, kind)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.optional(&kind, else: .file) { (fields, kind) throws(FormatError) in try fields.code(&kind) }
    }
}

/// Writes an attachment's content, or part of it, to the descriptor: a regular file or a pipe, open for writing.
public struct GetAttachment: Operation {
    public static let id: UInt8 = 0x34
    public static let traits: OperationTraits = [.output, .descriptor]
    public var ref = ""
    public var name = ""
    public var range: ByteRange?
    public init() {}

    public init(ref: String, name: String, range: ByteRange?) {
        (self.ref, self.name, self.range) = (ref, name, range)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.reference(&name)
        try fields.optional(&range, else: ByteRange(offset: 0, count: 0)) { (fields, range) throws(FormatError) in
            try range.code(&fields)
        }
    }
}

/// Describes an attachment, in an `attachment` frame.
public struct DescribeAttachment: Operation {
    public static let id: UInt8 = 0x35
    public static let traits: OperationTraits = []
    public var ref = ""
    public var name = ""
    public init() {}

    public init(ref: String, name: String) {
        (self.ref, self.name) = (ref, name)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.reference(&name)
    }
}

/// The thumbnail of an attachment, as a `picture` frame; it is made if missing.
public struct ShowThumbnail: Operation {
    public static let id: UInt8 = 0x3A
    public static let traits: OperationTraits = []
    public var ref = ""
    public var name = ""
    public init() {}

    public init(ref: String, name: String) {
        (self.ref, self.name) = (ref, name)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.reference(&name)
    }
}

/// Takes attachments off a note.
public struct RemoveAttachments: Operation {
    public static let id: UInt8 = 0x36
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = AttachmentList
    public var ref = ""
    public var names: [String] = []
    public init() {}

    public init(ref: String, names: [String]) {
        (self.ref, self.names) = (ref, names)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.references(&names)
    }
}

/// Gives an attachment another name.
public struct RenameAttachment: Operation {
    public static let id: UInt8 = 0x37
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = AttachmentList
    public var ref = ""
    public var name = ""
    public var to = ""
    public init() {}

    public init(ref: String, name: String, to: String) {
        (self.ref, self.name, self.to) = (ref, name, to)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.reference(&name)
        try fields.reference(&to)
    }
}

/// Sets an attachment's caption.
public struct CaptionAttachment: Operation {
    public static let id: UInt8 = 0x38
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = AttachmentList
    public var ref = ""
    public var name = ""
    public var caption = ""
    public init() {}

    public init(ref: String, name: String, caption: String) {
        (self.ref, self.name, self.caption) = (ref, name, caption)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.reference(&name)
        try fields.reference(&caption)
    }
}

/// Reports a note as `CreateNote` does, with its attachments.
public struct ShowAttached: Operation {
    public static let id: UInt8 = 0x39
    public static let traits: OperationTraits = []
    public typealias Reply = AttachedNote
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
    }
}

/// `AddedFile` describes a file to be attached, as its owner's program sees it.
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

    mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&name)
        try fields.text(&caption, max: AttachmentDetails.captionByteCountMax)
        try fields.code(&kind)
        try fields.text(&mediaType, max: AttachmentDetails.mediaTypeByteCountMax)
        try fields.u32(&width)
        try fields.u32(&height)
        try fields.flag(&isStripped)
        try fields.i64(&created)
    }
}

/// `ByteRange` names bytes of a content.
public struct ByteRange: Sendable, Equatable {
    public var offset: UInt64
    public var count: UInt64

    public init(offset: UInt64, count: UInt64) {
        self.offset = offset
        self.count = count
    }

    mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u64(&offset)
        try fields.u64(&count)
    }
}

/// Attachments of a note.
public struct AttachmentList: ReplyValue {
    /// The note's shortest name.
    public var note = ""
    public var attachments: [AttachmentRow] = []
    public init() {}
    public init(_ note: String, _ attachments: [AttachmentRow]) { (self.note, self.attachments) = (note, attachments) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&note)
        try fields.values(&attachments)
    }
}

/// A new note with its attachments.
public struct AttachedNote: ReplyValue {
    public var note = NoteRow()
    public var attachments: [AttachmentRow] = []
    public init() {}
    public init(_ note: NoteRow, _ attachments: [AttachmentRow]) { (self.note, self.attachments) = (note, attachments) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try note.code(&fields)
        try fields.values(&attachments)
    }
}
