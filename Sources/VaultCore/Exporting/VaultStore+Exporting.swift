// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText
internal import TextReading
public import VaultFormat

/// A note with all that an export writes of it but the contents of its attachments and its past.
public struct ExportableNote: Sendable {
    public var note: Note
    /// In the order they were added.
    public var attachments: [Attachment]
    public var isTemplate: Bool
    public var isArchived: Bool
    public var isTrashed: Bool
    /// Where an import found it.
    public var source: String?
}

extension VaultStore {
    /// A note for an export, of one time. A title that was set is told whole, however long.
    ///
    /// - Throws: `VaultError.notFound` when it is gone, `.noteLocked`, `.integrity`.
    public func exportable(_ id: NoteID) throws(VaultError) -> ExportableNote {
        var made = try read { database in
            let (revision, record) = try self.head(database, of: id)
            let note = Note(
                id: id, revision: revision, title: record.title ?? NoteTitle.display(title: nil, body: record.body), titleIsSet: record.title != nil,
                body: record.body, tags: record.tags,
                notebook: record.notebook, created: record.created, modified: record.modified, place: NotePlace(record.flags),
                isPinned: record.flags.contains(.pinned), protection: try self.isPrivate(database, id) ? .unlocked : .none,
                attachments: record.attachments)
            return ExportableNote(
                note: note, attachments: [], isTemplate: record.flags.contains(.template), isArchived: record.flags.contains(.archived),
                isTrashed: record.flags.contains(.trashed), source: record.source)
        }
        made.attachments = made.note.attachments.isEmpty ? [] : try attachments(of: id)
        return made
    }

    /// Keeps a private note from locking itself while it is written out.
    public func markUsed(_ note: NoteID) { records.keyring.markUsed(note) }
}
