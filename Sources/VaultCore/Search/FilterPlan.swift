// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText
internal import VaultFormat

/// A `FilterPlan` is a query made ready: it has for each alternative where it looks, what fields decide and what only
/// the text does.
struct FilterPlan {
    struct Alternative {
        let places: Set<NotePlace>
        let fields: [NoteQuery.Term]
        let words: [Words]
    }

    /// `Words` is a term about words, any of which must be there, or none of which may be.
    struct Words {
        let isNegated: Bool
        let needles: [(query: SearchQuery, isInTitle: Bool)]
    }

    let alternatives: [Alternative]
    /// Notes that have what no field says.
    let sets: NoteSets

    /// Makes a query ready.
    ///
    /// - Parameters:
    ///   - query: nil for every note of the places.
    ///   - needsUploads: whether a note's state is asked for besides.
    init(
        _ query: NoteQuery?, places: [NotePlace], needsUploads: Bool = false, _ index: some IndexAccess
    ) throws {
        alternatives =
            query.map { $0.alternatives.map { Alternative($0, places: places) } } ?? [Alternative([], places: places)]
        sets = try NoteSets(
            for: alternatives.flatMap(\.fields).flatMap(\.conditions), needsUploads: needsUploads, index)
    }

    var places: Set<NotePlace> { alternatives.reduce(into: []) { $0.formUnion($1.places) } }
    var looksAtTexts: Bool { alternatives.contains { !$0.words.isEmpty } }
    /// Whether some matches are better than others.
    var ranks: Bool { alternatives.contains { $0.words.contains { !$0.isNegated } } }

    /// Returns the alternatives that may fit as far as fields can tell, one bit each.
    func fits(_ note: NoteFields) -> Int64 {
        var bits: Int64 = 0
        for (number, alternative) in alternatives.enumerated() where alternative.places.contains(note.place) {
            let fits = alternative.fields.allSatisfy { term in
                term.conditions.contains { note.holds($0, sets) } != term.isNegated
            }
            if fits { bits |= Int64(1) << Int64(number) }
        }
        return bits
    }

    /// Returns how well the best of some alternatives fits a text; nil when none does.
    ///
    /// - Parameter bits: as `fits` gave them.
    func score(_ title: Span<UInt8>, _ body: Span<UInt8>, _ bits: Int64) -> Int? {
        var best: Int?
        for (number, alternative) in alternatives.enumerated() where bits & (Int64(1) << Int64(number)) != 0 {
            if let score = alternative.score(title, body) { best = max(best ?? score, score) }
        }
        return best
    }
}

/// `NoteSets` holds the notes that have what no field says, as far as a query asks for it.
struct NoteSets {
    /// Notes with a draft, and with a second head.
    let drafts: Set<PackedID>
    let forks: Set<PackedID>
    let uploads: Uploads?
    /// The notes of the books and chapters that are asked for.
    private let ofBooks: [(condition: NoteQuery.Condition, notes: Set<PackedID>)]

    init(for conditions: [NoteQuery.Condition], needsUploads: Bool, _ index: some IndexAccess) throws {
        let draftsSQL = "SELECT note FROM draft WHERE discarded IS NULL AND note IS NOT NULL"
        drafts =
            conditions.contains { [.has(.draft), .state(.draft)].contains($0) }
            ? try Self.notes(index.database, draftsSQL) : []
        forks =
            conditions.contains { [.has(.conflict), .state(.conflict)].contains($0) }
            ? try Self.notes(index.database, "SELECT note FROM otherHead") : []
        let asksForThem = conditions.contains { if case .state(.upload) = $0 { true } else { false } }
        uploads = needsUploads || asksForThem ? try index.uploads.asOfNow(index) : nil
        var ofBooks: [(condition: NoteQuery.Condition, notes: Set<PackedID>)] = []
        for condition in conditions where !ofBooks.contains(where: { $0.condition == condition }) {
            if let notes = try index.notesOfBooks(condition) { ofBooks.append((condition, notes)) }
        }
        self.ofBooks = ofBooks
    }

    /// Returns the notes that stand in a book or a chapter; nil for another condition.
    func ofBooks(_ condition: NoteQuery.Condition) -> Set<PackedID>? {
        ofBooks.first { $0.condition == condition }?.notes
    }

    private static func notes(_ database: Database, _ sql: String) throws -> Set<PackedID> {
        Set(try Row.fetchAll(database, sql: sql).map { PackedID(try NoteID(try $0.bytes("note"))) })
    }
}

extension FilterPlan.Alternative {
    init(_ terms: [NoteQuery.Term], places: [NotePlace]) {
        let named = terms.filter { !$0.isNegated }.map { $0.conditions.map(\.place) }.filter {
            $0.contains { $0 != nil }
        }
        // What names no place beside one that does may be anywhere.
        let anywhere = Set(NotePlace.allCases)
        self.places =
            named.isEmpty
            ? Set(places) : named.reduce(anywhere) { $1.contains(nil) ? $0 : $0.intersection($1.compactMap(\.self)) }
        fields = terms.filter { !$0.isAboutWords }
        words = terms.filter(\.isAboutWords).map {
            FilterPlan.Words(isNegated: $0.isNegated, needles: $0.conditions.compactMap(\.needle))
        }
    }

    func score(_ title: Span<UInt8>, _ body: Span<UInt8>) -> Int? {
        var score = 0
        for term in words {
            var best: Int?
            for (query, isInTitle) in term.needles {
                let found =
                    isInTitle
                    ? TextMatch.match(query, title: title, body: Span())
                    : TextMatch.match(query, title: title, body: body)
                if let found { best = max(best ?? 0, found.score) }
            }
            guard (best == nil) == term.isNegated else { return nil }
            score += best ?? 0
        }
        return score
    }
}

extension NoteQuery.Term {
    /// All conditions of a term are of one field.
    var isAboutWords: Bool { conditions.first?.needle != nil }
}

extension NoteQuery.Condition {
    fileprivate var needle: (query: SearchQuery, isInTitle: Bool)? {
        switch self {
        case .text(let needle): SearchQuery(needle: needle).map { ($0, false) }
        case .title(let needle): SearchQuery(needle: needle).map { ($0, true) }
        case .tag, .notebook, .created, .modified, .has, .state, .book, .chapter: nil
        }
    }

    fileprivate var place: NotePlace? {
        switch self {
        case .state(.live): .live
        case .state(.book): .book
        case .state(.flag(let flag)): NotePlace(flag)
        case .state(.draft), .state(.conflict), .state(.isPrivate), .state(.upload): nil
        case .text, .title, .tag, .notebook, .created, .modified, .has, .book, .chapter: nil
        }
    }
}
