// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import TextMerge
internal import VaultCrypto
internal import VaultFormat

/// An `IndexAccess` is the index while a vault lends it, and what opens and seals its rows. Extensions of this protocol
/// read; what writes is in `Transaction`.
protocol IndexAccess {
    var database: Database { get }
    var layer: VaultLayer { get }
    /// They have the keys of the notes that are unlocked.
    var records: RecordSealer { get }
    /// Whose chain the entries of this vault are.
    var device: [UInt8] { get }
    /// Compares the lines of two versions of a note.
    var comparison: any TokenComparison { get }
    /// Which notes the remotes do not have as they are.
    var uploads: KnownUploads { get }
}

extension IndexAccess {
    /// Attachments' records and files.
    var sealer: AttachmentSealer { AttachmentSealer(layer: layer) }
}

/// A `ReadAccess` is what a vault lends to readers, for the length of one call.
struct ReadAccess: IndexAccess {
    let database: Database
    let layer: VaultLayer
    let records: RecordSealer
    let device: [UInt8]
    let comparison: any TokenComparison
    let uploads: KnownUploads
}

/// A `Transaction` is what a vault lends to writers, for the length of one call: all that they write is durable when
/// the call returns, or none of it is there.
///
/// Only `OpenVault.write` makes one. It counts the transaction, and refuses on a disk, or under a header, where nothing
/// may be written.
struct Transaction: IndexAccess {
    let database: Database
    let layer: VaultLayer
    let records: RecordSealer
    let device: [UInt8]
    let comparison: any TokenComparison
    let uploads: KnownUploads
    /// Tags in a text that is written are the note's too.
    var readsTags = false
    /// Words of notes get into the search table later: of many that come at once the lists are wanted first.
    var putsWordsOff = false
    /// Fewer notes than these are not worth it.
    static let putOffCountMin = 50
}

/// A `Head` is a note's current revision, with its content.
typealias Head = (id: RevisionID, record: NoteRecord)

extension IndexAccess {
    /// Returns what the lists show of a revision.
    func projected(_ note: NoteID, _ revision: RevisionID) throws -> ProjectedNote {
        let statement = try database.cachedStatement("SELECT sealed FROM revision WHERE id = ? AND note = ?")
        guard let row = try statement.row([revision.bytes.blob, note.bytes.blob]) else { throw VaultError(.integrity) }
        return ProjectedNote(try records.openOuter(try row.bytes("sealed"), note: note, revision: revision))
    }
}

/// These functions bring every change of a note to the index: revision, entry, projection, words and counters.
extension Transaction {
    /// Heads of one note at most.
    static let headCountMax = 200

    /// Records a revision and makes it its note's head.
    ///
    /// - Parameters:
    ///   - old: the head that it takes the place of, with its content: lists, tags and links are deleted by what they
    ///     were made from.
    ///   - parents: the revisions that it replaces; without them the old head. What is a head and no parent stays a
    ///     head.
    /// - Returns: the new revision.
    @discardableResult
    func apply(
        _ record: NoteRecord, _ operation: Entry.Operation, replacing old: Head?, parents: [RevisionID]? = nil
    ) throws -> RevisionID {
        guard record.isWithinLimits else { throw VaultError(.tooLarge) }
        let revision = try RevisionID(SecureRandom.bytes(RevisionID.byteCount))
        let known = Set(old?.record.attachments ?? [])
        try rehome(record.attachments.filter { !known.contains($0) }, to: record.noteID)
        let made = try sealed(record, revision)
        // What is in the lists now: of a private note what the old revision shows of itself.
        let before = try old.map {
            made.shown.isPrivate
                ? try projected(record.noteID, $0.id) : ProjectedNote(record: $0.record, isPrivate: false)
        }
        return try apply(
            made, revision, operation, replacing: old.flatMap { head in before.map { (head.id, $0) } }, parents: parents
        )
    }

    /// Records a revision that is sealed already: of a locked note only the vault's layer is new.
    @discardableResult
    func apply(
        _ made: (sealed: [UInt8], shown: ProjectedNote), _ revision: RevisionID, _ operation: Entry.Operation,
        replacing old: (id: RevisionID, shown: ProjectedNote)?, parents: [RevisionID]? = nil
    ) throws -> RevisionID {
        let note = made.shown.record.noteID
        try database.cachedStatement("INSERT INTO revision(id, note, sealed, made) VALUES(?, ?, ?, ?)")
            .execute(arguments: [revision.bytes.blob, note.bytes.blob, made.sealed.blob, Machine.now])
        var state = try IndexState.fetch(database)
        let replaced = parents ?? old.map { [$0.id] } ?? []
        try append(&state, operation, note: note, revision: revision, parents: replaced)
        if let old, parents != nil {
            // What was made beside the shown head takes its place only if it comes behind it in the graph.
            guard try replaced.contains(old.id) || graph(of: note).heads.last == revision else {
                try keepOtherHeads(of: note, besides: replaced, keeping: revision)
                try state.save(database)
                return revision
            }
            try keepOtherHeads(of: note, besides: replaced, keeping: replaced.contains(old.id) ? nil : old.id)
        }
        if let old { try removeProjection(&state, old.shown) }
        try ProjectionTables.current.insert(
            database, &state, made.shown, head: revision, putsWordsOff: putsWordsOff)
        try state.save(database)
        return revision
    }

    /// Makes what the lists have of a note anew, from its entries: the heads, and the shown one's content.
    ///
    /// - Parameter old: what the lists have of it now; nil when it is not in them.
    func project(_ note: NoteID, over old: ProjectedNote?) throws {
        let heads = try heads(of: note)
        try project(note, heads, try heads.last.map { try projected(note, $0) }, over: old)
    }

