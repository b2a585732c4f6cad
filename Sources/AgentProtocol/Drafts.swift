// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Unfinished edits.
public struct ListDrafts: Operation {
    public static let id: UInt8 = 0x28
    public static let traits: OperationTraits = [.paged]
    public var withDiscarded = false
    public init() {}

    public init(withDiscarded: Bool) {
        self.withDiscarded = withDiscarded
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.flag(&withDiscarded)
    }
}

/// The text of a draft.
public struct ShowDraft: Operation {
    public static let id: UInt8 = 0x29
    public static let traits: OperationTraits = [.paged]
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
    }
}

/// Throws drafts away; they are kept for a day.
public struct DiscardDrafts: Operation {
    public static let id: UInt8 = 0x2A
    public static let traits: OperationTraits = [.changes]
    public var refs: [String] = []
    public init() {}

    public init(refs: [String]) {
        self.refs = refs
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.references(&refs)
    }
}

/// Makes a draft's text its note, or a new one, without an editor.
public struct SaveDraft: Operation {
    public static let id: UInt8 = 0x2B
    public static let traits: OperationTraits = [.changes]
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
    }
}
