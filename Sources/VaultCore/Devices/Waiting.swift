// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// `WaitingRecords` holds records that could not be put in their places when they came: a note was private here and is
/// not there, or the other way round, or has another key. They are tried again when more of the note comes, and when it
/// is unlocked.
struct WaitingRecords {
    private let transaction: Transaction
    private let note: NoteID
    private var bodies: [EntryBody] = []
    private var dropped: Set<RevisionID> = []
    /// A statement counts that not all records of the note are here for: they come as it says.
    private var waitsForRecords = false
    /// A record was sealed under the note's key here.
    private var hasSealed = false
    /// What was said of the note's password is said again, with records that only this device has as they are to be.
    private var tellsAgain = false

    init(_ transaction: Transaction, of note: NoteID) throws {
        (self.transaction, self.note) = (transaction, note)
        let statement = try transaction.database.cachedStatement(
            "SELECT body FROM waiting WHERE note = ? ORDER BY revision")
        let rows = try Row.fetchAll(statement, arguments: [note.bytes.blob])
        bodies = try rows.map { try EntryBody(parsing: $0.bytes("body")) }
    }

    mutating func settle() throws {
        guard !bodies.isEmpty else { return }
        dropped = try transaction.dropped(of: note)
        try settleStatement()
        for body in bodies where body.revision != nil { if try takes(body) { try forget(body) } }
        // The log has it as it came.
        if hasSealed { try transaction.database.execute(sql: "UPDATE state SET wordsLeft = wordsLeft + 1") }
        // Its writer still has it as an ordinary note: the password is told again, with all records under it.
        if hasSealed || tellsAgain { try transaction.tellNoteKey(of: note) }
    }

    private func forget(_ body: EntryBody) throws {
        try transaction.dropWaiting(body.entry.revisionID, of: note)
    }

    private func sealed(_ revision: RevisionID) throws -> RecordSealer.Opened? {
        try transaction.database.cachedStatement("SELECT sealed FROM revision WHERE id = ? AND note = ?")
            .row([revision.bytes.blob, note.bytes.blob])
            .map { try transaction.records.openOuter($0.bytes("sealed"), note: note, revision: revision) }
    }

    /// Puts a record in its place if that is possible now.
    ///
    /// - Returns: whether the body is not needed any more.
    private mutating func takes(_ body: EntryBody) throws -> Bool {
        guard let revision = body.revision else { return false }
        if let here = try sealed(revision.id) {
            if try transaction.isSealed(here, as: body) { return true }
            // An ordinary record of what is sealed under the note's key is of no use any more, nor one under a key that
            // was taken away.
            guard !waitsForRecords, here.isPrivate != revision.isPrivate else { return false }
            guard revision.isPrivate else { return try transaction.isPrivate(note) }
            let told = try transaction.toldKey(of: note)
            return try !transaction.isPrivate(note) && told?.epoch == 0 && told?.keyID == body.keyID
        }
        if dropped.contains(revision.id) { return true }
        if try transaction.canTake(body) {
            try transaction.insert(revision)
        } else if !revision.isPrivate, !waitsForRecords, let unlocked = transaction.records.keyring[note] {
            // Written by a device that did not know of the password. Its files are sealed first (WaitingAttachments).
            guard try body.attachments.allSatisfy({ try transaction.isAttachment($0.id) }) else { return false }
            let record = try NoteRecord(parsing: revision.record)
            let sealed = try transaction.records.sealPrivate(
                record, revision: revision.id, keys: unlocked.keys, showsTitle: unlocked.showsTitle)
            try transaction.database.cachedStatement("INSERT INTO revision(id, note, sealed, made) VALUES(?, ?, ?, ?)")
                .execute(arguments: [revision.id.bytes.blob, note.bytes.blob, sealed.blob, revision.made])
            hasSealed = true
            return true
        } else {
            return false
        }
        for record in body.attachments { try transaction.insertIfNew(record) }
        return true
    }

    // MARK: Passwords

