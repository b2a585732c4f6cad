// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// The links of a note, in the order of its text.
public struct ListLinks: Operation {
    public static let id: UInt8 = 0x80
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

/// The target of one link of a note, as bare output: for a program to open.
public struct LinkTarget: Operation {
    public static let id: UInt8 = 0x81
    public static let traits: OperationTraits = []
    public var ref = ""
    /// From 1.
    public var number: UInt32 = 1
    public init() {}

    public init(ref: String, number: UInt32) {
        (self.ref, self.number) = (ref, number)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
        try fields.u32(&number)
    }
}

/// The notes that link to a note.
public struct ListBacklinks: Operation {
    public static let id: UInt8 = 0x82
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

/// Title and text of a note as bare output: for the clipboard or a file.
public struct ShareNote: Operation {
    public static let id: UInt8 = 0x83
    public static let traits: OperationTraits = []
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
    }
}
