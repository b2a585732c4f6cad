// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// The same change for many notes, some at a time, each step durable; `undo` takes all of them back together.
struct ModifyJob: Job {
    private let store: VaultStore
    private let ids: [NoteID]
    private let change: NoteChange
    private let group: ChangeGroup
    /// What is said of each note; nil names none and counts them.
    private let word: String?
    private var next = 0
    /// The first few, for the hint.
    private var names: [String] = []
    private static let stepCount = 50

    init(_ store: VaultStore, _ ids: [NoteID], _ change: NoteChange, _ kind: ChangeKind, word: String?) {
        self.store = store
        self.ids = ids
        self.change = change
        self.word = word
        group = ChangeGroup(kind)
    }

    mutating func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            let part = Array(ids[next..<min(next + Self.stepCount, ids.count)])
            let (store, change, group) = (store, change, group)
            let modify = { () throws(VaultError) in try store.modify(part, change, group) }
            let notes = try group.kind == .rm ? store.makingRoom(modify) : modify()
            if names.count < 5 { names += notes.prefix(5 - names.count).map(\.shortID) }
            let isFirst = next == 0
            next += part.count
            let isLast = next == ids.count
            if let word {
                Answer(connection).savedPart(notes, word, isFirst: isFirst, isLast: isLast)
            } else if isLast {
                Answer(connection).changed(ids.count)
            }
            guard isLast else {
                connection.send(.progress, Progress(label: "changing", done: UInt64(next), total: UInt64(ids.count)).encoded)
                return nil
            }
            if group.kind == .rm {
                Answer(connection).hint("vault undo, or vault restore " + (ids.count == names.count ? names.joined(separator: " ") : "ID…"))
            }
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}

/// `vault gc`.
struct ThinJob: Job {
    private let thinning: Thinning
    private let store: VaultStore
    private let dryRun: Bool

    init(_ store: VaultStore, _ options: ThinHistory) {
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
                connection.send(.progress, Progress(label: "revisions", done: UInt64(thinning.revisions), total: 0).encoded)
                return nil
            }
            if !dryRun, try store.removePendingObjects() { return nil }
            Answer(connection).thinned(thinning, dryRun: dryRun)
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}

/// `vault tag ls`.
struct TagsJob: Job {
    private let count: TagCount

    init(_ store: VaultStore) { count = TagCount(store) }

    mutating func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            if try count.step() { return nil }
            Answer(connection).names(count.tags, "tags", prefix: "#")
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}
