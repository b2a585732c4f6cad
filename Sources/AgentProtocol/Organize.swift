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
        try fields.notes(&refs)
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
        try fields.note(&ref)
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
        try fields.notes(&refs)
    }
}

/// `FieldChange` is one change of fields.
public enum FieldChange: Sendable, Equatable {
    /// Nil takes away a title that was set.
    case title(String?)
    case tag([String])
    case untag([String])
    case notebook(String)
    /// One of `changeable`.
    case flag(NoteFlag, Bool)
    /// The day on which it was made, as `NewNote.date` names one.
    case date(String)

    /// Flags that are changed as fields are, in the order of their kinds on the wire. The trash has its own operations.
    private static let changeable: [NoteFlag] = [.pinned, .archived]

    private enum Kind: RawRepresentable {
        case title, tag, untag, notebook, date
        case flag(NoteFlag)

        init?(rawValue: UInt8) {
            switch rawValue {
            case 1: self = .title
            case 2: self = .tag
            case 3: self = .untag
            case 4: self = .notebook
            case 128: self = .date
            default:
                let flags = changeable
                guard rawValue >= 5, Int(rawValue) - 5 < flags.count else { return nil }
                self = .flag(flags[Int(rawValue) - 5])
            }
        }

        var rawValue: UInt8 {
            switch self {
            case .title: 1
            case .tag: 2
            case .untag: 3
            case .notebook: 4
            case .date: 128
            case .flag(let flag): 5 + UInt8(changeable.firstIndex(of: flag) ?? changeable.count)
            }
        }
    }

    private var kind: Kind {
        switch self {
        case .title: .title
        case .tag: .tag
        case .untag: .untag
        case .notebook: .notebook
        case .date: .date
        case .flag(let flag, _): .flag(flag)
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
        case .tag:
            var tags = tags
            try fields.references(&tags)
            self = .tag(tags)
        case .untag:
            var tags = tags
            try fields.references(&tags)
            self = .untag(tags)
        case .notebook:
            var path = if case .notebook(let path) = self { path } else { "" }
            try fields.reference(&path)
            self = .notebook(path)
        case .date:
            var day = if case .date(let day) = self { day } else { "" }
            try fields.text(&day, max: 64)
            self = .date(day)
        case .flag(let flag):
            var isSet = if case .flag(_, let isSet) = self { isSet } else { false }
            try fields.flag(&isSet)
            self = .flag(flag, isSet)
        }
    }

    private var tags: [String] {
        switch self {
        case .tag(let tags), .untag(let tags): tags
        case .title, .notebook, .date, .flag: []
        }
    }
}
