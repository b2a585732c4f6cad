// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// `Applying` takes entries of other devices over within one transaction: rows of entries, revisions and attachments as
/// they come, heads and lists once per note at the end. Spec: docs/format.md §10 and §13.
struct Applying {
    private let transaction: Transaction
    /// What became of them, and which were not here.
    private(set) var (applied, inserted) = (AppliedEntries(), [Entry]())
    private var database: Database { transaction.database }
    /// Notes that were touched, in the order in which they came.
    private var touched: [NoteID] = []
    /// The same, to be looked up, and notes of which purges came in.
    private var (isTouched, purged): (Set<NoteID>, Set<NoteID>) = ([], [])
    /// Of the notes that were asked for, what was thinned out: nothing of this transaction thins out before its end.
    private var dropped: [NoteID: Set<RevisionID>] = [:]
    /// Ordinary records that were put in their places: lists are made of them without opening them again.
    private var taken: [RevisionID: NoteRecord] = [:]
    /// Notes of which a purge has reached something, and the attachments that they showed until then.
    private var (cleared, shownBefore): ([NoteID], Set<AttachmentID>) = ([], [])
    /// Revisions that came without a record.
    private var bare: [NoteID: Set<RevisionID>] = [:]

    /// Whether an object's file is in its place.
    private let isHere: (ObjectName) -> Bool
    init(_ transaction: Transaction, isHere: @escaping (ObjectName) -> Bool = { _ in true }) {
        (self.transaction, self.isHere) = (transaction, isHere)
    }

    /// Takes one entry over, with what belongs to it.
    ///
    /// - Parameter bytes: the body as it came.
    mutating func take(_ body: EntryBody, _ bytes: [UInt8]) throws {
        let entry = body.entry
        // What a device has thinned out is its own business.
        guard entry.operation != .drop else { return }
        try renewRecords(body)
        guard try !isKnown(body) else { return }
        // What a faulty device says under the name of another note's revision has no place, and holds nothing up.
        let hasRecord = entry.operation.makesRevision || body.statement?.kind == .noteKey
        guard try !hasRecord || !isOfAnother(entry.revisionID, entry.noteID) else { return }
        guard let statement = body.statement else {
            try touch(entry.noteID)
            try takeEntry(entry)
            if entry.operation.makesRevision { try takeRecord(body, bytes) }
            return
        }
        switch statement {
        case .noteKey:
            try touch(entry.noteID)
            try takeEntry(entry)
            try keepAside(entry.revisionID, of: entry.noteID, bytes)
        case .device, .keyslotAdded, .keyslotRemoved, .attachment:
            // No list shows anything of it.
            try takeEntry(entry)
            try transaction.keep(statement, of: entry)
        }
    }

    /// Returns whether all that a body says is here: what is told a second time leaves lists and words alone.
    private func isKnown(_ body: EntryBody) throws -> Bool {
        let entry = body.entry
        guard try self.entry(of: entry.device, entry.sequence) == entry.encoded else { return false }
        switch body.statement {
        case nil: break
        case .noteKey: return try transaction.toldKey(of: entry.noteID)?.statement == entry.revisionID
        case .device, .keyslotAdded, .keyslotRemoved, .attachment:
            return try transaction.statement(named: entry.revisionID) != nil
        }
        guard let revision = body.revision else { return true }
        let row = try database.cachedStatement("SELECT sealed FROM revision WHERE id = ? AND note = ?")
            .row([revision.id.bytes.blob, entry.noteID.bytes.blob])
        let here = try row.map {
            try transaction.records.openOuter($0.bytes("sealed"), note: entry.noteID, revision: revision.id)
        }
        return try here.map { try transaction.isSealed($0, as: body) } ?? false
    }

    /// Takes over where an attachment's content lies now: after a change of the key each device seals it anew, under
    /// another name. What came under the name of before, and whose object did not come in time, has that name no more.
    ///
    /// Only who is the first to name an attachment has put its object; others may name one that they do not have.
    private func renewRecords(_ body: EntryBody) throws {
        guard !body.attachments.isEmpty else { return }
        let before = body.entry.parents.reduce(into: Set<AttachmentID>()) { found, parent in
            guard body.revision?.isPrivate == false else { return }
            found.formUnion((try? transaction.revision(parent, of: body.entry.noteID))?.attachments ?? [])
        }
        for record in body.attachments where !before.contains(record.id) {
            let row = try database.cachedStatement("SELECT object FROM attachment WHERE id = ? AND note = ?")
                .row([record.id.bytes.blob, record.noteID.bytes.blob])
            guard let object = try row.map({ try ObjectName($0.bytes("object")) }), object != record.object,
                !isHere(object), try transaction.canTake(body)
            else { continue }
            let other = try database.cachedStatement("SELECT 1 FROM attachment WHERE object = ?")
                .row([record.object.bytes.blob])
            if other == nil { try transaction.insert(record, epoch: transaction.layer.epoch) }
        }
    }

