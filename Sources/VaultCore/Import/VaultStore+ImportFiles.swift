// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedObjects
internal import VaultFormat

/// Which attachments a note has after an import.
extension VaultStore {
    /// What the files of one imported note come to.
    struct FileChanges {
        /// Of the note as it is to be.
        var ids: [AttachmentID]
        var added: [(file: StagedFile, name: String)] = []
        /// How many are not what they were; a dry run has no new files.
        var changeCount = 0
    }

    /// Goes by name, then by content. What the source does not name stays: it may have been attached here.
    func fileChanges(_ database: Database, _ note: ImportedNote, over old: NoteRecord?, dryRun: Bool) throws -> FileChanges {
        var changes = FileChanges(ids: old?.attachments ?? [])
        guard !note.files.isEmpty else { return changes }
        var present: [[UInt8]: Int] = [:]
        for (index, id) in changes.ids.enumerated() {
            guard let old else { break }
            present[TagKey.bytes(try attachment(database, id, of: old.noteID).name)] = index
        }
        for file in note.files {
            let place = present[TagKey.bytes(file.name)]
            if let place, changes.ids[place] == file.same { continue }
            changes.changeCount += 1
            if dryRun { continue }
            // It was the same when it was compared, and is not any more.
            guard let own = file.own, let made = own.file else { throw VaultError(.attachmentsChanged) }
            if let place { changes.ids[place] = made.id } else { changes.ids.append(made.id) }
            changes.added.append((own, file.name))
        }
        return changes
    }

    /// Writes the rows of new attachments, in the transaction that saves their note.
    func insert(_ database: Database, _ added: [(file: StagedFile, name: String)], to note: NoteID, _ noteKeys: NoteKeys?) throws {
        for (staged, name) in added {
            // Nothing comes in under a key that is not the vault's or the note's any more.
            guard let file = staged.file, let sealed = staged.sealed, file.epoch == header.epoch, file.noteKeys === noteKeys,
                noteKeys == nil || file.note == note
            else { throw VaultError(.attachmentsChanged) }
            var details = staged.details
            details.name = name
            details.byteCount = sealed.contentByteCount
            guard details.isWithinLimits else { throw VaultError(.tooLarge) }
            let record = AttachmentRecord(
                id: file.id, noteID: note, object: file.object, fileByteCount: sealed.fileByteCount, commitment: sealed.commitment,
                isPrivate: noteKeys != nil, details: try sealer.details(details, file.id, note: note, noteKeys))
            try insert(database, record, epoch: file.epoch)
        }
    }
}
