// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
public import VaultFormat

/// This extension moves attachments: to another key, to another note, away.
extension Attachments {
    /// Checks that the files are in place before rows name them: a sync program may have taken one away since it was
    /// written.
    ///
    /// - Throws: `VaultError.objectGone`.
    func requireInPlace(_ files: [NewObject]) throws(VaultError) {
        guard files.allSatisfy({ vault.objects.contains($0.object) }) else { throw VaultError(.objectGone) }
    }

    /// Checks the same after rows name the files: attachments that are not acknowledged are removed from the note, so
    /// that they are not found missing later.
    func requireInPlace(_ files: [NewObject], else added: [Attachment], from note: NoteID) throws(VaultError) {
        do throws(VaultError) { try requireInPlace(files) } catch {
            _ = try? remove(added.map(\.id), from: note)
            throw error
        }
    }

    /// Returns all attachments that any revision of a note has, not only those of the one that is shown.
    ///
    /// - Throws: `VaultError.noteLocked`, `.integrity`.
    public func ofAllRevisions(of note: NoteID) throws(VaultError) -> [Attachment] {
        try vault.read { index in
            try Row.fetchAll(
                index.database, sql: "SELECT id FROM attachment WHERE note = ? ORDER BY rowid",
                arguments: [note.bytes.blob]
            )
            .map { try index.attachment(AttachmentID(try $0.bytes("id")), of: note) }
        }
    }

    private static let pendingObjects = """
        SELECT object, EXISTS(SELECT 1 FROM attachment WHERE attachment.object = pendingUnlink.object) AS isNamed
        FROM pendingUnlink LIMIT ?
        """

    /// Removes some of the files that no row names any longer: after the transaction that said so, and again after a
    /// crash.
    ///
    /// - Returns: whether there are more.
    @discardableResult
    public func removePending(limit: Int = 100) throws(VaultError) -> Bool {
        let pending = try vault.read { index in
            try Row.fetchAll(index.database, sql: Self.pendingObjects, arguments: [limit]).map {
                (object: try $0.bytes("object"), isNamed: try $0.integer("isNamed") != 0)
            }
        }
        guard !pending.isEmpty, !vault.isReadOnly, !vault.isFrozen else { return false }
        // One that is being written is not done with; one that could not be removed is tried again.
        let gone = pending.filter { bytes, isNamed in
            // Whatever put it on the list: an attachment's only file is not removed, its row here is.
            guard !isNamed, let object = try? ObjectName(bytes) else { return true }
            return !vault.unfinished.contains(object) && vault.objects.remove(object)
        }
        guard !gone.isEmpty else { return false }
        try vault.write { transaction in
            for (bytes, _) in gone {
                try transaction.database.execute(
                    sql: "DELETE FROM pendingUnlink WHERE object = ?", arguments: [bytes.blob])
            }
        }
        return pending.count == limit
    }
}

extension Transaction {
    /// Puts attachments' new records in place of the old; the old files are removed after the transaction.
    func replaceAttachments(_ note: NoteID, _ resealed: [ResealedAttachment]) throws {
        let rows = try Row.fetchAll(
            database, sql: "SELECT id, object FROM attachment WHERE note = ?", arguments: [note.bytes.blob])
        guard Set(try rows.map { try $0.bytes("id") }) == Set(resealed.map(\.id.bytes)) else {
            throw VaultError(.attachmentsChanged)
        }
        try leaveObjects(of: note)
        for row in rows { try unlinkLater(try row.bytes("object")) }
        for new in resealed {
            // A name or caption that was changed meanwhile must not be lost.
            guard new.epoch == layer.epoch, try stored(new.id, of: note).record == new.replaced else {
                throw VaultError(.attachmentsChanged)
            }
            try insert(new.record, epoch: new.epoch)
            try database.cachedStatement("DELETE FROM pendingUnlink WHERE object = ?").execute(arguments: [
                new.record.object.bytes.blob
            ])
            try database.cachedStatement("DELETE FROM thumbnail WHERE attachment = ?").execute(arguments: [
                new.id.bytes.blob
            ])
        }
    }

    /// Takes all attachments of a note away with it.
    ///
    /// - Parameter named: where they are named besides.
    func removeAttachments(of note: NoteID, named: [AttachmentID: NoteID]) throws {
        try removeOrMove(attachments(of: note), of: note, named: named)
    }

    /// Returns the attachments whose home a note is.
    func attachments(of note: NoteID) throws -> [(id: AttachmentID, object: [UInt8])] {
        try Row.fetchAll(
            database, sql: "SELECT id, object FROM attachment WHERE note = ?", arguments: [note.bytes.blob]
        ).map { (try AttachmentID($0.bytes("id")), try $0.bytes("object")) }
    }

    /// Returns the attachments that no revision of a note has any more; none when the note is locked or a revision does
    /// not open, since nobody can tell then.
    func unreferenced(of note: NoteID) throws -> [(id: AttachmentID, object: [UInt8])] {
        let all = try attachments(of: note)
        guard !all.isEmpty else { return [] }
        var named: Set<AttachmentID> = []
        for row in try Row.fetchAll(
            database, sql: "SELECT id, sealed FROM revision WHERE note = ?", arguments: [note.bytes.blob])
        {
            // What a revision that does not open has hung on it nobody can tell either.
            guard
                let opened = try? records.openOuter(
                    try row.bytes("sealed"), note: note, revision: RevisionID(try row.bytes("id")))
            else { return [] }
            guard case .sealedInside(let outer) = opened else {
                named.formUnion(opened.face.attachments)
                continue
            }
            guard let keys = records.keyring[note]?.keys, let inner = try? records.open(outer, keys) else { return [] }
            named.formUnion(inner.attachments)
        }
        return all.filter { !named.contains($0.id) }
    }

    func removeAttachment(_ id: [UInt8], object: [UInt8]) throws {
        try unlinkLater(object)
        try database.cachedStatement("DELETE FROM thumbnail WHERE attachment = ?").execute(arguments: [id.blob])
        try database.cachedStatement("DELETE FROM attachment WHERE id = ?").execute(arguments: [id.blob])
    }

    func unlinkLater(_ object: [UInt8]) throws {
        try database.cachedStatement("INSERT OR IGNORE INTO pendingUnlink VALUES(?, ?)").execute(arguments: [
            object.blob, Machine.now,
        ])
    }

    /// Renames attachments that are about to come to a note which has others of their names.
    func giveUnusedNames(_ brought: [AttachmentID], from home: NoteID, besides present: [AttachmentID], of note: NoteID)
        throws
    {
        var taken = Set(try present.map { TagKey.bytes(try attachment($0, of: note).name) })
        for id in brought {
            let (stored, noteKeys, _) = try stored(id, of: home)
            var details = try sealer.details(of: stored, noteKeys)
            let name = AttachmentName.unused(details.name, among: taken)
            taken.insert(TagKey.bytes(name))
            guard name != details.name else { continue }
            details.name = name
            var record = stored
            record.details = try sealer.details(details, id, note: home, record.isPrivate ? noteKeys : nil)
            try database.cachedStatement("UPDATE attachment SET sealed = ? WHERE id = ?").execute(arguments: [
                try sealer.seal(record).blob, id.bytes.blob,
            ])
        }
    }
}
