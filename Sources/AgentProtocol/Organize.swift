// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// One change of fields, the same for all notes named.
public struct ModifyNotes: Operation {
    public static let id: UInt8 = 0x98
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var refs: [String] = []
    public var change: FieldChange = .title(nil)
    public init() {}

    public init(refs: [String], change: FieldChange) {
        (self.refs, self.change) = (refs, change)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.references(&refs)
        try change.code(&fields)
    }
}

/// Makes a copy of a note, without its attachments.
public struct DuplicateNote: Operation {
    public static let id: UInt8 = 0x99
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
    }
}

/// Adds the texts of all other notes to the first.
public struct MergeNotes: Operation {
    public static let id: UInt8 = 0x9A
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var refs: [String] = []
    public init() {}

    public init(refs: [String]) {
        self.refs = refs
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.references(&refs)
    }
}

/// One change of fields.
public enum FieldChange: Sendable, Equatable {
    /// Nil takes away a title that was set.
    case title(String?)
    case tag([String])
    case untag([String])
    case notebook(String)
    case pinned(Bool)
    case archived(Bool)

    private enum Kind: UInt8 { case title = 1, tag, untag, notebook, pinned, archived }

    private var kind: Kind {
        switch self {
        case .title: .title
        case .tag: .tag
        case .untag: .untag
        case .notebook: .notebook
        case .pinned: .pinned
        case .archived: .archived
        }
    }

    mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        var kind = kind
        try fields.code(&kind)
        switch kind {
        case .title:
            var title: String? = if case .title(let title) = self { title } else { nil }
            try fields.optionalText(&title, max: 4096)
            self = .title(title)
        case .tag, .untag:
            var tags = tags
            try fields.references(&tags)
            self = kind == .tag ? .tag(tags) : .untag(tags)
        case .notebook:
            var path = if case .notebook(let path) = self { path } else { "" }
            try fields.reference(&path)
            self = .notebook(path)
        case .pinned, .archived:
            var isSet = isSet
            try fields.flag(&isSet)
            self = kind == .pinned ? .pinned(isSet) : .archived(isSet)
        }
    }

    private var tags: [String] {
        switch self {
        case .tag(let tags), .untag(let tags): tags
        case .title, .notebook, .pinned, .archived: []
        }
    }

    private var isSet: Bool {
        switch self {
        case .pinned(let isSet), .archived(let isSet): isSet
        case .title, .tag, .untag, .notebook: false
        }
    }
}
