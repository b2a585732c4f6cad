// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// The links of a note, in the order of its text.
public struct ListLinks: Operation {
    public static let id: UInt8 = 0x80
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = LinkList
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
    }
}

/// One link of a note, to be opened.
public struct LinkTarget: Operation {
    public static let id: UInt8 = 0x81
    public static let traits: OperationTraits = []
    public typealias Reply = LinkList
    public var ref = ""
    /// From 1.
    public var number: UInt32 = 1
    public init() {}

    public init(ref: String, number: UInt32) {
        (self.ref, self.number) = (ref, number)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.u32(&number)
    }
}

/// The notes that link to a note.
public struct ListBacklinks: Operation {
    public static let id: UInt8 = 0x82
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = NoteList
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
    }
}

/// Title and text of a note, for the clipboard or a file.
public struct ShareNote: Operation {
    public static let id: UInt8 = 0x83
    public static let traits: OperationTraits = []
    public typealias Reply = SharedText
    public var ref = ""
    /// One line of the text alone, from 1; 0 for title and text. A title that is the first line is not counted, unless
    /// there is nothing else.
    public var line: UInt32 = 0
    /// The text after this name and a colon, in the first line that begins so; empty for none. Capitals make no
    /// difference.
    public var field = ""
    /// Owners of age keys that it is encrypted to: the answer is an age file as text then. Empty for the text itself.
    public var recipients: [String] = []
    public init() {}

    public init(ref: String, line: UInt32 = 0, field: String = "", recipients: [String] = []) {
        (self.ref, self.line, self.field, self.recipients) = (ref, line, field, recipients)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.u32(&line)
        try fields.text(&field, max: 256)
        try fields.references(&recipients)
    }
}

/// Links in a note's text, in their order.
public struct LinkList: ReplyValue {
    public struct Link: ReplyValue {
        public enum Kind: UInt8, Sendable { case url = 1, email, phone, date, note, address, parcel, flight }
        public var kind = Kind.url
        /// Where it leads: an address, or a note's name.
        public var target = ""
        /// The words shown for it.
        public var label = ""
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.code(&kind)
            try fields.text(&target)
            try fields.text(&label)
        }
    }

    public var links: [Link] = []
    public init() {}
    public init(_ links: [Link]) { self.links = links }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.values(&links) }
}

/// A note's title and text, as they are given to somebody else.
public struct SharedText: ReplyValue {
    public var text = ""
    public init() {}
    public init(_ text: String) { self.text = text }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.text(&text) }
}
