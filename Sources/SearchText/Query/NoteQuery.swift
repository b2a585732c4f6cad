// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `NoteQuery` is what `ls` and `search` are asked for: alternatives, each a list of terms that must all hold.
///
/// ```
/// query  = terms { "OR" terms }                 OR in capitals, by itself
/// term   = ["-"] ( word | "phrase" | field ":" value { "|" value } )
/// field  = tag notebook title created modified has state book chapter
/// ```
/// A word or phrase is looked for in title and text, as `SearchQuery` does. Text that only looks like a field
/// (`12:30`, `http://x`) is a word.
public struct NoteQuery: Sendable, Equatable {
    public struct Term: Sendable, Equatable {
        public var isNegated: Bool
        /// Any of these must hold; all are of one field.
        public var conditions: [Condition]

        public init(isNegated: Bool, conditions: [Condition]) {
            self.isNegated = isNegated
            self.conditions = conditions
        }
    }

    public enum Condition: Sendable, Equatable {
        /// Folded, in title or text.
        case text([UInt8])
        /// Folded, in the title.
        case title([UInt8])
        /// Folded: the whole tag or one of its parents.
        case tag([UInt8])
        /// Folded: the notebook or one of its parents.
        case notebook([UInt8])
        /// Milliseconds since 1970, UTC.
        case created(Range<Int64>)
        case modified(Range<Int64>)
        case has(Feature)
        case state(State)
        /// Folded: words of the title or the authors of the note's book, or the book's identifier.
        case book([UInt8])
        /// Folded: a part of the title of the note's chapter.
        case chapter([UInt8])
    }

    public enum Feature: String, Sendable, CaseIterable { case link, tag, notebook, title, draft, conflict, attachment }
    public enum State: Sendable, Equatable {
        case live, book
        case flag(NoteFlag)
        case draft, conflict, isPrivate
        case upload(UploadState)
    }

    static let termCountMax = 64

    public let alternatives: [[Term]]

    /// Parses a query as a person typed it.
    ///
    /// - Throws: `NoteQueryError` that says what is wrong and what to type.
    public init(_ text: String, clock: QueryClock) throws(NoteQueryError) {
        var parser = NoteQueryParser(text, clock: clock)
        alternatives = try parser.parse()
    }

    /// Words and phrases alone, all of which must be there: the plain search serves it.
    public var isPlain: Bool {
        alternatives.count == 1
            && alternatives[0].allSatisfy { term in
                guard !term.isNegated, term.conditions.count == 1, case .text = term.conditions[0] else { return false }
                return true
            }
    }

    /// Returns whether a text may be more than words: only then it is worth parsing.
    public static func mayHaveOperators(_ text: String) -> Bool {
        text.contains(":") || text.contains("OR") || text.contains("+")
            || text.hasPrefix("-") || text.contains(" -") || text.contains("\t-")
    }

    /// All that is looked for, for highlighting; nil when no words are.
    public var highlighted: SearchQuery? {
        let needles = alternatives.joined().filter { !$0.isNegated }.flatMap(\.conditions).compactMap { condition in
            switch condition {
            case .text(let needle), .title(let needle): needle
            case .tag, .notebook, .created, .modified, .has, .state, .book, .chapter: nil
            }
        }
        return SearchQuery(needles: needles)
    }
}

extension NoteQuery.State: CaseIterable {
    /// Places first.
    public static let allCases: [Self] =
        [.live] + (NoteFlag.allCases.filter(\.isPlace) + NoteFlag.marks).map { .flag($0) }
        + [.book, .draft, .conflict, .isPrivate] + UploadState.allCases.map { .upload($0) }

    /// What stands behind `state:`.
    var word: String {
        switch self {
        case .live: "live"
        case .book: "book"
        case .flag(let flag): flag.name
        case .draft: "draft"
        case .conflict: "conflict"
        case .isPrivate: "private"
        case .upload(let state): state.name
        }
    }

    init?(word: String) {
        guard let state = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = state
    }
}

/// `QueryClock` says what days and spans of time mean to the one who asks.
public struct QueryClock: Sendable {
    /// Milliseconds since 1970, UTC.
    public var now: Int64
    /// Seconds east of UTC at a moment given in milliseconds since 1970.
    public var offset: @Sendable (Int64) -> Int

    public init(now: Int64, offset: @escaping @Sendable (Int64) -> Int) {
        self.now = now
        self.offset = offset
    }
}

/// `NoteQueryError` says why a query is not understood. It repeats at most the word that is wrong.
public struct NoteQueryError: Error, Sendable, Equatable {
    public let message: String
    /// What to type instead.
    public let hint: String

    init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }
}
