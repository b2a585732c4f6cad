// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentClient
public import AgentProtocol
public import VaultFormat

/// `InMemoryNetwork` is a remote in memory, for tests and previews of a front end: it behaves as the agent's does, can
/// be away, and lets another device write.
public actor InMemoryNetwork: NetworkController {
    private var notes: [NoteRow]
    private var changes = NoteChanges()
    /// Whether no remote can be reached.
    public var isAway = false

    /// Makes a remote that holds these notes, in the list's order.
    public init(_ notes: [NoteRow] = []) { self.notes = notes }

    public func setAway(_ isAway: Bool) { self.isAway = isAway }

    /// Adds a note of another device, which `refresh` and `fetchNotes` then bring.
    public func arrive(_ note: NoteRow) {
        notes.removeAll { $0.id == note.id }
        var note = note
        note.state = .uploaded
        notes.insert(note, at: 0)
        changes.notes.removeAll { $0.id == note.id }
        changes.notes.append(note)
    }

    /// Adds a note that this device has saved and not sent yet.
    public func save(_ note: NoteRow) {
        notes.removeAll { $0.id == note.id }
        var note = note
        note.state = .pending
        notes.insert(note, at: 0)
    }

    /// Returns a note's state as a list has it; nil for one that is not there.
    public func state(of note: String) -> UploadState? { notes.first { $0.id == note }?.state }

    public func fetchNotes() throws(ClientFailure) -> [NoteRow] {
        try reach()
        changes = NoteChanges()
        return notes.filter { $0.place == .live }
    }

    public func upload(_ note: String) throws(ClientFailure) {
        try reach()
        for index in notes.indices { notes[index].state = .uploaded }
        guard notes.contains(where: { $0.id == note }) else {
            throw ClientFailure(.notFound, "no note has this identifier", hint: "vault ls --json has all of each")
        }
    }

    public func refresh() throws(ClientFailure) -> NoteChanges {
        try reach()
        defer { changes = NoteChanges() }
        changes.position += UInt64(changes.notes.count)
        return changes
    }

    public func remove(_ note: String) throws(ClientFailure) {
        guard let index = notes.firstIndex(where: { $0.id == note }) else {
            throw ClientFailure(.notFound, "no note is called that", hint: "vault ls")
        }
        (notes[index].place, notes[index].state) = (.trash, .pending)
        try upload(note)
    }

    private func reach() throws(ClientFailure) {
        guard !isAway else {
            throw ClientFailure(
                .network, "the remote cannot be reached; everything is safe on this machine", hint: "vault sync status")
        }
    }
}
