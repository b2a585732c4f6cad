// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// `SalvagedDrafts` makes items of an archive of the unfinished edits of a damaged vault.
struct SalvagedDrafts {
    let damaged: DamagedVault
    /// Notes that the new vault has.
    let notes: Set<NoteID>

    /// Returns a draft; nil for one that does not open, or is not what an archive may hold.
    func draft(_ id: DraftID, _ row: SalvagedRecord) -> ArchivedDraft? {
        guard let wrapped = row.blob(1), let created = row.integer(5), let notebook = row.text(8),
            let tags = row.text(9), let joins = row.blob(4), joins.count % RevisionID.byteCount == 0,
            let content = try? content(id, wrapped)
        else { return nil }
        var draft = ArchivedDraft(id: id, created: created, content: content)
        draft.note = row.blob(2).flatMap { try? NoteID($0) }
        draft.base = row.blob(3).flatMap { try? RevisionID($0) }
        for at in stride(from: 0, to: joins.count, by: RevisionID.byteCount) {
            guard let join = try? RevisionID(Array(joins[at..<at + RevisionID.byteCount])) else { return nil }
            draft.joins.append(join)
        }
        draft.discarded = row.integer(6)
        draft.isTemplate = row.integer(10) ?? 0 != 0
        (draft.title, draft.notebook, draft.tags) = (row.text(7), notebook, tags)
        // The text of a note that is lost becomes a new note's.
        if let note = draft.note, !notes.contains(note), !draft.isSealedInside {
            (draft.note, draft.base, draft.joins) = (nil, nil, [])
        }
        return isFit(draft) ? draft : nil
    }

    /// Returns whether a new vault takes the draft: the rules of archives decide.
    private func isFit(_ draft: ArchivedDraft) -> Bool {
        let isPrivate = draft.note.map { damaged.index.revisions.slots[$0] != nil } ?? false
        guard draft.isSealedInside == isPrivate else { return false }
        if case .sealedInside(let inner, _) = draft.content {
            guard draft.title == nil, draft.notebook.isEmpty, draft.tags.isEmpty,
                (try? DraftWrap.parts(of: inner)) != nil
            else { return false }
        }
        let tags = draft.tags.split(separator: "\n", omittingEmptySubsequences: false)
        return tags.count <= NoteRecord.tagCountMax
            && (tags + [draft.notebook[...], (draft.title ?? "")[...]]).allSatisfy {
                $0.utf8.count <= NoteRecord.titleByteCountMax
            }
    }

    private func content(_ id: DraftID, _ wrapped: [UInt8]) throws(VaultError) -> ArchivedDraft.Content {
        let file = try damaged.directory.folderIfThere("drafts")?
            .read(id.hex, byteCountMax: ArchivedDraft.journalByteCountMax)
        return try ArchivedDrafts.content(id, wrapped, file: file, damaged.index.layer, damaged.header.vaultID)
    }
}
