// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import RegexText
public import SearchText
internal import VaultFormat

/// What a filtered list is sorted by.
public enum NoteOrder: Sendable, Equatable {
    case modified, created, title, size
    /// The best first: by where the words are, then the newest.
    case rank
}

/// What `FilteredScan` is to look for.
public struct FilteredSearch: Sendable {
    public var query: NoteQuery?
    /// A pattern that title or text must match; empty for none.
    public var regex = ""
    public var places: [NotePlace] = [.live]
    public var tag: String?
    public var notebook: String?
    public var order = NoteOrder.modified
    public var reverse = false
    /// Notes on a page; from 1.
    public var limit = 20
    public var page = 1
    public init() {}
}

/// A list or search with filters, in steps of a few milliseconds. The tables say which notes may fit; words that must not be there, words
/// in titles and patterns are looked for in the texts themselves, newest first, until the page is full.
public final class FilteredScan {
    /// Notes of the page, in order.
    public private(set) var notes: [NoteSummary] = []
    public private(set) var hasMore = false
    /// How many fit in all, when that is known without looking at texts.
    public private(set) var total: Int?
    /// Notes looked at, and notes that may fit.
    public var progress: (done: UInt64, total: UInt64) { (UInt64(next), UInt64(candidates.count)) }

    private let store: VaultStore
    private let search: FilteredSearch
    private let regex: RegexPattern?
    private var candidates: [(row: Int64, fits: Int64)] = []
    private var hasBegun = false
    private var next = 0
    private var found: [(row: Int64, score: Int)] = []
    private static let stepDuration = Duration.milliseconds(10)
    /// Matches are ranked in windows of so many, so that a page never depends on how many there are in all.
    private static let windowCount = 200

    /// - Throws: `VaultError.badQuery` for pages that cannot be, `.badPattern`.
    public init(_ store: VaultStore, _ search: FilteredSearch) throws(VaultError) {
        guard (1...10_000).contains(search.limit), (1...1_000_000).contains(search.page) else { throw VaultError(.badQuery) }
        self.store = store
        self.search = search
        do throws(RegexPatternError) {
            regex = search.regex.isEmpty ? nil : try RegexPattern(search.regex)
        } catch { throw VaultError(error.code == .tooCostly ? .tooCostly : .badPattern) }
    }

    /// Does a little more; false when the page is there.
    public func step() throws(VaultError) -> Bool {
        if !hasBegun {
            try begin()
            return true
        }
        guard looksAtTexts, next < candidates.count else { return try finish() }
        try store.read { database in
            let end = ContinuousClock.now + Self.stepDuration
            repeat {
                try self.look(database, self.candidates[self.next])
                self.next += 1
            } while self.next < self.candidates.count && self.found.count <= self.wanted && ContinuousClock.now < end
        }
        if next == candidates.count || found.count > wanted { return try finish() }
        return true
    }

    /// Whether the tables cannot tell alone.
    private var looksAtTexts: Bool {
        regex != nil
            || search.query?.alternatives.joined().contains { term in
                term.conditions.contains { condition in
                    switch condition {
                    case .text, .title: true
                    default: false
                    }
                }
            } == true
    }

    /// Matches after which no more need be looked for: one more than the page, or the whole window when they are ranked.
    private var wanted: Int {
        let end = search.page * search.limit
        return search.order == .rank ? (end + Self.windowCount - 1) / Self.windowCount * Self.windowCount : end
    }

    private func begin() throws(VaultError) {
        hasBegun = true
        try store.read { database in
            let names = try Row.fetchAll(database, sql: "SELECT DISTINCT notebook FROM note WHERE notebook <> ''").map { try $0.text("notebook") }
            let sql = self.search.query.map { QuerySQL($0, notebooks: names, places: self.search.places) }
            let places = "place IN (\(self.search.places.map { String($0.rawValue) }.joined(separator: ", ")))"
            let expressions = sql?.expressions ?? [places]
            var arguments = sql?.arguments ?? StatementArguments()
            let mask = expressions.enumerated().map { "((\($1)) <> 0) * \(Int64(1) << Int64($0))" }.joined(separator: " + ")
            var conditions = ["fits <> 0"]
            if let tag = self.search.tag {
                conditions.append("id IN (SELECT note FROM noteTag WHERE tag = ?)")
                arguments += [TagKey.bytes(tag).blob]
            }
            if let notebook = self.search.notebook {
                conditions.append("notebook = ?")
                arguments += [NoteNames.notebook(notebook)]
            }
            let text = """
                SELECT row, fits FROM (SELECT *, \(mask) AS fits FROM note) WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(self.orderSQL)
                """
            self.candidates = try Row.fetchAll(database, sql: text, arguments: arguments).map { (try $0.integer("row"), try $0.integer("fits")) }
            try self.addUnlocked(database)
        }
        guard !looksAtTexts else { return }
        total = candidates.count
        found = candidates.map { ($0.row, 0) }
    }

