// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// An attachment has one home: the note that its row names. These functions bring it there when notes are joined, here
/// or on another device.
extension Transaction {
    /// Brings attachments that a revision names to its note, when notes were joined or that was undone: an attachment
    /// has one home.
    ///
    /// - Parameter isPurged: its home goes, and shows nothing any more.
    func rehome(_ ids: [AttachmentID], to note: NoteID, isPurged: Bool = false) throws {
        let statement = try database.cachedStatement("SELECT note FROM attachment WHERE id = ?")
        for id in ids {
            guard let row = try statement.row([id.bytes.blob]) else { throw VaultError(.integrity) }
            let home = try NoteID(try row.bytes("note"))
            guard home != note else { continue }
            // What another note shows now stays with it; the revision that is put back is refused rather than left
            // without it.
            for version in try isPurged || !isPresent(home) ? [] : [headID(of: home)] + otherHeadIDs(of: home) {
                // What does not open may show it.
                let record = try? revision(version, of: home)
                if record?.attachments.contains(id) ?? true { throw VaultError(.attachmentsChanged) }
            }
            var (record, _, epoch) = try stored(id, of: home)
            // Between keys a file must be written anew; only ordinary notes are ever joined.
            guard !record.isPrivate, try !isPrivate(note) else { throw VaultError(.isPrivate) }
            let thumbnail = try? thumbnail(id, of: home)
            record.noteID = note
            try insert(record, epoch: epoch)
            try database.cachedStatement("DELETE FROM thumbnail WHERE attachment = ?").execute(arguments: [
                id.bytes.blob
            ])
            if let thumbnail { try saveThumbnail(thumbnail, id, of: note) }
        }
    }

    /// Does the same where it can be done, for what another device has joined: what the old home still shows comes when
    /// that changes, or is purged.
    func bringHome(_ ids: [AttachmentID], to note: NoteID) throws {
        for id in ids {
            let row = try database.cachedStatement("SELECT note FROM attachment WHERE id = ?").row([id.bytes.blob])
            guard let home = try row?.bytes("note"), home != note.bytes else { continue }
            do { try rehome([id], to: note) } catch let error as VaultError {
                guard [.attachmentsChanged, .isPrivate, .integrity].contains(error.code) else { throw error }
                try want(id, in: note)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                try want(id, in: note)
            }
        }
    }

    private func want(_ id: AttachmentID, in note: NoteID) throws {
        // It is there from the first of them on. Spec: docs/format.md §13.
        try database.execute(
            sql: "CREATE TABLE IF NOT EXISTS wantedHome(attachment BLOB PRIMARY KEY, note BLOB NOT NULL) WITHOUT ROWID")
        try database.cachedStatement("INSERT OR REPLACE INTO wantedHome(attachment, note) VALUES(?, ?)")
            .execute(arguments: [id.bytes.blob, note.bytes.blob])
    }