    /// Takes a note out of the lists, which have it again when all of it is there.
    private mutating func touch(_ note: NoteID) throws {
        guard isTouched.insert(note).inserted else { return }
        touched.append(note)
        guard try transaction.isPresent(note) else { return }
        var state = try IndexState.fetch(database)
        try transaction.removeProjection(&state, try transaction.projected(note, transaction.headID(of: note)))
        try state.save(database)
    }

    // MARK: Entries

    private mutating func takeEntry(_ entry: Entry) throws {
        let (bytes, known) = (entry.encoded, try self.entry(of: entry.device, entry.sequence))
        if known == bytes { return }
        if entry.operation == .purge { purged.insert(entry.noteID) }
        let digest = try Digest.sha256(bytes)
        guard known == nil, entry.device != transaction.device, try fits(entry, digest) else {
            return try tellAgain(entry)
        }
        try database.cachedStatement("INSERT INTO entry(device, sequence, bytes) VALUES(?, ?, ?)")
            .execute(arguments: [entry.device.blob, Int64(clamping: entry.sequence), bytes.blob])
        try transaction.recordEntry(of: entry.device, sequence: entry.sequence, digest: digest)
        inserted.append(entry)
        if entry.noteID != .none { applied.entryCount += 1 }
    }

    private func entry(of device: [UInt8], _ sequence: UInt64) throws -> [UInt8]? {
        try database.cachedStatement("SELECT bytes FROM entry WHERE device = ? AND sequence = ?")
            .row([device.blob, Int64(clamping: sequence)])?.bytes("bytes")
    }

    /// Returns whether an entry goes on from the one before it and leads to the one behind it, where these are known.
    private func fits(_ entry: Entry, _ digest: [UInt8]) throws -> Bool {
        if entry.sequence == 1 {
            guard entry.previous == Entry.firstPrevious else { return false }
        } else if let before = try self.entry(of: entry.device, entry.sequence - 1) {
            guard try Digest.sha256(before) == entry.previous else { return false }
        }
        guard entry.sequence < UInt64(Int64.max), let next = try self.entry(of: entry.device, entry.sequence + 1)
        else { return true }
        return try Entry(parsing: next).previous == digest
    }

    /// Tells again what a chain says that says two things under one number: this device says the other one again as its
    /// own, so that nothing is lost.
    private mutating func tellAgain(_ entry: Entry) throws {
        if let device = try? DeviceID(entry.device), entry.device != transaction.device {
            applied.forked.insert(device)
        }
        let known = try transaction.entries(of: entry.noteID)
        // A statement and a revision of one name are two things: neither stands for the other.
        let isSaid = known.contains {
            $0.revisionID == entry.revisionID && $0.operation.makesRevision == entry.operation.makesRevision
                && ($0.operation == .statement) == (entry.operation == .statement) && $0.operation != .drop
        }
        guard !isSaid else { return }
        var state = try IndexState.fetch(database)
        try transaction.append(
            &state, entry.operation, note: entry.noteID, revision: entry.revisionID,
            parents: Array(entry.parents.prefix(Transaction.headCountMax)))
        try state.save(database)
        applied.entryCount += 1
    }

    // MARK: Records

    private mutating func takeRecord(_ body: EntryBody, _ bytes: [UInt8]) throws {
        let (note, id) = (body.entry.noteID, body.entry.revisionID)
        let row = try database.cachedStatement("SELECT sealed FROM revision WHERE id = ?").row([id.bytes.blob])
        guard let revision = body.revision else {
            if row == nil { bare[note, default: []].insert(id) }
            return
        }
        if let row {
            // A record that is here stays, unless its note has become private or an ordinary one since, or has
            // another key.
            let here = try transaction.records.openOuter(row.bytes("sealed"), note: note, revision: id)
            if try !transaction.isSealed(here, as: body) { try keepAside(id, of: note, bytes) }
            return
        }
        guard try !isDropped(id, of: note) else { return }
        guard try transaction.canTake(body) else { return try keepAside(id, of: note, bytes) }
        if let record = try transaction.insert(revision) { taken[id] = record }
        for record in body.attachments { try transaction.insertIfNew(record) }
    }

    /// Returns whether a revision's name is taken: another note has or awaits one of this name.
    private func isOfAnother(_ revision: RevisionID, _ note: NoteID) throws -> Bool {
        for table in ["revision WHERE id", "waiting WHERE revision"] {
            let row = try database.cachedStatement("SELECT note FROM \(table) = ?").row([revision.bytes.blob])
            if let row, try row.bytes("note") != note.bytes { return true }
        }
        return false
    }