    /// Private notes that are unlocked: the tables know next to nothing of them, so what was decided by tables is decided anew.
    private func addUnlocked(_ database: Database) throws {
        let unlocked = try store.unlockedNotes(database)
        guard !unlocked.isEmpty else { return }
        let rows = Set(unlocked.map(\.row))
        let fitting = try unlocked.compactMap { note in try fits(database, note).map { (row: note.row, fits: $0) } }
        candidates = candidates.filter { !rows.contains($0.row) } + fitting
        let list = candidates.map { String($0.row) }.joined(separator: ",")
        let order = try Row.fetchAll(database, sql: "SELECT row FROM note WHERE row IN (\(list)) ORDER BY \(orderSQL)").map { try $0.integer("row") }
        let bits = Dictionary(candidates.map { ($0.row, $0.fits) }, uniquingKeysWith: { first, _ in first })
        candidates = order.compactMap { row in bits[row].map { (row, $0) } }
    }

    /// The alternatives that may fit; nil when none does.
    private func fits(_ database: Database, _ note: UnlockedNote) throws -> Int64? {
        if let tag = search.tag, !note.record.tags.contains(where: { TagKey.bytes($0) == TagKey.bytes(tag) }) { return nil }
        if let notebook = search.notebook, note.record.notebook != NoteNames.notebook(notebook) { return nil }
        guard let query = search.query else { return search.places.contains(note.place) ? 1 : nil }
        let id = note.id.bytes.blob
        let hasDraft = try database.cachedStatement("SELECT 1 FROM draft WHERE note = ? AND discarded IS NULL LIMIT 1").row([id]) != nil
        let isForked = try store.isForked(database, note.id)
        let bits = note.fits(query, places: search.places, hasDraft: hasDraft, isForked: isForked)
        return bits == 0 ? nil : bits
    }

    private var orderSQL: String {
        let (down, up) = search.reverse ? ("ASC", "DESC") : ("DESC", "ASC")
        return switch search.order {
        case .modified: "pinned DESC, modified \(down), row \(down)"
        case .created: "created \(down), row \(down)"
        case .title: "title COLLATE NOCASE \(up), row \(down)"
        case .size: "byteCount \(down), row \(down)"
        case .rank: "row \(down)"
        }
    }

    private func look(_ database: Database, _ candidate: (row: Int64, fits: Int64)) throws {
        guard let (title, record) = try store.candidate(database, candidate.row) else { return }
        if let regex, try !matches(regex, title, record.body) { return }
        guard let query = search.query else {
            found.append((candidate.row, 0))
            return
        }
        let text = FoldedNote(title: TextFold.fold(title), body: TextFold.fold(record.body))
        let scores = query.alternatives.enumerated().compactMap { number, terms in
            candidate.fits & (Int64(1) << Int64(number)) != 0 ? text.score(of: terms) : nil
        }
        if let best = scores.max() { found.append((candidate.row, best)) }
    }

    private func matches(_ regex: RegexPattern, _ title: String, _ body: String) throws -> Bool {
        do throws(RegexPatternError) {
            if try regex.firstMatch(in: Array(title.utf8)) != nil { return true }
            return try regex.firstMatch(in: Array(body.utf8)) != nil
        } catch { throw VaultError(.tooCostly) }
    }

    private func finish() throws(VaultError) -> Bool {
        if search.order == .rank { rank() }
        let begin = min((search.page - 1) * search.limit, found.count)
        let end = min(begin + search.limit, found.count)
        hasMore = found.count > end || (looksAtTexts && next < candidates.count)
        notes = try store.read { database in
            try self.found[begin..<end].compactMap { match in
                try database.cachedStatement("SELECT * FROM note WHERE row = ?").row([match.row]).map { try self.store.summary(database, $0) }
            }
        }
        next = candidates.count
        return false
    }

    private func rank() {
        for begin in stride(from: 0, to: found.count, by: Self.windowCount) {
            let end = min(begin + Self.windowCount, found.count)
            found[begin..<end].sort { ($0.score, $0.row) > ($1.score, $1.row) }
        }
    }
}
