// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
public import VaultFormat

/// `Drafts` reads and changes drafts: rows of the index, each with the wrapped key of a journal in `drafts/`. Spec:
/// docs/format.md §13 and §17.
public struct Drafts {
    let vault: OpenVault

    private static let draftFolderName = "drafts"

    /// Milliseconds that a draft is kept after it was thrown away.
    public static let discardedMillisecondsMax: Int64 = 24 * 3600 * 1000

    /// Begins an edit: from here on what the editor saves outlives every crash.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func begin(_ start: DraftStart) throws(VaultError) -> DraftJournal {
        let id = try VaultError.translating { try DraftID(SecureRandom.bytes(DraftID.byteCount)) }
        let key = try VaultError.translating { try SymmetricKey(random: ()) }
        try vault.write { try $0.insertDraft(start, id, key) }
        return try DraftJournal(id, key: key, vaultID: vault.header.vaultID, folder: try draftFolder())
    }

    /// Begins an edit of a private note that is still to be made; its keyslot is there from now on, and it is unlocked.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func beginPrivate(_ given: DraftStart, _ protecting: NoteProtecting) throws(VaultError) -> DraftJournal {
        var start = given
        start.note = protecting.slot.noteID
        try vault.write { try $0.save(protecting.slot) }
        vault.records.keyring.insert(
            protecting.slot.noteID, protecting.opened.keys, showsTitle: protecting.opened.showsTitle)
        return try begin(start)
    }

    /// Returns all drafts without their texts, newest first. A row that cannot be read is left out: `check` tells of
    /// it.
    public func all() throws(VaultError) -> [Draft] {
        let rows = try vault.read { index in
            try SpareTable.draft.read(index.database) {
                try Row.fetchAll(index.database, sql: "SELECT * FROM \($0) ORDER BY created DESC")
            }
        }
        var drafts: [Draft] = []
        for row in rows { if let draft = try? draft(row) { drafts.append(draft) } }
        return drafts
    }

    /// Finds one draft, by the beginning of its identifier or of its note's.
    ///
    /// - Throws: `VaultError.noDraft`, `.ambiguousDraft`.
    public func find(_ reference: String) throws(VaultError) -> Draft {
        let wanted = reference.lowercased()
        let found =
            wanted.utf8.count < 2
            ? [] : try all().filter { $0.id.text.hasPrefix(wanted) || $0.start.note?.text.hasPrefix(wanted) == true }
        let live = found.filter { $0.discarded == nil }
        guard let first = live.first ?? found.first else { throw VaultError(.noDraft) }
        guard live.count <= 1, !live.isEmpty || found.count == 1 else { throw VaultError(.ambiguousDraft) }
        return first
    }

    /// Opens a draft's journal again.
    ///
    /// - Throws: `VaultError.noDraft`, `.integrity`.
    public func journal(of id: DraftID) throws(VaultError) -> DraftJournal {
        let key = try vault.read { index in
            guard
                let row = try SpareTable.draft.read(
                    index.database,
                    {
                        try Row.fetchOne(
                            index.database, sql: "SELECT wrapped, note FROM \($0) WHERE id = ?",
                            arguments: [id.bytes.blob])
                    })
            else {
                throw VaultError(.noDraft)
            }
            let note = try row.optionalBytes("note").map { try NoteID($0) }
            return try self.wrap(of: id).unwrap(
                try row.bytes("wrapped"), note: note, note.flatMap { index.records.keyring[$0]?.keys })
        }
        return try DraftJournal(id, key: key, vaultID: vault.header.vaultID, folder: try draftFolder())
    }

    /// Goes on with a draft in another folder.
    public func resume(_ id: DraftID, folder: String) throws(VaultError) -> DraftJournal {
        // What cannot be opened stays as it is.
        let journal = try journal(of: id)
        try vault.write { transaction in
            try transaction.database.execute(
                sql: "UPDATE draft SET discarded = NULL, folder = ? WHERE id = ?", arguments: [folder, id.bytes.blob])
        }
        return journal
    }

    /// Discards a draft; it can be restored for a day. A draft without text is removed at once.
    public func discard(_ id: DraftID) throws(VaultError) {
        // What is damaged is kept for a day too: a backup may have the file.
        let hasText = (try? journal(of: id)).map { $0.sequence > 0 } ?? true
        let note = try all().first { $0.id == id }?.start.note
        try vault.write { transaction in
            let sql =
                hasText
                ? "UPDATE draft SET discarded = ? WHERE id = ? AND discarded IS NULL"
                : "DELETE FROM draft WHERE ? > 0 AND id = ?"
            try transaction.database.execute(sql: sql, arguments: [Machine.now, id.bytes.blob])
        }
        settle(note)
    }

    /// Settles what came of a note while it was edited, and may have waited for that.
    func settle(_ note: NoteID?) { if let note { vault.devices.settle(note) } }

    /// Removes a draft at once: nobody wrote anything in it that is to be kept.
    public func forget(_ id: DraftID) throws(VaultError) {
        let note = try all().first { $0.id == id }?.start.note
        try vault.write { try $0.removeDraft(id) }
        settle(note)
        if !vault.isFrozen, let folder = vault.directory.existingFolder(Self.draftFolderName) { folder.remove(id.hex) }
    }

    /// Removes drafts that were thrown away more than a day ago, and journals that no row knows: unless an index that
    /// knows them may have been lost.
    public func sweep() throws(VaultError) {
        guard try vault.whyUnnamedFilesStay() == nil else { return }
        let old = Machine.now - Self.discardedMillisecondsMax
        let ended = try vault.read {
            try Row.fetchAll($0.database, sql: "SELECT note FROM draft WHERE discarded < ?", arguments: [old])
                .map { try $0.optionalBytes("note").map { try NoteID($0) } }
        }
        if !ended.isEmpty {
            try vault.write { transaction in
                try transaction.database.execute(sql: "DELETE FROM draft WHERE discarded < ?", arguments: [old])
                // The slot of a private note that was never made.
                try transaction.database.execute(
                    sql:
                        "DELETE FROM noteKey WHERE note NOT IN (SELECT note FROM revision) AND note NOT IN (SELECT note FROM draft WHERE note IS NOT NULL)"
                )
            }
            ended.forEach { settle($0) }
        }
        guard let folder = vault.directory.existingFolder(Self.draftFolderName) else { return }
        let known = Set(try all().map(\.id.hex))
        for name in try folder.names()
        where !known.contains(name) && !(name.hasSuffix(".new") && known.contains(String(name.dropLast(4)))) {
            folder.remove(name)
        }
    }

    private func draft(_ row: Row) throws(VaultError) -> Draft {
        try VaultError.translating {
            let id = try DraftID(try row.bytes("id"))
            var start = DraftStart()
            start.note = try row.optionalBytes("note").map { try NoteID($0) }
            start.base = try row.optionalBytes("base").map { try RevisionID($0) }
            let joins = try row.bytes("joins")
            start.joins = try stride(from: 0, to: joins.count, by: RevisionID.byteCount)
                .map { try RevisionID(Array(joins[$0..<min($0 + RevisionID.byteCount, joins.count)])) }
            start.title = row.optionalText("title")
            start.notebook = try row.text("notebook")
            start.tags = try row.text("tags").split(separator: "\n").map(String.init)
            start.isTemplate = try row.flag("flags")
            start.folder = try row.text("folder")
            var draft = Draft(id: id, start: start, created: try row.integer("created"), discarded: row["discarded"])
            let wrapped = try row.bytes("wrapped")
            draft.isPrivate = wrapped.count > DraftWrap.ordinaryByteCount
            if draft.isPrivate, let note = start.note, let noteKeys = vault.records.keyring[note]?.keys {
                let fields = try wrap(of: id).fields(wrapped, note: note, noteKeys)
                (draft.start.title, draft.start.notebook, draft.start.tags) = (
                    fields.title, fields.notebook, fields.tags
                )
            }
            return draft
        }
    }

    /// Returns a draft with what was saved last. One file that somebody changed must not keep the others, or the whole
    /// vault, from their owner.
    public func withText(_ draft: Draft) throws(VaultError) -> Draft {
        var draft = draft
        do throws(VaultError) { draft.text = try journal(of: draft.id).load() } catch {
            guard error.code != .noDraft else { throw error }
            if error.code == .noteLocked { draft.isLocked = true } else { draft.isDamaged = true }
        }
        return draft
    }

    private func draftFolder() throws(VaultError) -> VaultDirectory { try vault.directory.folder(Self.draftFolderName) }

    private func wrap(of id: DraftID) -> DraftWrap { DraftWrap(layer: vault.layer, id: id) }
}

