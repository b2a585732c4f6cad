// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText
internal import VaultFormat

/// Chooses where a scan looks: at the notes of a few, when something that must hold says which they are; else at all of
/// its places.
struct ScanChoice {
    let source: ScanSource
    /// Notes that may fit at all, too many to begin with them where the list's own order may end soon.
    let few: [PackedID]?
    /// Tables that are counted, each up to the smallest so far.
    private static let tableCountMax = 8

    init(
        _ search: FilteredSearch, _ plan: FilterPlan, _ unlocked: [UnlockedNote], _ limits: ScanLimits,
        _ index: some IndexAccess
    ) throws {
        let database = index.database
        if let rows = try Self.rows(plan, limits.wordCount, index) {
            few = nil
            source = ScanSource(search, rows: Array(Set(rows + unlocked.map(\.row))))
            return
        }
        // Of private notes its index does not know, and of notes in none neither.
        let notebook =
            unlocked.isEmpty ? search.notebook.map { NoteNames.notebook($0) }.flatMap { $0.isEmpty ? nil : $0 } : nil
        let all = ScanSource(search, places: plan.places, notebook: notebook, within: plan.range, limits)
        guard let notes = try Self.notes(search, plan, unlocked, limits.manyCount, database) else {
            (source, few) = (all, nil)
            return
        }
        // What was delivered cannot be taken back.
        let mayTurn = !search.isWhole && !search.countsOnly
        let beginsWithAll = all.isInOrder && mayTurn && notes.count > limits.fewCount
        (source, few) = beginsWithAll ? (all, notes) : (ScanSource(search, notes: notes), nil)
    }

    /// Returns the notes with all the grams of each alternative's words, and those whose words the search table does
    /// not know yet, when they are few. Notes in the trash and templates have none in the search table.
    private static func rows(_ plan: FilterPlan, _ countMax: Int, _ index: some IndexAccess) throws -> [Int64]? {
        guard plan.places.allSatisfy(\.isSearched) else { return nil }
        let (database, unindexed) = (index.database, try index.unindexedRows(limit: countMax + 1))
        guard unindexed.count <= countMax else { return nil }
        var expressions: [String] = []
        for alternative in plan.alternatives {
            guard let expression = try SearchTable.expression(alternative, share: plan.alternatives.count, database)
            else { return nil }
            expressions.append("(\(expression))")
        }
        let statement = try database.cachedStatement(
            "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT \(countMax + 1)")
        let rows = try Int64.fetchAll(statement, arguments: [expressions.joined(separator: " OR ")])
        return rows.count + unindexed.count > countMax ? nil : rows + unindexed
    }

    /// Returns the notes of the smallest of the tables that a note must be in; nil when all are large, or none must.
    private static func notes(
        _ search: FilteredSearch, _ plan: FilterPlan, _ unlocked: [UnlockedNote], _ countMax: Int, _ database: Database
    ) throws -> [PackedID]? {
        var smallest: [PackedID]?
        for (sql, values) in tables(search, plan).prefix(tableCountMax) {
            let most = smallest?.count ?? countMax
            let rows = try RowReader(database, "\(sql) LIMIT \(most + 1)")
            try rows.begin(values)
            var notes: [PackedID] = []
            while try rows.next() { notes.append(try rows.id(0)) }
            if notes.count <= most { smallest = notes }
        }
        // What is to be sent is known without a look at any note.
        if let notes = plan.notes(search.upload), notes.count <= smallest?.count ?? countMax {
            smallest = Array(notes)
        }
        // The tables do not know the tags of private notes. In one order always, so that pages fit together.
        return smallest.map {
            Set($0 + unlocked.map { PackedID($0.id) }).sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        }
    }

    private static func tables(_ search: FilteredSearch, _ plan: FilterPlan) -> [(String, [RowReader.Value])] {
        var tables: [(String, [RowReader.Value])] = []
        if let tag = search.tag {
            tables.append(("SELECT note FROM noteTag WHERE tag = ?", [.blob(TagKey.bytes(tag))]))
        }
        guard plan.alternatives.count == 1, let terms = plan.alternatives.first?.fields else { return tables }
        for term in terms where !term.isNegated && term.conditions.count == 1 {
            switch term.conditions[0] {
            case .tag(let tag):
                let bounds: [RowReader.Value] = [.blob(tag), .blob(tag + [0x2F]), .blob(tag + [0x30])]
                tables.append(("SELECT DISTINCT note FROM noteTag WHERE tag = ? OR (tag > ? AND tag < ?)", bounds))
            case .has(.draft), .state(.draft):
                tables.append(("SELECT DISTINCT note FROM draft WHERE discarded IS NULL AND note IS NOT NULL", []))
            case .has(.conflict), .state(.conflict): tables.append(("SELECT DISTINCT note FROM otherHead", []))
            case .has(.attachment): tables.append(("SELECT DISTINCT note FROM attachment", []))
            case .state(.isPrivate): tables.append(("SELECT note FROM noteKey", []))
            case .state(.flag(.pinned)):
                tables.append(("SELECT id FROM note WHERE place IN (0, 1, 2, 3, 4) AND pinned = 1", []))
            case .state(.live), .state(.upload), .state(.flag): break
            case .state(.book):
                tables.append(("SELECT id FROM note WHERE place = \(NotePlace.book.rawValue)", []))
            case .has(.link), .has(.tag), .has(.notebook), .has(.title): break
            case .text, .title, .notebook, .created, .modified, .book, .chapter: break
            }
        }
        return tables
    }
}

extension FilterPlan {
    /// Returns the notes in the state that must hold, where these are few; nil where they may be any.
    ///
    /// - Parameter state: what is asked for besides the query.
    fileprivate func notes(_ state: UploadState?) -> Set<PackedID>? {
        let terms = alternatives.count == 1 ? alternatives[0].fields : []
        for term in terms where !term.isNegated && term.conditions.count == 1 {
            if let notes = sets.ofBooks(term.conditions[0]) { return notes }
        }
        guard let uploads = sets.uploads else { return nil }
        if let state { return uploads.few(state) }
        for term in terms where !term.isNegated && term.conditions.count == 1 {
            if case .state(.upload(let state)) = term.conditions[0] { return uploads.few(state) }
        }
        return nil
    }

    /// Times of modification outside of which nothing fits; nil when there are none.
    var range: ClosedRange<Int64>? {
        guard alternatives.count == 1, let terms = alternatives.first?.fields else { return nil }
        for term in terms where !term.isNegated && term.conditions.count == 1 {
            if case .modified(let range) = term.conditions[0], !range.isEmpty {
                return range.lowerBound...(range.upperBound - 1)
            }
        }
        return nil
    }
}
