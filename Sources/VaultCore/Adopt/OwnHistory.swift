// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// `OwnHistory` is what the open vault's chain says, as far as it matters to what another copy has: which revisions it
/// has made, which notes it has purged, and all entries of the notes that are looked at more closely. What is written
/// meanwhile is read before each use.
struct OwnHistory {
    private(set) var made: Set<RevisionID> = []
    /// The purge of each note that was purged.
    private(set) var purges: [NoteID: RevisionID] = [:]
    /// Notes with revisions that the other copy does not know.
    private(set) var changedHere: Set<NoteID> = []
    private var entries: [NoteID: [Entry]] = [:]
    private var watched: Set<NoteID> = []
    private var walk = EntryWalk()
    private let isKnownThere: (RevisionID) -> Bool
    private static let stepCount = 2000

    /// Begins with a history of which nothing is read yet.
    ///
    /// - Parameter isKnownThere: whether the other copy has, or had, a revision.
    init(isKnownThere: @escaping (RevisionID) -> Bool) { self.isKnownThere = isKnownThere }

    /// Reads some more entries.
    ///
    /// - Returns: whether there may be more.
    mutating func read(_ index: some IndexAccess) throws -> Bool {
        let found = try walk.next(index.database, limit: Self.stepCount)
        for row in found { take(try row.entry()) }
        return walk.hasMore
    }

    /// Reads what was written since.
    mutating func catchUp(_ index: some IndexAccess) throws {
        walk.rewind()
        while try read(index) {}
    }

    /// Keeps the entries of these notes from now on; those that were read already are read again.
    mutating func watch(_ notes: Set<NoteID>) {
        watched = notes
        entries = [:]
        walk = EntryWalk()
    }

    func entries(of note: NoteID) -> [Entry] { entries[note] ?? [] }

    private mutating func take(_ entry: Entry) {
        switch entry.operation {
        case .purge: purges[entry.noteID] = entry.revisionID
        case .drop, .statement: break
        case .create, .edit, .trash, .restore, .fork, .join:
            made.insert(entry.revisionID)
            if !isKnownThere(entry.revisionID) { changedHere.insert(entry.noteID) }
        }
        if watched.contains(entry.noteID) { entries[entry.noteID, default: []].append(entry) }
    }

    // MARK: Notes that were purged here

    /// Returns the name that another copy's note has here. A note that was purged does not come back under its name:
    /// what was written there since is a new note, whose name follows from the purge, so that it is known again.
    func target(of note: NoteID) throws -> NoteID {
        var name = note
        while let purge = purges[name] {
            name = try NoteID(Array(try Self.digest("note", name.bytes, purge).prefix(NoteID.byteCount)))
        }
        return name
    }

    /// Returns the name that another copy's revision has here, and whether it is here or was.
    func target(of revision: RevisionID, _ note: NoteID) throws -> (id: RevisionID, isKnown: Bool) {
        var (id, name) = (revision, note)
        var isKnown = made.contains(id)
        while let purge = purges[name] {
            id = try RevisionID(
                Array(try Self.digest("revision", id.bytes, purge).prefix(RevisionID.byteCount)))
            name = try NoteID(Array(try Self.digest("note", name.bytes, purge).prefix(NoteID.byteCount)))
            isKnown = isKnown || made.contains(id)
        }
        return (id, isKnown)
    }

    private static func digest(_ kind: String, _ bytes: [UInt8], _ purge: RevisionID) throws -> [UInt8] {
        try Digest.sha256(Array("vault/v1 adopted \(kind)\n".utf8) + bytes + purge.bytes)
    }
}
