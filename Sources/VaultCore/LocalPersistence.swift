// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A `LocalPersistence` keeps notes on this machine. The sealed vault realises it; one in memory serves tests.
public protocol LocalPersistence: Sendable {
    /// Returns all notes that are not in the trash, newest first.
    func getNotes() async throws(VaultError) -> [Note]
    /// Saves a new note; it is durable when this returns.
    func save(_ draft: NoteDraft) async throws(VaultError) -> Note
    /// Saves another text and title of a note.
    func update(_ note: Note) async throws(VaultError) -> Note
    /// Returns the content of one of a note's attachments.
    func content(of attachment: Attachment) async throws(VaultError) -> [UInt8]
    /// Moves a note to the trash.
    func delete(_ id: NoteID) async throws(VaultError)
}

/// `VaultPersistence` is the sealed vault behind the protocol: it does one call at a time, in the order of calls.
public actor VaultPersistence: LocalPersistence {
    private let vault: OpenVault

    /// Takes over an open vault: nobody else may use it.
    public init(_ vault: sending OpenVault) { self.vault = vault }

    public func getNotes() throws(VaultError) -> [Note] {
        var notes: [Note] = []
        var offset = 0
        while true {
            let page = try vault.notes.list(NoteFilter(), offset: offset, limit: 200)
            for summary in page where summary.protection != .locked { notes.append(try whole(summary.id)) }
            offset += page.count
            if page.isEmpty { return notes }
        }
    }

    public func save(_ draft: NoteDraft) throws(VaultError) -> Note { try whole(vault.notes.create(draft).id) }

    public func update(_ note: Note) throws(VaultError) -> Note {
        let summary = try vault.notes.edit(note.id) { record in
            record.body = note.body
            record.title = note.titleIsSet ? note.title : nil
            record.tags = note.tags
            record.notebook = note.notebook
        }
        if !note.added.isEmpty { _ = try vault.attachments.add(note.added, to: note.id) }
        return try whole(summary.id)
    }

    /// Returns the content of one of a note's attachments.
    public func content(of attachment: Attachment) throws(VaultError) -> [UInt8] {
        try vault.attachments.bytes(of: attachment)
    }

    private func whole(_ id: NoteID) throws(VaultError) -> Note {
        var note = try vault.notes.note(id)
        if !note.attachments.isEmpty { note.files = try vault.attachments.all(of: id) }
        return note
    }

    public func delete(_ id: NoteID) throws(VaultError) { _ = try vault.notes.setTrashed(id, true) }

    /// Closes the vault; nothing may be called after it.
    public func close() throws(VaultError) { try vault.close() }
}
