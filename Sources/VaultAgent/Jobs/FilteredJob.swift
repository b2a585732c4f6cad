// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import VaultCore

/// `ls` and `search` with filters, and whole lists: notes are looked at in steps, so that other requests are served between them and Ctrl-C
/// ends it.
struct FilteredJob: Job {
    enum Kind {
        case list(long: Bool)
        case whole(long: Bool)
        case search
        case count
    }

    private let store: VaultStore
    private let scan: FilteredScan
    private let search: FilteredSearch
    private let kind: Kind
    private let columns: Int
    private var delivered = 0
    private var noun: String { NotePlace.noun(search.places) }

    init(_ store: VaultStore, _ search: FilteredSearch, for kind: Kind, columns: Int) throws(VaultError) {
        var search = search
        if case .whole = kind { search.isWhole = true }
        if case .count = kind { search.countsOnly = true }
        self.store = store
        self.search = search
        self.kind = kind
        self.columns = columns
        scan = try FilteredScan(store, search)
    }

    mutating func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            if case .whole(let long) = kind { return try deliver(connection, long: long) }
            if try scan.step() {
                showProgress(connection)
                return nil
            }
            try answer(Answer(connection))
            return Outcome(.ok)
        } catch { return error.outcome }
    }

    private func showProgress(_ connection: Connection) {
        let (done, total) = scan.progress
        if total > 0 { connection.send(.progress, Progress(label: "searching", done: done, total: total).encoded) }
    }

    /// Part after part, as the client takes them.
    private mutating func deliver(_ connection: Connection, long: Bool) throws(VaultError) -> Outcome? {
        var part: [NoteSummary] = []
        let isUnfinished = try scan.step { part = $0 }
        guard !part.isEmpty || !isUnfinished else {
            showProgress(connection)
            return nil
        }
        let isFirst = delivered == 0
        delivered += part.count
        Answer(connection).listPart(part, isFirst: isFirst, isLast: !isUnfinished, total: delivered, long: long, noun: noun)
        return isUnfinished ? nil : Outcome(.ok)
    }

    private func answer(_ answer: Answer) throws(VaultError) {
        let offset = (search.page - 1) * search.limit
        switch kind {
        case .count: answer.count(scan.total ?? 0)
        case .list(let long), .whole(let long):
            answer.filtered(
                scan.notes, total: scan.total, offset: offset, hasMore: scan.hasMore, isCutShort: scan.isCutShort, long: long, noun: noun)
        case .search:
            var hits: [SearchHit] = []
            for note in scan.notes { hits.append(try store.hit(note, search.query, columns: columns)) }
            answer.search(SearchPage(hits: hits, hasMore: scan.hasMore, isCutShort: scan.isCutShort), shownBefore: offset)
        }
    }
}

extension NotePlace {
    /// What the footer of a list counts.
    static func noun(_ places: [NotePlace]) -> String { places == [.template] ? "Template" : "Note" }
}
