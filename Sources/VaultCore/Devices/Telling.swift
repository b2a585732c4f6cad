// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// `ToldEntries` holds entries as they are told to other devices.
public struct ToldEntries: Sendable, Equatable {
    /// As segments hold them (docs/format.md §21.1).
    public internal(set) var bodies: [[UInt8]] = []
    /// The sequence number of the last own entry that was looked at: telling continues after it.
    public internal(set) var through: UInt64 = 0
    /// Whether nothing is left to tell after it.
    public internal(set) var isAll = true
}

extension Devices {
    /// Prepares own entries to be told: what has changed of notes' passwords becomes entries. They are looked at before
    /// each telling, and before entries of others are taken over.
    ///
    /// - Returns: the sequence number of the last own entry.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func prepare() throws(VaultError) -> UInt64 {
        try vault.write { transaction in
            try transaction.tellNoteKeys()
            return try IndexState.fetch(transaction.database).sequence
        }
    }

    /// Returns own entries after a sequence number, with what belongs to them, in their order. What was thinned out is
    /// not told, nor is the thinning itself.
    ///
    /// - Parameter byteCountMax: bodies end before this, in bytes, unless the first alone is larger.
    /// - Throws: `VaultError.integrity` for a record that does not open.
    public func told(after sequence: UInt64, byteCountMax: Int = 7 << 20) throws(VaultError) -> ToldEntries {
        try vault.read { index in
            let last = try IndexState.fetch(index.database).sequence
            var told = ToldEntries()
            told.through = sequence
            var byteCount = 0
            while told.through < last {
                let first = Int64(clamping: told.through) + 1
                for entry in try index.entries(first...first + 99) {
                    let bodies = try index.told(entry)
                    let size = bodies.reduce(0) { $0 + $1.count }
                    guard told.bodies.isEmpty || byteCount + size <= byteCountMax else {
                        told.isAll = false
                        return told
                    }
                    told.bodies += bodies
                    byteCount += size
                    told.through = entry.sequence
                }
            }
            return told
        }
    }

    /// Tells everything that the vault holds, for a device that has nothing of it: entries of all devices, also of this
    /// one.
    ///
    /// - Parameters:
    ///   - byteCountMax: bytes of one part.
    ///   - body: gets part after part.
    /// - Throws: `VaultError.integrity`; what `body` throws.
    public func tellEverything(
        byteCountMax: Int = 7 << 20, _ body: ([[UInt8]]) throws(VaultError) -> Void
    ) throws(VaultError) {
        var walk = EntryWalk()
        var (part, byteCount): ([[UInt8]], Int) = ([], 0)
        while true {
            let (found, isOver) = try vault.read { index in
                let rows = try walk.next(index.database, limit: 100)
                return (try rows.compactMap { try index.body(of: $0.entry()) }, rows.isEmpty)
            }
            // Drops alone are not the end.
            let isEnd = found.isEmpty && isOver
            for bytes in found {
                if !part.isEmpty, byteCount + bytes.count > byteCountMax {
                    try body(part)
                    (part, byteCount) = ([], 0)
                }
                part.append(bytes)
                byteCount += bytes.count
            }
            if isEnd { break }
        }
        if !part.isEmpty { try body(part) }
    }
}

extension Devices {
    /// Returns the attachments whose objects are to be where an entry is told: those that its revision names and its
    /// parents do not, whose objects the device that told these has put there.
    ///
    /// - Parameter body: as a segment holds it.
    /// - Throws: `VaultError.integrity`.
    public func attachmentsFirstNamed(in body: [UInt8]) throws(VaultError) -> [AttachmentRecord] {
        guard let told = try? EntryBody(parsing: body), !told.attachments.isEmpty else { return [] }
        // Which ones a private revision names only its password tells.
        guard told.revision?.isPrivate == false else { return told.attachments }
        return try vault.read { index in
            let before = told.entry.parents.reduce(into: Set<AttachmentID>()) { found, parent in
                found.formUnion((try? index.revision(parent, of: told.entry.noteID))?.attachments ?? [])
            }
            return told.attachments.filter { !before.contains($0.id) }
        }
    }
}

