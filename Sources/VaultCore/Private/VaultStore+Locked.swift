// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
public import VaultFormat

/// What can be done with private notes whether or not they are unlocked, and which of them are.
extension VaultStore {
    func isPrivate(_ database: Database, _ note: NoteID) throws -> Bool {
        try database.cachedStatement("SELECT 1 FROM noteKey WHERE note = ?").row([note.bytes.blob]) != nil
    }

    /// Whether a note has a password of its own.
    public func isPrivate(_ note: NoteID) throws(VaultError) -> Bool { try read { try self.isPrivate($0, note) } }

    public func isUnlocked(_ note: NoteID) -> Bool { records.keyring[note] != nil }

    /// Private notes that are unlocked now.
    public var unlockedNoteIDs: [NoteID] { records.keyring.notes }

    /// Private notes that were read or written since the last call.
    public func takeUsedNotes() -> Set<NoteID> { records.keyring.takeUsed() }

    /// Forgets a private note's key, and what was left of it in memory: prepared statements hold the last text that they were given, and the page
    /// cache holds pages as they were. Its words were never anywhere but in memory.
    public func relock(_ note: NoteID) {
        records.keyring.remove(note)
        database.queue.releaseMemory()
        forgotten.insert(note)
    }

    /// Notes that were locked since the last call: whatever still works on one must end.
    public func takeForgotten() -> Set<NoteID> {
        defer { forgotten = [] }
        return forgotten
    }

    /// Flags of a locked note can be changed without its key: it can be thrown away, pinned, archived.
    ///
    /// - Returns: false when the note is not locked, or the change needs its content.
    func modifyLocked(_ database: Database, _ id: NoteID, _ changed: NoteChange) throws -> Bool {
        guard records.keyring[id] == nil, try isPrivate(database, id) else { return false }
        switch changed {
        case .trashed, .pinned, .archived: break
        default: throw VaultError(.noteLocked)
        }
        let head = try headID(database, of: id)
        guard let row = try database.cachedStatement("SELECT sealed FROM revision WHERE id = ?").row([head.bytes.blob]),
            case .sealedInside(var outer) = try records.openOuter(try row.bytes("sealed"), note: id, revision: head)
        else { throw VaultError(.integrity) }
        let before = ProjectedNote(.sealedInside(outer))
        var face = before.record
        changed.apply(to: &face)
        guard face.flags != outer.flags else { return true }
        outer.flags = face.flags
        let revision = try RevisionID(SecureRandom.bytes(RevisionID.byteCount))
        let made = (sealed: try records.seal(outer, revision: revision), shown: ProjectedNote(.sealedInside(outer)))
        try apply(database, made, revision, changed.operation, replacing: (head, before))
        return true
    }

    /// The content of every private note that is unlocked, with its row in the lists.
    func unlockedNotes(_ database: Database) throws -> [UnlockedNote] {
        guard !records.keyring.isEmpty else { return [] }
        let statement = try database.cachedStatement(
            """
            SELECT note.row AS row, note.head AS head, revision.sealed AS sealed
            FROM note JOIN revision ON revision.id = note.head WHERE note.id = ?
            """)
        return try records.keyring.notes.compactMap { id in
            guard let row = try statement.row([id.bytes.blob]) else { return nil }
            let record = try records.open(
                try row.bytes("sealed"), note: id, revision: RevisionID(try row.bytes("head")), isPrivate: true)
            return UnlockedNote(row: try row.integer("row"), record: record)
        }.sorted { $0.row > $1.row }
    }
}

/// A private note that is unlocked: what the lists do not have of it.
struct UnlockedNote {
    let row: Int64
    let record: NoteRecord

    var id: NoteID { record.noteID }
    var place: NotePlace { NotePlace(record.flags) }
    var title: String { NoteText.title(record) }
}
