// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `EmptyTrashJob` serves `vault trash empty`, some notes at a time, each step durable.
struct EmptyTrashJob: Job {
    private let store: OpenVault
    private var removed = 0
    /// Fewer where there is no room for many.
    private var stepCount = 50

    init(_ store: OpenVault) { self.store = store }

    mutating func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            let (limit, store) = (stepCount, store)
            let count = try store.makingRoom { () throws(VaultError) in try store.notes.purgeTrash(limit: limit) }
            removed += count
            connection.send(.progress, Progress(label: "removing", done: UInt64(removed), total: 0).encoded)
            guard count < stepCount else { return nil }
            if try store.makingRoom({ () throws(VaultError) in try store.attachments.removePending() }) { return nil }
            connection.reply(EmptiedTrash(count: removed))
            return Outcome(.ok)
        } catch {
            guard error.code == .readOnly, stepCount > 1 else { return error.outcome }
            stepCount = 1
            return nil
        }
    }
}

/// `CheckJob` serves `vault check`, after making the index anew when that is asked for.
struct CheckJob: Job {
    private let store: OpenVault
    private let check: VaultCheck
    private var rebuild: IndexRebuild?
    private var rebuilt: Int?

    init(_ store: OpenVault, rebuildIndex: Bool) {
        if rebuildIndex { rebuild = IndexRebuild(store) }
        self.store = store
        check = VaultCheck(store)
    }

    mutating func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            if let rebuild {
                if try rebuild.step() {
                    let (done, total) = rebuild.progress
                    connection.send(.progress, Progress(label: "rebuilding", done: done, total: total).encoded)
                } else {
                    rebuilt = rebuild.count
                    self.rebuild = nil
                }
                return nil
            }
            if try check.step() {
                let (done, total) = check.progress
                connection.send(.progress, Progress(label: "checking", done: done, total: total).encoded)
                return nil
            }
        } catch {
            // What was found before reading failed says more than that it failed.
            guard rebuild == nil, error.code == .integrity || !check.report.problems.isEmpty, error.code != .cancelled
            else { return error.outcome }
            guard !check.report.problems.isEmpty else {
                store.checks.remember(LastCheck(made: Machine.now, problems: 1))
                return error.outcome
            }
            return outcome(connection, isCutShort: true)
        }
        return outcome(connection, isCutShort: false)
    }

    private func outcome(_ connection: Connection, isCutShort: Bool) -> Outcome {
        let report = check.report
        store.checks.remember(LastCheck(made: Machine.now, problems: report.problems.count))
        connection.reply(CheckedVault(report, rescued: store.checks.rescued(), rebuilt: rebuilt))
        guard !report.problems.isEmpty else { return Outcome(.ok) }
        let mendable = !isCutShort && report.problems.allSatisfy { report.mend(of: $0) == .repair }
        return Outcome(
            .integrity,
            "\(report.problems.count) problem\(report.problems.count == 1 ? "" : "s") found"
                + (isCutShort ? ", and the rest cannot be read" : ""),
            hint: mendable
                ? "vault repair"
                : "each line above says what to type; what nothing here mends is in a backup, and the rest is still there"
        )
    }
}

/// `Job` is a long request, served in steps of at most about 20 ms, so that `status`, `lock` and reading never wait for
/// it.
protocol Job {
    /// Does a little more.
    ///
    /// - Returns: nil while there is more to do, then how it ended.
    mutating func step(_ connection: Connection) -> Outcome?

    /// Whether it only waits for a thread, which wakes the loop itself.
    var isWaiting: Bool { get }
    /// Whether it does nothing by itself but tell what others do: it keeps nobody waiting, and the vault not open.
    var isWatching: Bool { get }
    /// The note whose content it works with, so that it ends when that note is locked; nil when it does not matter.
    var note: NoteID? { get }
    /// Returns what the client hears when the vault is locked before the job is done, and the job is dropped; nil for
    /// the usual answer.
    func locked() -> Outcome?
}

extension Job {
    var isWaiting: Bool { false }
    var isWatching: Bool { false }
    var note: NoteID? { nil }
    func locked() -> Outcome? { nil }
}