extension IndexAccess {
    /// Returns an entry's body, and behind what changes a note's password those of all of the note's entries: they are
    /// sealed in another way from here on.
    func told(_ entry: Entry) throws -> [[UInt8]] {
        let changesKey =
            try entry.operation == .statement && entry.noteID != .none && statement(named: entry.revisionID) == nil
        // Of an earlier statement nothing is left to be said, nor of the records that it came with.
        guard try changesKey && toldKey(of: entry.noteID)?.statement == entry.revisionID else {
            return try body(of: entry).map { [$0] } ?? []
        }
        let all = try entries(of: entry.noteID)
        // Of those that say the same one brings the records along.
        let same = all.filter { $0.operation == .statement && $0.revisionID == entry.revisionID }
        let device = try IndexState.fetch(database).device
        guard (same.last { $0.device == device } ?? same.last) == entry else {
            return try body(of: entry).map { [$0] } ?? []
        }
        let others = all.filter { $0.operation != .statement }
        return try ([entry] + others).compactMap { one in try body(of: one) }
    }

    /// Returns an entry's body, with the record or the statement that belongs to it.
    ///
    /// - Returns: nil of what other devices are not told.
    fileprivate func body(of entry: Entry) throws -> [UInt8]? {
        guard entry.operation != .drop else { return nil }
        var body = EntryBody(entry: entry)
        if entry.operation == .statement {
            guard let statement = try statement(entry) else { return nil }
            body.statement = statement
        } else if entry.operation.makesRevision {
            try addRecord(to: &body)
        }
        return body.encoded
    }

    /// Returns what an entry says besides a revision. Of what opens a note only the newest statement still has a
    /// meaning.
    private func statement(_ entry: Entry) throws -> EntryStatement? {
        if let kept = try statement(named: entry.revisionID) { return kept }
        guard entry.noteID != .none, let told = try toldKey(of: entry.noteID), told.statement == entry.revisionID
        else { return nil }
        return .noteKey(NoteKeyStatement(keyID: told.keyID, slot: told.epoch == 0 ? nil : try keyslot(entry.noteID)))
    }

    private func addRecord(to body: inout EntryBody) throws {
        let (note, id) = (body.entry.noteID, body.entry.revisionID)
        let statement = try database.cachedStatement(
            "SELECT id, note, sealed, made FROM revision WHERE id = ? AND note = ?")
        guard let row = try statement.row([id.bytes.blob, note.bytes.blob]) else {
            return try addWaiting(to: &body)
        }
        let revision = try ArchiveRows.revision(row, layer)
        body.revision = revision
        guard revision.isPrivate else {
            // All of them: who has purged what this was made from has none of their records any more.
            body.attachments = try NoteRecord(parsing: revision.record).attachments
                .compactMap { try record(of: $0, note) }
            return
        }
        body.keyID = try keyID(of: keyslot(note), told: toldKey(of: note))
        // Which of them it names only its password tells.
        let rows = try Row.fetchAll(
            database, sql: "SELECT id FROM attachment WHERE note = ? ORDER BY id", arguments: [note.bytes.blob])
        body.attachments = try rows.compactMap { try record(of: AttachmentID($0.bytes("id")), note) }
    }

    /// Adds what waits here to an entry, as it came: without its record it would be dropped by a device that hears of
    /// it here first.
    private func addWaiting(to body: inout EntryBody) throws {
        guard try IndexState.fetch(database).schema >= Schema.firstWithDevices else { return }
        let row = try database.cachedStatement("SELECT body FROM waiting WHERE revision = ? AND note = ?")
            .row([body.entry.revisionID.bytes.blob, body.entry.noteID.bytes.blob])
        guard let waiting = try row.map({ try EntryBody(parsing: $0.bytes("body")) }) else { return }
        (body.revision, body.attachments, body.keyID) = (waiting.revision, waiting.attachments, waiting.keyID)
    }

    private func record(of id: AttachmentID, _ note: NoteID) throws -> AttachmentRecord? {
        let row = try database.cachedStatement(
            "SELECT id, note, object, sealed FROM attachment WHERE id = ? AND note = ?"
        )
        .row([id.bytes.blob, note.bytes.blob])
        return try row.map { try ArchiveRows.attachment($0, sealer) }
    }
}
