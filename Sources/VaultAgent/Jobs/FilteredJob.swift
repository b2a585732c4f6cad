// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import VaultCore

/// `FilteredJob` serves `ls` and `search` with filters, and whole lists: notes are looked at in steps, so that other
/// requests are served between them and Ctrl-C ends it.
struct FilteredJob: Job {
    enum Kind {
        case list
        case whole
        case search
        case count
    }

    private let store: OpenVault
    private let scan: FilteredScan
    private let search: FilteredSearch
    private let kind: Kind
    private let columns: Int
    private var delivered = 0

    init(_ store: OpenVault, _ search: FilteredSearch, for kind: Kind, columns: Int) throws(VaultError) {
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
            if case .whole = kind { return try deliver(connection) }
            if try scan.step() {
                showProgress(connection)
                return nil
            }
            try answer(connection)
            return Outcome(.ok)
        } catch { return error.outcome }
    }

    private func showProgress(_ connection: Connection) {
        let (done, total) = scan.progress
        if total > 0 { connection.send(.progress, Progress(label: "searching", done: done, total: total).encoded) }
    }

    /// Delivers part after part, as the client takes them.
    private mutating func deliver(_ connection: Connection) throws(VaultError) -> Outcome? {
        var part: [NoteSummary] = []
        let isUnfinished = try scan.step { part = $0 }
        guard !part.isEmpty || !isUnfinished else {
            showProgress(connection)
            return nil
        }
        let isFirst = delivered == 0
        delivered += part.count
        var list = NoteList()
        (list.notes, list.total, list.shown) = (part.map { NoteRow($0) }, delivered, delivered)
        (list.isFirst, list.isLast) = (isFirst, !isUnfinished)
        connection.reply(list)
        return isUnfinished ? nil : Outcome(.ok)
    }

    private func answer(_ connection: Connection) throws(VaultError) {
        let offset = (search.page - 1) * search.limit
        switch kind {
        case .count:
            var list = NoteList()
            list.total = scan.total
            connection.reply(list)
        case .list, .whole:
            var list = NoteList()
            (list.notes, list.total, list.shown, list.before) = (
                scan.notes.map { NoteRow($0) }, scan.total, scan.notes.count, offset
            )
            (list.hasMore, list.isCutShort) = (scan.hasMore, scan.isCutShort)
            connection.reply(list)
        case .search:
            var hits: [SearchHit] = []
            for note in scan.notes { hits.append(try store.search.hit(note, search.query, columns: columns)) }
            connection.reply(
                FoundNotes(SearchPage(hits: hits, hasMore: scan.hasMore, isCutShort: scan.isCutShort), before: offset))
        }
    }
}
