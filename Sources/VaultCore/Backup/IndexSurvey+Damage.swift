// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// What is lost, and what is kept.
extension IndexSurvey {
    /// Returns all that is lost.
    ///
    /// - Parameter pageCount: pages that do not open.
    func damage(pageCount: Int) -> SnapshotDamage {
        var damage = SnapshotDamage()
        damage.pageCount = UInt32(clamping: pageCount)
        damage.entryCount = index.state.sequence - min(foundEntryCount, index.state.sequence)
        // How many of others' are lost, nothing tells.
        if !othersAreWhole { damage.entryCount = max(damage.entryCount, 1) }
        damage.changeCount = changesAreKept ? 0 : UInt64(max(changes.count, 1))
        var told: Set<SnapshotDamage.Loss> = []
        func add(_ kind: SnapshotDamage.Loss.Kind, _ note: NoteID?) {
            let loss = SnapshotDamage.Loss(kind, note, title: note.map { title(of: $0) } ?? "")
            if told.insert(loss).inserted { damage.add(loss) }
        }
        for (revision, note) in chain.lost {
            let wasHead = chain.formerHeads[note]?.contains(revision) ?? false
            add(lastRows[note] == nil ? .note : wasHead ? .text : .revision, note)
        }
        for (note, name) in lostAttachments {
            damage.add(SnapshotDamage.Loss(.attachment, note, title: title(of: note), name: name))
        }
        for note in lostDrafts {
            damage.add(SnapshotDamage.Loss(.draft, note, title: note.map { title(of: $0) } ?? ""))
        }
        return damage
    }

    /// Steps of undo name links by their numbers.
    private var changesAreKept: Bool {
        changesAreWhole && chain.isUnchanged && foundEntryCount >= index.state.sequence
    }

    /// How many items can be taken over.
    var counts: ArchiveCounts {
        var counts = ArchiveCounts()
        (counts.entries, counts.revisions) = (UInt64(chain.entries.count), UInt64(revisions.count))
        (counts.noteKeyslots, counts.attachments) = (UInt64(keptKeyslots.count), UInt64(attachments.count))
        (counts.drafts, counts.changes) = (UInt64(drafts.count), changesAreKept ? UInt64(changes.count) : 0)
        return counts
    }

    /// Keyslots of notes that something is left of.
    var keptKeyslots: [NoteKeyslot] {
        keyslots.values.filter { keepsKeyslot(of: $0.noteID) }.sorted { $0.noteID.text < $1.noteID.text }
    }

    func keepsKeyslot(of note: NoteID) -> Bool { keyslots[note] != nil && lastRows[note] != nil }

    var keptChanges: [ArchivedChange] { changesAreKept ? changes : [] }

    /// Reads the record in a row of an ordinary note.
    func record(in row: Int64) -> NoteRecord? {
        guard let found = rows.row("SELECT id, note, sealed, made FROM revision WHERE rowid = ?", [row]),
            let revision = try? ArchiveRows.revision(found, index.layer), !revision.isPrivate
        else { return nil }
        return try? NoteRecord(parsing: revision.record)
    }

    /// Returns the title of a note, by what is left of it or by the list of notes; empty for a private one.
    private func title(of note: NoteID) -> String {
        if let known = titles[note] { return known }
        var title = ""
        if keyslots[note] == nil {
            if let record = lastRows[note].flatMap({ record(in: $0) }) {
                title = NoteText.title(record)
            } else {
                title = rows.row("SELECT title FROM note WHERE id = ?", [note.bytes.blob])?.optionalText("title") ?? ""
            }
        }
        titles[note] = title
        return title
    }
}
