// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Where notes are kept on this machine. The sealed vault realises it; one in memory serves tests.
///
/// Rows 32 and 87 of the source documents.
public protocol LocalPersistence: Sendable {
    /// All notes that are not in the trash, newest first.
    func getNotes() async throws(VaultError) -> [Note]
    /// Saves a new note; it is durable when this returns.
    func save(_ draft: NoteDraft) async throws(VaultError) -> Note
    /// Saves another text and title of a note.
    func update(_ note: Note) async throws(VaultError) -> Note
    /// Moves a note to the trash.
    func delete(_ id: NoteID) async throws(VaultError)
}

/// The sealed vault behind the protocol: one at a time, in the order of calls.
public actor VaultPersistence: LocalPersistence {
    private let store: VaultStore

    /// Takes over an open store: nobody else may use it.
    public init(_ store: sending VaultStore) { self.store = store }

    public func getNotes() throws(VaultError) -> [Note] {
        var notes: [Note] = []
        while true {
            let page = try store.list(NoteFilter(), offset: notes.count, limit: 200)
            for summary in page { notes.append(try store.note(summary.id)) }
            if page.isEmpty { return notes }
        }
    }

    public func save(_ draft: NoteDraft) throws(VaultError) -> Note { try store.note(store.create(draft).id) }

    public func update(_ note: Note) throws(VaultError) -> Note {
        let summary = try store.edit(note.id) { record in
            record.body = note.body
            record.title = note.titleIsSet ? note.title : nil
            record.tags = note.tags
            record.notebook = note.notebook
        }
        return try store.note(summary.id)
    }

    public func delete(_ id: NoteID) throws(VaultError) { _ = try store.setTrashed(id, true) }

    /// Closes the vault; nothing may be called after it.
    public func close() throws(VaultError) { try store.close() }
}
