// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// Tells where a scan looks: at all notes in the order of an index, or at the few that may fit at all.
struct ScanSource {
    /// Whether they come in the order of the list.
    let isInOrder: Bool
    /// Notes that no page asked for are not given: how many there are is counted elsewhere.
    private(set) var givesBestOnly = false
    /// Only these few are looked at; nil for all notes of the places.
    private(set) var count: Int?
    private var walks: [NoteWalk]
    private var parts: [ArraySlice<NoteFields>]
    private let search: FilteredSearch

    private init(_ walks: [NoteWalk], _ search: FilteredSearch, isInOrder: Bool, count: Int? = nil) {
        self.walks = walks
        self.search = search
        self.isInOrder = isInOrder
        self.count = count
        parts = walks.map { _ in [] }
    }

    /// Looks at all notes of some places, or of one notebook.
    ///
    /// - Parameters:
    ///   - notebook: a notebook with an index of its own; nil where private notes, of which it does not know, must be
    ///     looked at too.
    ///   - range: times of modification.
    init(
        _ search: FilteredSearch, places: Set<NotePlace>, notebook: String?, within range: ClosedRange<Int64>?,
        _ limits: ScanLimits
    ) {
        let titles = search.order == .title
        if let walk = NoteWalk(bestOf: search, places, limits) {
            self.init([walk], search, isInOrder: false)
            givesBestOnly = true
            return
        }
        // By rows all places are passed: fine where most notes are.
        if search.order != .modified, notebook == nil, range == nil, places.contains(.live) {
            let walk = NoteWalk(.rows, reverse: search.reverse, withTitles: titles)
            self.init([walk], search, isInOrder: search.order == .rank)
            return
        }
        let walks = [true, false].flatMap { isPinned in
            NotePlace.allCases.filter(places.contains).map { place in
                NoteWalk(
                    .modified(place, isPinned: isPinned, notebook: notebook, within: range),
                    reverse: search.order == .modified && search.reverse,
                    withTitles: titles)
            }
        }
        self.init(walks, search, isInOrder: search.order == .modified)
    }

    init(_ search: FilteredSearch, rows: [Int64]) {
        let sorted = search.reverse ? rows.sorted() : rows.sorted(by: >)
        let walk = NoteWalk(.numbers(sorted), withTitles: search.order == .title)
        self.init([walk], search, isInOrder: search.order == .rank, count: rows.count)
    }

    init(_ search: FilteredSearch, notes: [PackedID]) {
        let walk = NoteWalk(.identifiers(notes), withTitles: search.order == .title)
        self.init([walk], search, isInOrder: false, count: notes.count)
    }

    /// Notes that SQLite looked at, and how many of them are live, where only the best are given.
    var passed: (all: Int, live: Int) { walks.reduce((0, 0)) { ($0.0 + $1.passedCount, $0.1 + $1.liveCount) } }
    var isAtEnd: Bool { walks.allSatisfy(\.isAtEnd) && parts.allSatisfy(\.isEmpty) }

    /// Returns the next note; nil at the end, or where SQLite looked at a part that has none.
    mutating func next(_ database: Database) throws -> NoteFields? {
        var best: Int?
        for index in walks.indices {
            while parts[index].isEmpty, !walks[index].isAtEnd {
                parts[index] = try walks[index].next(database)[...]
                if givesBestOnly { break }
            }
            guard let note = parts[index].first else { continue }
            guard let other = best, let ahead = parts[other].first else {
                best = index
                if !isInOrder { break }
                continue
            }
            if precedes(note, ahead) { best = index }
        }
        return best.flatMap { parts[$0].popFirst() }
    }

    /// Returns whether a note comes before another: pinned notes first, then by time, in the order of the walks by
    /// modification.
    private func precedes(_ first: NoteFields, _ second: NoteFields) -> Bool {
        if first.isPinned != second.isPinned { return first.isPinned }
        return ((first.modified, first.row) > (second.modified, second.row)) != search.reverse
    }
}
