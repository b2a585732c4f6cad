// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TextMerge
internal import VaultCore
internal import VaultFormat

/// `ConflictListJob` serves `vault conflict ls`, some notes at a time, as the client takes them.
struct ConflictListJob: Job {
    private let store: OpenVault
    private var left: ArraySlice<NoteID>
    private var told = ConflictList()
    private static let stepCount = 50

    init(_ store: OpenVault) throws(VaultError) {
        self.store = store
        left = try store.conflicts.notes()[...]
    }

    mutating func step(_ connection: Connection) -> Outcome? {
        told.conflicts = []
        do throws(VaultError) {
            for note in left.prefix(Self.stepCount) {
                // What was resolved or deleted meanwhile is no conflict any more.
                guard try store.notes.listedIfPresent(note)?.isForked == true else { continue }
                told.conflicts.append(ConflictRow(try store.conflicts.conflict(of: note)))
            }
        } catch { return error.outcome }
        left = left.dropFirst(Self.stepCount)
        told.count += told.conflicts.count
        told.isLast = left.isEmpty
        guard told.isLast || !told.conflicts.isEmpty else { return nil }
        connection.reply(told)
        told.isFirst = false
        return told.isLast ? Outcome(.ok) : nil
    }
}

/// `ConflictJob` serves `vault conflict show`: version after version is compared with the one that is shown, on a
/// thread of its own (docs/decisions/0030).
final class ConflictJob: Job {
    let note: NoteID?
    private let store: OpenVault
    private let conflict: Conflict
    private let shown: RevisionSummary
    private let byWord: Bool
    /// The version that is told next.
    private var next = 0
    private var work: Background<Result<ComparedRevisions, VaultError>>?
    /// A version does not open.
    private var hasLosses = false

    init(_ store: OpenVault, _ conflict: Conflict, byWord: Bool) throws(VaultError) {
        (self.store, self.conflict, self.byWord) = (store, conflict, byWord)
        note = conflict.note.id
        shown = try store.history.summary(
            of: (conflict.versions[0].revision, conflict.versions[0].made), conflict.note.id)
    }

    deinit { work?.cancel() }

    var isWaiting: Bool { work != nil }

    func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            if let work {
                guard let result = work.takeResult() else { return nil }
                self.work = nil
                tell(try result.get(), connection)
            } else if next == 0 {
                tell(nil, connection)
            } else {
                try compare(connection)
            }
        } catch { return error.outcome }
        guard next == conflict.versions.count else { return nil }
        return hasLosses
            ? Outcome(
                .integrity, "a version of this note is damaged and is not shown",
                hint: "vault conflict resolve \(conflict.note.shortID) --keep REVISION leaves it in the history")
            : Outcome(.ok)
    }

    /// Begins to compare the next version; one that does not open is only named.
    private func compare(_ connection: Connection) throws(VaultError) {
        let version = conflict.versions[next]
        let other: RevisionSummary
        do throws(VaultError) {
            other = try store.history.summary(of: (version.revision, version.made), conflict.note.id)
        } catch {
            guard error.code == .integrity else { throw error }
            hasLosses = true
            return tell(nil, connection)
        }
        let (shown, byWord) = (shown, byWord)
        work = Background { goesOn in
            ComparisonTurn.wait(goesOn) { comparison in
                Result { () throws(VaultError) in
                    try ComparedRevisions(shown, other, byWord: byWord, by: comparison)
                }
            }
        }
    }

    private func tell(_ difference: ComparedRevisions?, _ connection: Connection) {
        var reply = ShownConflict()
        reply.conflict = ConflictRow(conflict)
        (reply.number, reply.difference) = (next, difference)
        connection.reply(reply)
        next += 1
    }
}