    /// Settles what counts of a note's password: of two statements that nobody has replaced the one with a keyslot,
    /// then the one whose keyslot has the smaller SHA-256.
    private mutating func settleStatement() throws {
        guard bodies.contains(where: { $0.noteKey != nil }) else { return }
        // What the owner changed here and nobody was told stands beside what has come, and is not written over.
        try transaction.tellUntold(of: note)
        let replaced = Set(
            try transaction.entries(of: note).filter { $0.operation == .statement }.flatMap(\.parents))
        let told = try transaction.toldKey(of: note)
        var best: (rank: [UInt8], body: EntryBody)?
        for body in bodies {
            guard let statement = body.noteKey else { continue }
            let name = body.entry.revisionID
            guard !replaced.contains(name), name != told?.statement else {
                try forget(body)
                continue
            }
            let rank = try rank(statement, name)
            if best.map({ rank.lexicographicallyPrecedes($0.rank) }) ?? true { best = (rank, body) }
        }
        guard let best, let statement = best.body.noteKey else { return }
        if let told, !replaced.contains(told.statement), let own = try ownRank(told),
            own.lexicographicallyPrecedes(best.rank)
        {
            return
        }
        guard try change(to: statement) else { return waitsForRecords = true }
        try transaction.save(
            ToldKey(
                keyID: statement.keyID, epoch: statement.slot?.keyEpoch ?? 0, statement: best.body.entry.revisionID,
                digest: Digest.sha256(statement.encoded)), of: note)
        try forget(best.body)
    }

    private func rank(_ statement: NoteKeyStatement, _ name: RevisionID) throws -> [UInt8] {
        let digest = try Digest.sha256(statement.slot?.encoded ?? [])
        return [statement.slot == nil ? 1 : 0] + digest + name.bytes
    }

    private func ownRank(_ told: ToldKey) throws -> [UInt8]? {
        let isPrivate = try transaction.isPrivate(note)
        let slot = told.epoch > 0 && isPrivate ? try transaction.keyslot(note) : nil
        return try rank(NoteKeyStatement(keyID: told.keyID, slot: slot), told.statement)
    }

    /// Gives the note the password that a statement tells of, or none.
    ///
    /// - Returns: false while not all that the note has here came as it is to be.
    private mutating func change(to statement: NoteKeyStatement) throws -> Bool {
        let rows = try Row.fetchAll(
            transaction.database, sql: "SELECT id FROM revision WHERE note = ?", arguments: [note.bytes.blob]
        ).map { try RevisionID($0.bytes("id")) }
        let isSameKey = try transaction.keyID(of: note) == statement.keyID
        let isFree = try rows.isEmpty && !transaction.hasOpenDraft(of: note)
        if let slot = statement.slot, isFree || isSameKey {
            if !isSameKey { transaction.records.keyring.lock(note) }
            try transaction.save(slot)
            return true
        }
        let came = Dictionary(bodies.map { ($0.entry.revisionID, $0) }) { first, _ in first }
        let fitting = rows.compactMap { came[$0] }.filter {
            $0.revision?.isPrivate == (statement.slot != nil) && (statement.slot == nil || $0.keyID == statement.keyID)
        }
        guard try !transaction.hasOpenDraft(of: note) else { return false }
        let rest = Set(rows).subtracting(fitting.map(\.entry.revisionID))
        let opened = rest.isEmpty ? [] : try open(rest, attachments: fitting.flatMap(\.attachments), statement)
        guard let opened else { return false }
        try replace(fitting, statement.slot)
        for (revision, record) in opened { try reseal(revision, transaction.records.seal(record, revision: revision)) }
        // Nobody else can make ordinary records of them.
        tellsAgain = !opened.isEmpty
        return true
    }

    /// Opens what was written here while the note's password was removed elsewhere.
    ///
    /// - Returns: nil where the note is locked, or a file is still under its password.
    private func open(
        _ revisions: Set<RevisionID>, attachments: [AttachmentRecord], _ statement: NoteKeyStatement
    ) throws -> [(RevisionID, NoteRecord)]? {
        guard statement.slot == nil, transaction.records.keyring[note] != nil else { return nil }
        let known = Set(attachments.map(\.id))
        var opened: [(RevisionID, NoteRecord)] = []
        for revision in revisions {
            let record = try transaction.revision(revision, of: note)
            guard known.isSuperset(of: record.attachments) else { return nil }
            opened.append((revision, record))
        }
        return opened
    }

