// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import VaultCore

/// `ls` and `search` with filters: texts are looked at in steps, so that other requests are served between them and Ctrl-C ends it.
struct FilteredJob: Job {
    enum Kind {
        case list(long: Bool)
        case search
        case count
    }

    private let store: VaultStore
    private let scan: FilteredScan
    private let search: FilteredSearch
    private let kind: Kind
    private let columns: Int

    init(_ store: VaultStore, _ search: FilteredSearch, for kind: Kind, columns: Int) throws(VaultError) {
        self.store = store
        self.search = search
        self.kind = kind
        self.columns = columns
        scan = try FilteredScan(store, search)
    }

    mutating func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            if try scan.step() {
                let (done, total) = scan.progress
                if total > 0 { connection.send(.progress, Progress(label: "searching", done: done, total: total).encoded) }
                return nil
            }
            try answer(Answer(connection))
            return Outcome(.ok)
        } catch { return error.outcome }
    }

    private func answer(_ answer: Answer) throws(VaultError) {
        switch kind {
        case .count: answer.count(scan.total ?? scan.notes.count)
        case .list(let long):
            let offset = (search.page - 1) * search.limit
            answer.filtered(scan.notes, total: scan.total, offset: offset, hasMore: scan.hasMore, long: long)
        case .search:
            var hits: [SearchHit] = []
            for note in scan.notes { hits.append(try store.hit(note, search.query, columns: columns)) }
            answer.search(SearchPage(hits: hits, hasMore: scan.hasMore, isCutShort: false))
        }
    }
}
