// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// All notebooks, and how many notes are in each.
public struct ListNotebooks: Operation {
    public static let id: UInt8 = 0x94
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = NameList
    public init() {}
}

/// Gives a notebook another name or place, with everything below it.
public struct RenameNotebook: Operation {
    public static let id: UInt8 = 0x95
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var from = ""
    public var to = ""
    public init() {}

    public init(from: String, to: String) {
        (self.from, self.to) = (from, to)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&from)
        try fields.reference(&to)
    }
}

/// Takes a notebook's notes out of it, or to the trash with it.
public struct RemoveNotebook: Operation {
    public static let id: UInt8 = 0x96
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var name = ""
    public var withNotes = false
    public init() {}

    public init(name: String, withNotes: Bool) {
        (self.name, self.withNotes) = (name, withNotes)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&name)
        try fields.flag(&withNotes)
    }
}