extension IndexAccess {
    /// Returns the key of a private note; nil for an ordinary one, or for none.
    ///
    /// - Throws: `VaultError.noteLocked`.
    fileprivate func noteKeys(_ note: NoteID?) throws -> NoteKeys? {
        guard let note, try isPrivate(note) else { return nil }
        guard let keys = records.keyring[note]?.keys else { throw VaultError(.noteLocked) }
        records.keyring.markUsed(note)
        return keys
    }
}

extension Transaction {
    fileprivate func insertDraft(_ start: DraftStart, _ id: DraftID, _ key: SymmetricKey) throws {
        let noteKeys = try noteKeys(start.note)
        var fields = DraftFields()
        if noteKeys != nil { (fields.title, fields.notebook, fields.tags) = (start.title, start.notebook, start.tags) }
        let wrapped = try DraftWrap(layer: layer, id: id).wrap(key, note: start.note, noteKeys, fields: fields)
        // Of a private note nothing but which it is stands in the clear columns.
        let isPrivate = noteKeys != nil
        try database.execute(
            sql: "INSERT INTO draft VALUES(?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?)",
            arguments: [
                id.bytes.blob, wrapped.blob, start.note?.bytes.blob, start.base?.bytes.blob,
                start.joins.flatMap(\.bytes).blob, Machine.now,
                isPrivate ? nil : start.title, isPrivate ? "" : start.notebook,
                isPrivate ? "" : start.tags.joined(separator: "\n"),
                start.isTemplate, start.folder,
            ])
    }

    /// Removes the row of a draft, in the transaction that saves its text; the journal is removed after it.
    func removeDraft(_ id: DraftID) throws {
        try database.execute(sql: "DELETE FROM draft WHERE id = ?", arguments: [id.bytes.blob])
    }
}
