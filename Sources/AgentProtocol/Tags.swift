// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// All tags, and how many notes have each.
public struct ListTags: Operation {
    public static let id: UInt8 = 0x90
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = NameList
    public init() {}
}

/// Gives a tag another name on all notes. Several tags become one.
public struct RenameTag: Operation {
    public static let id: UInt8 = 0x91
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var from: [String] = []
    public var to = ""
    public init() {}

    public init(from: [String], to: String) {
        (self.from, self.to) = (from, to)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.references(&from)
        try fields.reference(&to)
    }
}

/// Names with the number of notes that have them.
public struct NameList: ReplyValue {
    public struct Name: ReplyValue {
        public var name = ""
        public var count = 0
        public init() {}
        public init(_ name: String, _ count: Int) { (self.name, self.count) = (name, count) }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&name)
            try fields.count(&count)
        }
    }

    public var names: [Name] = []
    public init() {}
    public init(_ names: [Name]) { self.names = names }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.values(&names) }
}
