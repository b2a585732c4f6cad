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

    private var answer: Answer { Answer(connection) }

    /// Does what is asked.
    ///
    /// - Returns: how it ended, or nil when a job goes on.
    func perform(_ request: Request) throws(VaultError) -> Outcome? {
        switch request {
        case .status: try status()
        case .new(let note): try create(note)
        case .append(let ref, let text): try edit(ref) { $0.body = Self.appended($0.body, text) }
        case .replace(let ref, let text): try edit(ref) { $0.body = text }
        case .show(let refs, let raw): return start(ShowJob(store, try ids(refs), raw: raw, bodiesOnly: false))
        case .cat(let refs): return start(ShowJob(store, try ids(refs), raw: true, bodiesOnly: true))
        case .list(let query): return try list(query)
        case .search(let query, let limit, let page): try search(query, limit: limit, page: page)
        case .remove(let refs): try setTrashed(refs, true)
        case .restore(let refs): try setTrashed(refs, false)
        case .emptyTrash: return start(EmptyTrashJob(store))
        case .beginImport(let source, let dryRun): connection.importSession = ImportSession(source: source, dryRun: dryRun)
        case .importBatch(let records): return try importBatch(records)
        case .endImport(let skipped): return endImport(skipped)
        case .check(let rebuildIndex): return start(CheckJob(store, rebuildIndex: rebuildIndex))
        case .probe, .unlock, .create, .commitCreation, .lock: return Outcome(.usage, "not a request of an open vault")
        }
        return Outcome(.ok)
    }

    private func start(_ job: any Job) -> Outcome? {
        connection.job = job
        return nil
    }

    private func status() throws(VaultError) {
        let left = session.timer?.left(now: BootClock.seconds) ?? (idle: 0, max: 0)
        answer.status(VaultStatus(store: store, counts: try store.counts(), left: left))
    }

    private func create(_ note: NewNote) throws(VaultError) {
        var draft = NoteDraft(body: note.text, title: note.title)
        draft.tags = note.tags
        draft.notebook = note.notebook
        answer.saved([try store.create(draft)], "saved")
    }

    private func edit(_ ref: String, _ change: (inout NoteRecord) -> Void) throws(VaultError) {
        answer.saved([try store.edit(store.resolve(ref), change)], "saved")
    }

    /// A line of its own for what is appended.
    private static func appended(_ body: String, _ text: String) -> String {
        body.isEmpty || body.hasSuffix("\n") ? body + text : body + "\n" + text
    }

    /// All of them, or none of the work is begun.
    private func ids(_ refs: [String]) throws(VaultError) -> [NoteID] {
        var ids: [NoteID] = []
        for ref in refs { ids.append(try store.resolve(ref)) }
        return ids
    }

    private func setTrashed(_ refs: [String], _ trashed: Bool) throws(VaultError) {
        var notes: [NoteSummary] = []
        for id in try ids(refs) { notes.append(try store.setTrashed(id, trashed)) }
        answer.saved(notes, trashed ? "moved to the trash" : "restored")
        if trashed { answer.hint("vault restore \(notes.map(\.shortID).joined(separator: " "))") }
    }

    private func list(_ query: ListQuery) throws(VaultError) -> Outcome? {
        var filter = NoteFilter()
        filter.trashed = query.trashed
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

    private func search(_ query: String, limit: UInt32, page: UInt32) throws(VaultError) {
        let columns = connection.presentation.columns == 0 ? 80 : Int(connection.presentation.columns)
        let found = try store.search(query, limit: Int(limit), page: Int(page), snippetColumns: max(columns - 4, 20))
        answer.search(found)
    }
}
