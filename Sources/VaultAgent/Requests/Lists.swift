// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let lists: [any Handled.Type] = [ListNotes.self, SearchNotes.self, WatchNotes.self]
}

extension ListNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? { try work.list(self) }
}

extension SearchNotes: Handled {
    /// Starts the search: plain words take the short way; whatever is more is looked for in steps.
    func run(in work: RequestContext) throws(VaultError) -> Outcome? { try work.search(self) }
}

extension WatchNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? { work.start(try WatchJob(work.store, self)) }
}

extension RequestContext {
    fileprivate func list(_ query: ListNotes) throws(VaultError) -> Outcome? {
        guard query.filter.isEmpty, query.tag == nil, query.notebook == nil, query.state == nil,
            query.sort == .modified, !query.reverse, query.limit > 0 || query.countOnly
        else { return try filteredList(query) }
        var filter = NoteFilter()
        filter.place = NotePlace(query.place)
        let total = try store.notes.count(filter)
        if query.countOnly {
            var list = NoteList()
            list.total = total
            reply(list)
            return Outcome(.ok)
        }
        let limit = Int(query.limit)
        let offset = (max(Int(query.page), 1) - 1).multipliedReportingOverflow(by: limit)
        guard !offset.overflow, query.limit <= ListNotes.limitMax else { throw VaultError(.badQuery) }
        let notes = try store.notes.list(filter, offset: offset.partialValue, limit: limit)
        var list = NoteList()
        (list.notes, list.total, list.shown, list.before) = (
            notes.map { NoteRow($0) }, total, notes.count, offset.partialValue
        )
        list.hasMore = offset.partialValue + notes.count < total
        reply(list)
        return Outcome(.ok)
    }

    fileprivate func search(_ order: SearchNotes) throws(VaultError) -> Outcome? {
        // Texts that the search table does not know yet are looked at in steps.
        let isPutOff = try store.search.hasUnindexed()
        let isPlain = order.isPlain && !isPutOff
        if isPlain, !NoteQuery.mayHaveOperators(order.query) { return try plainSearch(order) }
        var search = FilteredSearch()
        search.places = [.live, .archive]
        search.regex = order.regex
        search.order = order.sort.map { NoteOrder($0) } ?? .rank
        search.reverse = order.reverse
        search.limit = order.limit == 0 ? Int(ListNotes.limitMax) : Int(order.limit)
        search.page = max(1, Int(order.page))
        search.isExhaustive = order.isExhaustive || isPutOff
        switch parse(order.query) {
        case .failure(let error): return Outcome(.usage, error.message, hint: error.hint)
        case .success(let query):
            if let query, query.isPlain, isPlain { return try plainSearch(order) }
            search.query = query
        }
        return start(try FilteredJob(store, search, for: .search, columns: snippetColumns))
    }

    private func plainSearch(_ order: SearchNotes) throws(VaultError) -> Outcome {
        let (limit, page) = (order.limit == 0 ? Int(ListNotes.limitMax) : Int(order.limit), Int(order.page))
        let found = try store.search.find(order.query, limit: limit, page: page, snippetColumns: snippetColumns)
        reply(FoundNotes(found, before: (page - 1) * limit))
        return Outcome(.ok)
    }

    private func filteredList(_ list: ListNotes) throws(VaultError) -> Outcome? {
        var search = FilteredSearch()
        search.places = [NotePlace(list.place)]
        search.tag = list.tag
        search.notebook = list.notebook
        search.upload = list.state
        let isPutOff = try store.search.hasUnindexed()
        search.isExhaustive = !list.filter.isEmpty && isPutOff
        search.order = NoteOrder(list.sort)
        search.reverse = list.reverse
        search.limit = list.limit == 0 ? 1 : Int(list.limit)
        search.page = list.limit == 0 || list.countOnly ? 1 : max(1, Int(list.page))
        switch parse(list.filter) {
        case .failure(let error): return Outcome(.usage, error.message, hint: error.hint)
        case .success(let query): search.query = query
        }
        let kind: FilteredJob.Kind = list.countOnly ? .count : list.limit == 0 ? .whole : .list
        return start(try FilteredJob(store, search, for: kind, columns: snippetColumns))
    }
}

extension SearchNotes {
    /// Words alone, if the query is: the short way.
    fileprivate var isPlain: Bool { regex.isEmpty && sort == nil && !reverse && !isExhaustive }
}

extension NoteOrder {
    init(_ key: SortKey) {
        switch key {
        case .modified: self = .modified
        case .created: self = .created
        case .title: self = .title
        case .size: self = .size
        }
    }
}
