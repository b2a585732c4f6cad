// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `ModifyJob` is the same change for many notes, some at a time, each step durable; `undo` takes all of them back
/// together.
struct ModifyJob: Job {
    private let store: OpenVault
    private let ids: [NoteID]
    private let change: NoteChange
    private let group: ChangeGroup
    /// Whether each note is told; otherwise they are counted.
    private let namesNotes: Bool
    /// Told once all of it is durable.
    private let notice: Notice?
    private var next = 0
    private static let stepCount = 50

    init(
        _ store: OpenVault, _ ids: [NoteID], _ change: NoteChange, _ kind: ChangeKind, namesNotes: Bool = true,
        notice: Notice? = nil
    ) {
        self.store = store
        self.ids = ids
        self.change = change
        self.namesNotes = namesNotes
        self.notice = notice
        group = ChangeGroup(kind)
    }

    mutating func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            let part = Array(ids[next..<min(next + Self.stepCount, ids.count)])
            let (store, change, group) = (store, change, group)
            let modify = { () throws(VaultError) in try store.notes.modify(part, change, group) }
            let notes = try group.kind == .rm ? store.makingRoom(modify) : modify()
            let isFirst = next == 0
            next += part.count
            let isLast = next == ids.count
            if namesNotes || isLast {
                var reply = ChangedNotes(namesNotes ? notes : [])
                (reply.count, reply.isFirst, reply.isLast) = (next, isFirst, isLast)
                connection.reply(reply)
            }
            guard isLast else {
                connection.send(
                    .progress, Progress(label: "changing", done: UInt64(next), total: UInt64(ids.count)).encoded)
                return nil
            }
            if let notice { connection.tell(notice) }
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}

/// `RemoveBookJob` serves `vault book rm`.
struct RemoveBookJob: Job {
    private let store: OpenVault
    private let book: NoteID
    private let withNotes: Bool
    private let before: Int
    private var removal: BookRemoval

    init(_ store: OpenVault, _ book: NoteID, withNotes: Bool) throws(VaultError) {
        (self.store, self.book, self.withNotes) = (store, book, withNotes)
        before = try store.books.book(book).summary.noteCount
        removal = try BookRemoval(store.books, book, withNotes: withNotes)
    }

    mutating func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            guard try !removal.step() else {
                let (done, total) = (UInt64(removal.doneCount), UInt64(removal.noteCount))
                connection.send(.progress, Progress(label: "changing", done: done, total: total).encoded)
                return nil
            }
            var removed = RemovedBook()
            removed.note = NoteRow(try store.notes.listed(book))
            (removed.noteCount, removed.withNotes) = (withNotes ? removal.noteCount : before, withNotes)
            connection.reply(removed)
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}

/// `ThinJob` serves `vault gc`.
struct ThinJob: Job {
    private let thinning: Thinning
    private let store: OpenVault
    private let dryRun: Bool

    init(_ store: OpenVault, _ options: ThinHistory) {
        self.store = store
        var retention = Retention()
        retention.keepAllMilliseconds = Int64(options.keepAllSeconds) * 1000
        retention.keepDailyMilliseconds = Int64(options.keepDailySeconds) * 1000
        thinning = Thinning(store, retention, dryRun: options.dryRun)
        dryRun = options.dryRun
    }

    mutating func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            if try thinning.step() {
                connection.send(
                    .progress, Progress(label: "revisions", done: UInt64(thinning.revisions), total: 0).encoded)
                return nil
            }
            if !dryRun, try store.attachments.removePending() { return nil }
            var reply = ThinnedHistory()
            (reply.revisions, reply.notes, reply.byteCount) = (thinning.revisions, thinning.notes, thinning.byteCount)
            reply.awaited = thinning.awaited
            connection.reply(reply)
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}

/// `TagsJob` serves `vault tag ls`.
struct TagsJob: Job {
    private let count: TagCount

    init(_ store: OpenVault) { count = TagCount(store) }

    mutating func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            if try count.step() { return nil }
            connection.reply(NameList(count.tags))
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}