    private func reseal(_ revision: RevisionID, _ sealed: [UInt8]) throws {
        try transaction.database.cachedStatement("UPDATE revision SET sealed = ? WHERE id = ?")
            .execute(arguments: [sealed.blob, revision.bytes.blob])
    }

    private func replace(_ bodies: [EntryBody], _ slot: NoteKeyslot?) throws {
        let (database, records) = (transaction.database, transaction.records)
        // What was thrown away was written under the key of before.
        try database.execute(sql: "DELETE FROM draft WHERE note = ?", arguments: [note.bytes.blob])
        try transaction.removeAttachments(of: note, besides: Set(bodies.flatMap { $0.attachments.map(\.id) }))
        for body in bodies {
            guard let revision = body.revision else { continue }
            let sealed =
                revision.isPrivate
                ? try records.seal(PrivateRecord(parsing: revision.record), revision: revision.id)
                : try records.seal(NoteRecord(parsing: revision.record), revision: revision.id)
            try reseal(revision.id, sealed)
            for record in body.attachments { try transaction.replace(record) }
            try forget(body)
        }
        records.keyring.lock(note)
        guard let slot else {
            return try database.execute(sql: "DELETE FROM noteKey WHERE note = ?", arguments: [note.bytes.blob])
        }
        if try !transaction.isPrivate(note) {
            try database.execute(sql: "UPDATE state SET wordsLeft = wordsLeft + 1")
        }
        try transaction.save(slot)
    }
}

extension Devices {
    /// Tries what waits for a note that has just been unlocked, or whose edit has ended. What fails waits on.
    func settle(_ note: NoteID) {
        let waits = try? vault.read { index in
            guard try IndexState.fetch(index.database).schema >= Schema.firstWithDevices else { return false }
            return try index.database.cachedStatement("SELECT 1 FROM waiting WHERE note = ? LIMIT 1")
                .row([note.bytes.blob]) != nil
        }
        guard waits == true else { return }
        try? vault.write { transaction in
            // All versions of it were purged while it was edited: its key was kept for that edit.
            let draft = try transaction.database.cachedStatement("SELECT 1 FROM draft WHERE note = ? LIMIT 1")
                .row([note.bytes.blob])
            if draft == nil, try transaction.isPrivate(note), try !transaction.hasRevision(note) {
                try transaction.removeNoteKey(of: note)
            }
            var applying = Applying(transaction)
            try applying.settle(note)
        }
    }
}

extension Transaction {
    /// Puts records of a note in their places that could not be put there before.
    func settleWaiting(of note: NoteID) throws {
        var waiting = try WaitingRecords(self, of: note)
        try waiting.settle()
    }

    /// Removes attachments that no record names which came with the note's new key: their files are under the one of
    /// before, and come again with the record that has them.
    fileprivate func removeAttachments(of note: NoteID, besides named: Set<AttachmentID>) throws {
        let rows = try Row.fetchAll(
            database, sql: "SELECT id, object FROM attachment WHERE note = ?", arguments: [note.bytes.blob])
        for row in rows where !named.contains(try AttachmentID(row.bytes("id"))) {
            try unlinkLater(row.bytes("object"))
            for sql in ["DELETE FROM thumbnail WHERE attachment = ?", "DELETE FROM attachment WHERE id = ?"] {
                try database.cachedStatement(sql).execute(arguments: [row.bytes("id").blob])
            }
        }
    }

    /// Replaces an attachment whose file was written anew, with or without the layer of its note's password.
    fileprivate func replace(_ record: AttachmentRecord) throws {
        let row = try database.cachedStatement("SELECT object FROM attachment WHERE id = ?").row([
            record.id.bytes.blob
        ])
        if let old = try row?.bytes("object"), old != record.object.bytes {
            try database.cachedStatement("INSERT OR IGNORE INTO pendingUnlink(object, made) VALUES(?, ?)")
                .execute(arguments: [old.blob, Machine.now])
        }
        try database.cachedStatement("DELETE FROM thumbnail WHERE attachment = ?").execute(arguments: [
            record.id.bytes.blob
        ])
        try insert(record, epoch: layer.epoch)
    }
}
