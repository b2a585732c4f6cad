// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `vault trash empty`, some notes at a time, each step durable.
struct EmptyTrashJob: Job {
    private let store: VaultStore
    private var removed = 0
    private static let stepCount = 50

    init(_ store: VaultStore) { self.store = store }

    mutating func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            let count = try store.purgeTrash(limit: Self.stepCount)
            removed += count
            connection.send(.progress, Progress(label: "removing", done: UInt64(removed), total: 0).encoded)
            guard count < Self.stepCount else { return nil }
            if try store.removePendingObjects() { return nil }
            Answer(connection).purged(removed)
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}

/// `vault check`, after making the index anew when that is asked for.
struct CheckJob: Job {
    private let check: VaultCheck
    private var rebuild: IndexRebuild?
    private var rebuilt: Int?

    init(_ store: VaultStore, rebuildIndex: Bool) {
        if rebuildIndex { rebuild = IndexRebuild(store) }
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
            guard error.code == .integrity, rebuild == nil, !check.report.problems.isEmpty else { return error.outcome }
            return outcome(connection, isCutShort: true)
        }
        return outcome(connection, isCutShort: false)
    }

    private func outcome(_ connection: Connection, isCutShort: Bool) -> Outcome {
        let report = check.report
        Answer(connection).check(report, rebuilt: rebuilt)
        guard !report.problems.isEmpty else { return Outcome(.ok) }
        let mendable = !isCutShort && report.problems.allSatisfy { $0.kind.isMendedByRebuilding }
        return Outcome(
            .integrity,
            "\(report.problems.count) problem\(report.problems.count == 1 ? "" : "s") found" + (isCutShort ? ", and the rest cannot be read" : ""),
            hint: mendable ? "vault check --rebuild-index" : "restore a backup; what can be read is still there")
    }
}