    /// Does the same where the heads and the shown one's content are known.
    func project(_ note: NoteID, _ heads: [RevisionID], _ shown: ProjectedNote?, over old: ProjectedNote?) throws {
        var state = try IndexState.fetch(database)
        if let old { try removeProjection(&state, old) }
        if let shown, let head = heads.last {
            try ProjectionTables.current.insert(database, &state, shown, head: head, putsWordsOff: putsWordsOff)
        }
        try state.save(database)
        try database.cachedStatement("DELETE FROM otherHead WHERE note = ?").execute(arguments: [note.bytes.blob])
        for other in heads.dropLast() {
            try database.cachedStatement("INSERT INTO otherHead(note, revision) VALUES(?, ?)")
                .execute(arguments: [note.bytes.blob, other.bytes.blob])
        }
    }

    /// Seals a record in the form that its note has: sealed once, or twice.
    ///
    /// - Throws: `VaultError.noteLocked`.
    func sealed(_ record: NoteRecord, _ revision: RevisionID) throws -> (sealed: [UInt8], shown: ProjectedNote) {
        guard try isPrivate(record.noteID) else {
            return (try records.seal(record, revision: revision), ProjectedNote(record: record, isPrivate: false))
        }
        guard let unlocked = records.keyring[record.noteID] else { throw VaultError(.noteLocked) }
        let sealed = try records.sealPrivate(
            record, revision: revision, keys: unlocked.keys, showsTitle: unlocked.showsTitle)
        return (sealed, ProjectedNote(try records.openOuter(sealed, note: record.noteID, revision: revision)))
    }

    /// Keeps the other heads of a note: what was a head and is not replaced now stays one.
    ///
    /// - Parameter kept: a head that is not shown from now on.
    fileprivate func keepOtherHeads(of note: NoteID, besides replaced: [RevisionID], keeping kept: RevisionID?) throws {
        if let kept {
            try database.cachedStatement("INSERT INTO otherHead(note, revision) VALUES(?, ?)")
                .execute(arguments: [note.bytes.blob, kept.bytes.blob])
        }
        for revision in replaced {
            try database.cachedStatement("DELETE FROM otherHead WHERE note = ? AND revision = ?")
                .execute(arguments: [note.bytes.blob, revision.bytes.blob])
        }
    }

    /// Adds this device's next entry to its chain.
    func append(
        _ state: inout IndexState, _ operation: Entry.Operation, note: NoteID, revision: RevisionID,
        parents: [RevisionID]
    ) throws {
        // One byte counts them; a note with so many heads was not written by hand.
        guard parents.count <= Self.headCountMax else { throw VaultError(.tooLarge) }
        state.sequence += 1
        let entry = Entry(
            device: state.device, sequence: state.sequence, operation: operation, noteID: note, revisionID: revision,
            parents: parents, previous: state.chain)
        let bytes = entry.encoded
        try database.cachedStatement("INSERT INTO entry(device, sequence, bytes) VALUES(?, ?, ?)")
            .execute(arguments: [state.device.blob, Int64(clamping: state.sequence), bytes.blob])
        state.chain = try Digest.sha256(bytes)
        // What is summed up in this very transaction is not at a remote.
        if operation != .drop { uploads.add(note) }
    }

    /// Removes the words of a note, by the very text that they came from.
    fileprivate func removeWords(_ row: Int64, of record: NoteRecord, areSearched: Bool) throws {
        let stored = try database.cachedStatement("SELECT text FROM folded WHERE row = ?").row([row])
        // Of an old page put back the words would stay in `search` for good.
        guard let text = try stored?.text(at: 0), text.utf8.elementsEqual(NoteText(record).indexed) else {
            throw VaultError(.integrity)
        }
        try removeText(row, text, areSearched: areSearched)
    }

    /// Removes a note's folded text, and its words where the search table has them.
    func removeText(_ row: Int64, _ text: String, areSearched: Bool) throws {
        if try areSearched && !takeUnindexed(row) {
            try database.cachedStatement("INSERT INTO search(search, rowid, text) VALUES('delete', ?, ?)")
                .execute(arguments: [row, text])
        }
        try database.cachedStatement("DELETE FROM folded WHERE row = ?").execute(arguments: [row])
    }

    func removeProjection(_ state: inout IndexState, _ shown: ProjectedNote) throws {
        let record = shown.record
        let id = record.noteID.bytes.blob
        let found = try database.cachedStatement("SELECT row FROM note WHERE id = ?").row([id])
        guard let row = try found?.integer("row") else { throw VaultError(.integrity) }
        let place = NotePlace(record.flags)
        state.counts[place] -= 1
        if !shown.isPrivate { try removeWords(row, of: record, areSearched: place.isSearched) }
        // By their keys: neither table can be searched by note.
        for tag in Set(record.tags.map { TagKey.bytes($0) }) {
            try database.cachedStatement("DELETE FROM noteTag WHERE tag = ? AND note = ?").execute(arguments: [
                tag.blob, id,
            ])
        }
        for target in NoteLinks.targets(Array(record.body.utf8)) {
            try database.cachedStatement("DELETE FROM noteLink WHERE target = ? AND note = ?").execute(arguments: [
                target.blob, id,
            ])
        }
        try database.cachedStatement("DELETE FROM note WHERE row = ?").execute(arguments: [row])
        try removeBook(row)
    }
}