    /// Returns whether a revision was thinned out here, and is not wanted again.
    private mutating func isDropped(_ revision: RevisionID, of note: NoteID) throws -> Bool {
        if dropped[note] == nil { dropped[note] = try transaction.dropped(of: note) }
        return dropped[note]?.contains(revision) == true
    }

    private func keepAside(_ revision: RevisionID, of note: NoteID, _ body: [UInt8]) throws {
        let known = try database.cachedStatement("SELECT 1 FROM waiting WHERE revision = ? AND body = ?")
            .row([revision.bytes.blob, body.blob])
        guard try known == nil && !hasBetter(revision, of: note, than: body) else { return }
        try transaction.dropWaiting(revision, of: note)
        try database.cachedStatement(
            """
            INSERT INTO waiting(revision, note, body) VALUES(?, ?, ?)
            ON CONFLICT(revision) DO UPDATE SET body = excluded.body
            """
        ).execute(arguments: [revision.bytes.blob, note.bytes.blob, body.blob])
    }

    /// Returns whether the record that waits has all of its files here, and the other one of the same kind has not:
    /// after a change of the vault's key others may tell it as they have it, with names of files of before.
    private func hasBetter(_ revision: RevisionID, of note: NoteID, than bytes: [UInt8]) throws -> Bool {
        let row = try database.cachedStatement("SELECT body FROM waiting WHERE revision = ? AND note = ?")
            .row([revision.bytes.blob, note.bytes.blob])
        guard let row else { return false }
        let (old, new) = (try EntryBody(parsing: row.bytes("body")), try EntryBody(parsing: bytes))
        guard !old.attachments.isEmpty, old.keyID == new.keyID, old.revision != nil else { return false }
        return old.attachments.allSatisfy { isHere($0.object) } && !new.attachments.allSatisfy { isHere($0.object) }
    }

    // MARK: The end

    /// Makes heads and lists of all notes that were touched.
    mutating func finish() throws {
        for note in touched {
            try transaction.settleWaiting(of: note)
            let graph = try transaction.graph(of: note)
            let heads = try clear(note, graph) ? transaction.heads(of: note) : transaction.heads(of: note, graph)
            try transaction.project(note, heads, try heads.last.map { try shown($0, of: note) }, over: nil)
        }
        try transaction.settleHomes(around: touched, taken)
        // Only now: what was joined in the same breath has its files where they belong.
        try transaction.removeAttachmentsLeft(of: cleared, shown: shownBefore)
        try transaction.tellArrivals(of: touched)
        applied.notes = touched
        applied.waitingCount =
            try database.cachedStatement("SELECT count(*) AS count FROM waiting").row()?.count("count") ?? 0
    }

    /// Returns what the lists show of a revision.
    private func shown(_ revision: RevisionID, of note: NoteID) throws -> ProjectedNote {
        // What settled meanwhile may have put it under a password.
        guard let record = taken[revision], try !transaction.isPrivate(note) else {
            return try transaction.projected(note, revision)
        }
        return ProjectedNote(record: record, isPrivate: false)
    }

    /// Puts in its place what waits for a note.
    mutating func settle(_ note: NoteID) throws {
        try touch(note)
        try finish()
    }

    /// Removes what purges have reached; what came without a record is not expected any more.
    ///
    /// - Returns: whether there may be other entries now.
    private mutating func clear(_ note: NoteID, _ graph: NoteGraph) throws -> Bool {
        let gone = graph.gone
        if !gone.isEmpty { shownBefore.formUnion(try transaction.shown(by: note)) }
        for revision in gone {
            try database.cachedStatement("DELETE FROM revision WHERE id = ? AND note = ?")
                .execute(arguments: [revision.bytes.blob, note.bytes.blob])
            try transaction.dropWaiting(revision, of: note)
        }
        if !gone.isEmpty {
            cleared.append(note)
            try graph.heads.isEmpty ? transaction.removeRest(of: note) : outlive(note)
        }
        try transaction.dropBare(bare[note]?.subtracting(gone) ?? [], of: note)
        return !gone.isEmpty || bare[note] != nil
    }

    /// Settles what of a note outlives a purge: what is here, or what waits.
    private mutating func outlive(_ note: NoteID) throws {
        guard purged.contains(note) else { return }
        applied.outlived.append(note)
        let isHere = try database.cachedStatement("SELECT 1 FROM revision WHERE note = ? LIMIT 1")
            .row([note.bytes.blob])
        // The device that purged it has no keyslot for what lives on.
        guard isHere == nil else {
            if try transaction.isPrivate(note) { try transaction.tellNoteKey(of: note) }
            return
        }
        // Of what the password opened nothing is left.
        try transaction.removeNoteKey(of: note)
        try transaction.settleWaiting(of: note)
    }
}