    /// Brings attachments of a note to those that wanted them and could not have them yet.
    func settleHomes(of home: NoteID) throws {
        guard try database.tableExists("wantedHome") else { return }
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT wantedHome.attachment AS id, wantedHome.note AS note FROM wantedHome
                JOIN attachment ON attachment.id = wantedHome.attachment WHERE attachment.note = ?
                """, arguments: [home.bytes.blob])
        for row in rows {
            let (id, note) = (try AttachmentID(row.bytes("id")), try NoteID(row.bytes("note")))
            // What wanted it may be another version by now, or gone.
            guard let head = try? head(of: note), head.record.attachments.contains(id) else { continue }
            do { try rehome([id], to: note) } catch let error as VaultError {
                guard [.attachmentsChanged, .isPrivate, .integrity].contains(error.code) else { throw error }
                continue
            }
            try database.cachedStatement("DELETE FROM wantedHome WHERE attachment = ?").execute(arguments: [
                id.bytes.blob
            ])
        }
    }

    /// Does all of it for notes that other devices have changed, whichever of their versions is shown.
    ///
    /// - Parameter taken: records that came just now.
    func settleHomes(around notes: [NoteID], _ taken: [RevisionID: NoteRecord]) throws {
        // Most vaults have no files, and a clone has many notes.
        guard try database.cachedStatement("SELECT 1 FROM attachment LIMIT 1").row() != nil else { return }
        let areWanted = try database.tableExists("wantedHome")
        for note in notes {
            if areWanted { try settleHomes(of: note) }
            guard let head = try? headID(of: note), try !isPrivate(note) else { continue }
            for version in try [head] + otherHeadIDs(of: note) {
                guard let record = taken[version] ?? (try? revision(version, of: note)) else { continue }
                try bringHome(record.attachments, to: note)
            }
        }
    }

    /// Removes the attachments that no revision of their note has any more: all of those of a note that has gone. Where
    /// they are named besides is asked once for all of these notes.
    ///
    /// - Parameter shown: attachments that their homes showed until now.
    func removeAttachmentsLeft(of notes: [NoteID], shown: Set<AttachmentID> = []) throws {
        var left: [(home: NoteID, attachments: [(id: AttachmentID, object: [UInt8])])] = []
        for note in notes { left.append((note, try isPresent(note) ? unreferenced(of: note) : attachments(of: note))) }
        let named = namedElsewhere(Set(left.flatMap { $0.attachments.map(\.id) }), shown: shown)
        for (home, attachments) in left { try removeOrMove(attachments, of: home, named: named) }
    }

    /// Removes attachments of a note that no version of it has any more, but for those that another note names: devices
    /// join notes, and what one has moved may still lie here where it was. These go there.
    ///
    /// - Parameter named: where attachments are named besides.
    func removeOrMove(
        _ attachments: [(id: AttachmentID, object: [UInt8])], of home: NoteID, named: [AttachmentID: NoteID]
    ) throws {
        for (id, object) in attachments {
            // It may have gone in the same breath.
            if let note = named[id], try note != home && isPresent(note) {
                do {
                    try rehome([id], to: note, isPurged: true)
                    continue
                } catch let error as VaultError {
                    guard [.attachmentsChanged, .isPrivate, .integrity].contains(error.code) else { throw error }
                }
            }
            try removeAttachment(id.bytes, object: object)
        }
    }

    /// Returns where the attachments of notes that are about to be purged are named besides.
    func namedElsewhere(of notes: [NoteID]) throws -> [AttachmentID: NoteID] {
        let all = try notes.flatMap { try attachments(of: $0).map(\.id) }
        return all.isEmpty
            ? [:] : namedElsewhere(Set(all), shown: try notes.reduce(into: []) { $0.formUnion(try shown(by: $1)) })
    }

    /// Returns the attachments that a note shows, in one of its versions.
    func shown(by note: NoteID) throws -> Set<AttachmentID> {
        guard let head = try? headID(of: note) else { return [] }
        return try Set(
            ([head] + otherHeadIDs(of: note)).compactMap { try? revision($0, of: note) }.flatMap(\.attachments))
    }

    /// Returns which of some attachments an ordinary note names that is not their home, in one of its versions; none in
    /// a vault that has never heard of another device, where a join moves them at once. What cannot be read says
    /// nothing.
    ///
    /// - Parameter shown: those that their homes show. Another note names such a one only where that is written down.
    private func namedElsewhere(
        _ ids: Set<AttachmentID>, shown: Set<AttachmentID>
    ) -> [AttachmentID: NoteID] {
        (try? lookedFor(ids.filter { try !shown.contains($0) || isWanted($0) })) ?? [:]
    }

    private func isWanted(_ id: AttachmentID) throws -> Bool {
        guard try database.tableExists("wantedHome") else { return false }
        return try database.cachedStatement("SELECT 1 FROM wantedHome WHERE attachment = ?").row([id.bytes.blob]) != nil
    }

    private func lookedFor(_ ids: Set<AttachmentID>) throws -> [AttachmentID: NoteID] {
        guard !ids.isEmpty,
            try database.cachedStatement("SELECT 1 FROM entry WHERE device <> ? LIMIT 1").row([device.blob]) != nil
        else { return [:] }
        var (found, homes) = ([AttachmentID: NoteID](), [AttachmentID: [UInt8]]())
        for id in ids {
            homes[id] = try database.cachedStatement("SELECT note FROM attachment WHERE id = ?").row([id.bytes.blob])?
                .bytes("note")
        }
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT id, head FROM note WHERE features & ? UNION SELECT note, revision FROM otherHead",
            arguments: [NoteFeatures.attachment.rawValue])
        while let row = try rows.next() {
            let note = try NoteID(row.bytes("id"))
            guard try !isPrivate(note), let record = try? revision(RevisionID(row.bytes("head")), of: note) else {
                continue
            }
            for id in record.attachments where ids.contains(id) && homes[id] != note.bytes { found[id] = note }
        }
        return found
    }
}
