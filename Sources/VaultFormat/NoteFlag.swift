// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `NoteFlag` is a mark that a note has or has not: on disk, on the socket, in searches, exports and on screen. All
/// that is known of one stands here; lists, JSON, exports, searches and the history go through `allCases`.
///
/// The raw value is its bit in a record. The order is that of exports. Spec: docs/format.md §9, docs/export-json.md §3.
public enum NoteFlag: UInt32, Sendable, CaseIterable {
    /// Stands before all others in lists.
    case pinned = 2
    /// Out of the lists, but still found.
    case archived = 4
    case trashed = 1
    /// A pattern for new notes; neither listed nor found.
    case template = 8

    /// The name for it in JSON, in the front matter of Markdown, and after `state:` in a search.
    public var name: String { traits.name }
    /// Shown beside a note's title, unless the list that it is in already says it.
    public var label: String? { traits.label }
    /// What the note is then, in a sentence.
    public var words: String { traits.words }
    /// Whether it says which list the note is in.
    public var isPlace: Bool { traits.isPlace }

    /// Returns what happened to a note that got it, or lost it.
    public func change(isSet: Bool) -> String { isSet ? traits.changes.set : traits.changes.unset }

    /// The flags that say nothing of the place.
    public static let marks = allCases.filter { !$0.isPlace }
    /// All flags, in the order of their bits.
    public static let byBit = allCases.sorted { $0.rawValue < $1.rawValue }

    private struct Traits {
        let name: String
        let label: String?
        let words: String
        let changes: (set: String, unset: String)
        var isPlace = true
    }

    private var traits: Traits {
        switch self {
        case .pinned:
            Traits(
                name: "pinned", label: "[pinned]", words: "pinned", changes: ("pinned", "unpinned"), isPlace: false)
        case .archived:
            Traits(name: "archived", label: "[archive]", words: "archived", changes: ("archived", "unarchived"))
        case .trashed:
            Traits(name: "trashed", label: "[trash]", words: "in the trash", changes: ("to the trash", "restored"))
        case .template:
            Traits(name: "template", label: nil, words: "template", changes: ("made a template", "made a note"))
        }
    }
}

extension NoteRecord {
    /// `Flags` holds the flags of one note. The bits are those of the record.
    public struct Flags: OptionSet, Sendable, Equatable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public init(_ flag: NoteFlag) { self.init(rawValue: flag.rawValue) }

        public static let trashed = Flags(.trashed)
        public static let pinned = Flags(.pinned)
        public static let archived = Flags(.archived)
        public static let template = Flags(.template)
        /// Set exactly in records of books: nobody sets or clears it separately, so it is not a `NoteFlag`.
        public static let book = Flags(rawValue: 16)
        static let known = NoteFlag.allCases.reduce(into: book) { $0.formUnion(Flags($1)) }.rawValue

        /// The flags that say nothing of the place.
        public var marks: Flags { subtracting(Self.places) }
        private static let places = Flags(NoteFlag.allCases.filter(\.isPlace).map { Flags($0) })

        public func contains(_ flag: NoteFlag) -> Bool { contains(Flags(flag)) }

        public mutating func set(_ flag: NoteFlag, _ isSet: Bool) {
            if isSet { insert(Flags(flag)) } else { remove(Flags(flag)) }
        }
    }
}
