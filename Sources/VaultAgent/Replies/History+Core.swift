// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TextMerge
internal import VaultCore
internal import VaultFormat

extension NoteHistory {
    /// Makes the reply about a note's revisions, with what each of them changed.
    ///
    /// - Parameter revisions: the newest first.
    init(_ revisions: [ListedRevision]) {
        self.init(
            revisions.enumerated().map { number, listed in
                var row = Revision()
                guard let revision = listed.summary else {
                    (row.id, row.made, row.isDamaged) = (listed.id?.text ?? "", listed.made, true)
                    row.isHead = number == 0
                    return row
                }
                (row.id, row.made, row.title, row.isHead) = (
                    revision.id.text, revision.made, revision.title, revision.isHead
                )
                // Of two neighbours that open; what a damaged one changed nobody knows.
                let older = revisions.dropFirst(number + 1).lazy.compactMap(\.summary).first
                row.changes = RevisionChange.list(from: older?.record, to: revision.record)
                row.byteCount = revision.record.body.utf8.count
                return row
            })
    }
}

extension ComparedRevisions {
    /// Compares two revisions, by word or by line.
    ///
    /// - Throws: `VaultError.tooLarge` when the texts are too long to be compared.
    init(
        _ old: RevisionSummary?, _ new: RevisionSummary, byWord: Bool, by comparison: any TokenComparison
    ) throws(VaultError) {
        self.init()
        (from, to) = (old?.id.text, new.id.text)
        changes = RevisionChange.list(from: old?.record, to: new.record)
        let before = Array((old?.record.body ?? "").utf8)
        let after = Array(new.record.body.utf8)
        do {
            if byWord {
                let found = try WordDiff.hunks(old: before, new: after, by: comparison)
                hunks = found.map { pieces in Hunk(pieces.map { Piece(Piece.Kind($0.kind), $0.text) }) }
            } else {
                unified = try LineDiff.unified(
                    old: before, new: after, oldLabel: Self.label(old), newLabel: Self.label(new), by: comparison)
            }
        } catch { throw VaultError(.tooLarge) }
    }

    private static func label(_ revision: RevisionSummary?) -> String {
        revision.map { String($0.id.text.prefix(6)) } ?? "nothing"
    }
}

extension ComparedRevisions.Piece.Kind {
    fileprivate init(_ kind: WordDiff.Kind) {
        switch kind {
        case .same: self = .same
        case .removed: self = .removed
        case .added: self = .added
        }
    }
}

extension UndoneChanges {
    init(_ steps: [UndoStep], _ store: OpenVault) {
        self.init()
        changes = steps.map { step in
            var seen: Set<NoteID> = []
            let notes = step.notes.filter { seen.insert($0).inserted }
            var change = Change(step.kind, notes, count: notes.count, step.made, store)
            change.notes = notes.map(\.text)
            return change
        }
    }

    init(_ preview: UndoPreview, _ store: OpenVault) {
        self.init()
        isPreview = true
        changes = preview.commands.prefix(Self.shownCountMax).map {
            Change($0.kind, $0.notes, count: $0.noteCount, $0.made, store)
        }
        (moreCount, leavingCount) = (max(0, preview.commands.count - Self.shownCountMax), preview.leavingCount)
    }

    /// Older ones are only counted before the question.
    private static var shownCountMax: Int { 20 }
}

extension UndoneChanges.Change {
    /// Makes the row of one change; it names three notes at most.
    ///
    /// - Parameter count: of notes, when not all are there.
    fileprivate init(_ kind: String, _ notes: [NoteID], count: Int, _ made: Int64, _ store: OpenVault) {
        self.init()
        (self.kind, self.made, noteCount) = (kind, made, count)
        named = notes.prefix(count > 3 ? 2 : 3).map { UndoneChanges.NamedNote($0, store) }
    }
}

extension UndoneChanges.NamedNote {
    fileprivate init(_ id: NoteID, _ store: OpenVault) {
        self.init()
        guard let note = try? store.notes.listed(id) else {
            shortID = String(id.text.prefix(6))
            return
        }
        (shortID, isLocked) = (note.shortID, note.protection == .locked)
        title = isLocked ? "" : note.title
    }
}
