// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
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
        case .show(let refs, let raw): return start(ShowJob(store, try ids(refs), raw: raw, bodiesOnly: false))
        case .cat(let refs): return start(ShowJob(store, try ids(refs), raw: true, bodiesOnly: true))
        case .list(let query): return try list(query)
        case .search(let order): return try search(order)
        case .remove(let refs): return try setTrashed(refs, true)
        case .restore(let refs): return try setTrashed(refs, false)
        case .emptyTrash: return start(EmptyTrashJob(store))
        case .beginImport(let source, let dryRun): connection.importSession = ImportSession(source: source, dryRun: dryRun)
        case .importBatch(let records): return try importBatch(records)
        case .endImport(let skipped): return endImport(skipped)
        case .check(let rebuildIndex): return start(CheckJob(store, rebuildIndex: rebuildIndex))
        case .order(let order): return try self.order(order)
        case .past(let past): return try self.past(past)
        case .editing(let editing): return try self.editing(editing)
        case .leading(let leading): return try self.leading(leading)
        case .probe, .unlock, .create, .commitCreation, .lock: return Outcome(.usage, "not a request of an open vault")
        }
        return Outcome(.ok)
    }

    func start(_ job: any Job) -> Outcome? {
        connection.job = job
        return nil
    }

    private func status() throws(VaultError) {
        let left = session.timer?.left(now: BootClock.seconds) ?? (idle: 0, max: 0)
        answer.status(VaultStatus(store: store, counts: try store.counts(), drafts: try store.drafts().count { $0.discarded == nil }, left: left))
    }

    private func create(_ note: NewNote) throws(VaultError) {
        var start = DraftStart()
        start.tags = note.tags
        start.notebook = note.notebook
        var draft = NoteDraft(body: try EditPlan.text(note, &start, store, answer.clock), title: note.title)
        draft.tags = start.tags
        draft.notebook = start.notebook
        answer.saved([try store.create(draft)], "saved")
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
        var filter = NoteFilter()
        filter.place = NotePlace(query.place)
        filter.tag = query.tag
        filter.notebook = query.notebook
        let total = try store.count(filter)
        if query.countOnly {
            answer.count(total)
            return Outcome(.ok)
        }
        guard query.limit > 0 else { return start(ListJob(store, filter, total: total, long: query.long)) }
        let limit = Int(query.limit)
        let offset = (max(Int(query.page), 1) - 1).multipliedReportingOverflow(by: limit)
        guard !offset.overflow, limit <= 10_000 else { throw VaultError(.badQuery) }
        let notes = try store.list(filter, offset: offset.partialValue, limit: limit)
        answer.list(notes, total: total, offset: offset.partialValue, long: query.long)
        return Outcome(.ok)
    }

    private func search(_ order: SearchOrder) throws(VaultError) -> Outcome? {
        let columns = connection.presentation.columns == 0 ? 80 : Int(connection.presentation.columns)
        let found = try store.search(order.query, limit: Int(order.limit), page: Int(order.page), snippetColumns: max(columns - 4, 20))
        answer.search(found)
        return Outcome(.ok)
    }
}
