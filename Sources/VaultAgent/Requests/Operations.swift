// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import VaultCore
internal import VaultFormat

/// The requests of an open vault.
struct Operations {
    let store: VaultStore
    let session: Session
    let connection: Connection

    var answer: Answer { Answer(connection) }

    /// Does what is asked.
    ///
    /// - Returns: how it ended, or nil when a job goes on.
    func perform(_ request: Request) throws(VaultError) -> Outcome? {
        switch request {
        case .status: try status()
        case .new(let note): try create(note)
        case .append(let ref, let text): try edit(ref, .append) { $0.body = Self.appended($0.body, text) }
        case .replace(let ref, let text): try edit(ref, .replace) { $0.body = text }
        case .show(let refs, let raw): return start(ShowJob(store, try versions(refs), raw: raw, bodiesOnly: false))
        case .cat(let refs): return start(ShowJob(store, try versions(refs), raw: true, bodiesOnly: true))
        case .list(let query): return try list(query)
        case .search(let order): return try search(order)
        case .remove(let refs): return try setTrashed(refs, true)
        case .restore(let refs): return try setTrashed(refs, false)
        case .emptyTrash: return start(EmptyTrashJob(store))
        case .check(let rebuildIndex): return start(CheckJob(store, rebuildIndex: rebuildIndex))
        case .editing(let editing): return try self.editing(editing)
        case .attaching(let attaching): return try self.attaching(attaching)
        case .keying(let keying): return try self.keying(keying)
        case .exporting(let order): return try exporting(order, passphrase: nil)
        case .archiving(let archiving): return try self.archiving(archiving)
        case .importing(let importing): return try self.importing(importing)
        case .probe, .unlock, .create, .commitCreation, .measureCost, .lock: return Outcome(.usage, "not a request of an open vault")
        }
        return Outcome(.ok)
    }

    func start(_ job: any Job) -> Outcome? {
        connection.job = job
        return nil
    }

    private func status() throws(VaultError) {
        let left = session.timer?.left(now: BootClock.seconds) ?? (idle: 0, max: 0)
        var status = VaultStatus(store: store, counts: try store.counts(), drafts: try store.drafts().count { $0.discarded == nil }, left: left)
        if let (done, total, _) = session.rotation?.progress { status.rotation = total == 0 ? 0 : Int(Double(done) * 100 / Double(total)) }
        if let failure = session.rotation?.failure { status.rotationFailure = failure.outcome.message }
        status.wordsLeft = try store.hasWordsLeft()
        status.lastCheck = store.lastCheck
        answer.status(status)
    }

    private func create(_ note: NewNote) throws(VaultError) { answer.saved([try store.create(draft(of: note))], "saved") }

    func draft(of note: NewNote) throws(VaultError) -> NoteDraft {
        var start = DraftStart()
        start.tags = note.tags
        start.notebook = note.notebook
        var draft = NoteDraft(body: try EditPlan.text(note, &start, store, answer.clock), title: note.title)
        draft.tags = start.tags
        draft.notebook = start.notebook
        return draft
    }

    private func edit(_ ref: String, _ kind: ChangeKind, _ change: (inout NoteRecord) -> Void) throws(VaultError) {
        answer.saved([try store.edit(store.resolve(ref), kind, change)], "saved")
    }

    /// A line of its own for what is appended.
    static func appended(_ body: String, _ text: String) -> String {
        body.isEmpty || body.hasSuffix("\n") ? body + text : body + "\n" + text
    }

    /// All of them, or none of the work is begun.
    func ids(_ refs: [String]) throws(VaultError) -> [NoteID] {
        var ids: [NoteID] = []
        for ref in refs { ids.append(try store.resolve(ref)) }
        return ids
    }

    private func setTrashed(_ refs: [String], _ trashed: Bool) throws(VaultError) -> Outcome? {
        start(
            ModifyJob(store, try ids(refs), .trashed(trashed), trashed ? .rm : .restore, word: trashed ? "moved to the trash" : "restored"))
    }

    private func list(_ query: ListQuery) throws(VaultError) -> Outcome? {
        guard query.filter.isEmpty, query.tag == nil, query.notebook == nil, query.sort == .modified, !query.reverse,
            query.limit > 0 || query.countOnly
        else { return try filteredList(query) }
        var filter = NoteFilter()
        filter.place = NotePlace(query.place)
        let total = try store.count(filter)
        if query.countOnly {
            answer.count(total)
            return Outcome(.ok)
        }
        let limit = Int(query.limit)
        let offset = (max(Int(query.page), 1) - 1).multipliedReportingOverflow(by: limit)
        guard !offset.overflow, query.limit <= ListQuery.limitMax else { throw VaultError(.badQuery) }
        let notes = try store.list(filter, offset: offset.partialValue, limit: limit)
        answer.list(notes, total: total, offset: offset.partialValue, long: query.long, noun: NotePlace.noun([filter.place]))
        return Outcome(.ok)
    }

    /// Plain words take the short way; whatever is more is looked for in steps.
    private func search(_ order: SearchOrder) throws(VaultError) -> Outcome? {
        if order.isPlain, !NoteQuery.mayHaveOperators(order.query) { return try plainSearch(order) }
        var search = FilteredSearch()
        search.places = [.live, .archive]
        search.regex = order.regex
        search.order = order.sort.map { NoteOrder($0) } ?? .rank
        search.reverse = order.reverse
        search.limit = order.limit == 0 ? Int(ListQuery.limitMax) : Int(order.limit)
        search.page = max(1, Int(order.page))
        search.isExhaustive = order.isExhaustive
        switch parse(order.query) {
        case .failure(let error): return Outcome(.usage, error.message, hint: error.hint)
        case .success(let query):
            if let query, query.isPlain, order.isPlain { return try plainSearch(order) }
            search.query = query
        }
        return start(try FilteredJob(store, search, for: .search, columns: snippetColumns))
    }

    private func plainSearch(_ order: SearchOrder) throws(VaultError) -> Outcome {
        let (limit, page) = (order.limit == 0 ? Int(ListQuery.limitMax) : Int(order.limit), Int(order.page))
        answer.search(try store.search(order.query, limit: limit, page: page, snippetColumns: snippetColumns), shownBefore: (page - 1) * limit)
        return Outcome(.ok)
    }

    private func filteredList(_ list: ListQuery) throws(VaultError) -> Outcome? {
        var search = FilteredSearch()
        search.places = [NotePlace(list.place)]
        search.tag = list.tag
        search.notebook = list.notebook
        search.order = NoteOrder(list.sort)
        search.reverse = list.reverse
        search.limit = list.limit == 0 ? 1 : Int(list.limit)
        search.page = list.limit == 0 || list.countOnly ? 1 : max(1, Int(list.page))
        switch parse(list.filter) {
        case .failure(let error): return Outcome(.usage, error.message, hint: error.hint)
        case .success(let query): search.query = query
        }
        let kind: FilteredJob.Kind = list.countOnly ? .count : list.limit == 0 ? .whole(long: list.long) : .list(long: list.long)
        return start(try FilteredJob(store, search, for: kind, columns: snippetColumns))
    }

    private var snippetColumns: Int { max(answer.columns - 4, 20) }

    func parse(_ text: String) -> Result<NoteQuery?, NoteQueryError> {
        guard text.contains(where: { !$0.isWhitespace }) else { return .success(nil) }
        let clock = answer.clock
        do throws(NoteQueryError) {
            return .success(try NoteQuery(text, clock: QueryClock(now: clock.now, offset: clock.offset)))
        } catch { return .failure(error) }
    }
}

extension SearchOrder {
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
