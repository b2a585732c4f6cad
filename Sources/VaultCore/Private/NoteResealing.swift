// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// These functions move a note's whole past from one key to another, within one transaction.
extension Transaction {
    /// Seals every revision and draft of a note anew, and puts its attachments' new records in place of the old.
    ///
    /// - Parameters:
    ///   - before: the note's key; nil when it is an ordinary note.
    ///   - after: the key to be; nil makes it an ordinary note. The row of its keyslot is the caller's to write.
    func reseal(
        _ note: NoteID, from before: NoteKeys?, to after: OpenedNoteKey?, _ attachments: [ResealedAttachment]
    ) throws {
        let head = try headID(of: note)
        let shownBefore = try projected(note, head)
        // A new password for the key that is there changes nothing but the slot, unless the title is to be shown or
        // hidden.
        let isSameKey = before != nil && before === after?.keys
        try resealRevisions(note, from: before, to: after)
        if !isSameKey {
            try rewrapDrafts(note, from: before, to: after?.keys)
            try replaceAttachments(note, attachments)
        }
        var state = try IndexState.fetch(database)
        try removeProjection(&state, shownBefore)
        try ProjectionTables.current.insert(database, &state, try projected(note, head), head: head)
        try state.save(database)
        if before == nil && after != nil { try database.execute(sql: "UPDATE state SET wordsLeft = wordsLeft + 1") }
    }

    fileprivate func resealRevisions(_ note: NoteID, from before: NoteKeys?, to after: OpenedNoteKey?) throws {
        let rows = try Row.fetchAll(
            database, sql: "SELECT id, sealed FROM revision WHERE note = ?", arguments: [note.bytes.blob])
        for row in rows {
            let revision = try RevisionID(try row.bytes("id"))
            let record: NoteRecord
            switch try records.openOuter(try row.bytes("sealed"), note: note, revision: revision) {
            case .plain(let plain): record = plain
            case .sealedInside(let outer):
                guard let before, before.epoch == outer.keyEpoch else { throw VaultError(.integrity) }
                record = try records.open(outer, before)
            }
            let sealed =
                try after.map {
                    try records.sealPrivate(record, revision: revision, keys: $0.keys, showsTitle: $0.showsTitle)
                }
                ?? records.seal(record, revision: revision)
            try database.cachedStatement("UPDATE revision SET sealed = ? WHERE id = ?").execute(arguments: [
                sealed.blob, revision.bytes.blob,
            ])
        }
    }

    fileprivate func rewrapDrafts(_ note: NoteID, from before: NoteKeys?, to after: NoteKeys?) throws {
        for row in try Row.fetchAll(database, sql: "SELECT * FROM draft WHERE note = ?", arguments: [note.bytes.blob]) {
            let id = try DraftID(try row.bytes("id"))
            let draft = DraftWrap(layer: layer, id: id)
            let key = try draft.unwrap(try row.bytes("wrapped"), note: note, before)
            var fields = DraftFields()
            if let before {
                fields = try draft.fields(try row.bytes("wrapped"), note: note, before)
            } else {
                fields.title = row.optionalText("title")
                fields.notebook = try row.text("notebook")
                fields.tags = try row.text("tags").split(separator: "\n").map(String.init)
            }
            // They stand in the clear columns, or under the note's key, never in both.
            let wrapped = try draft.wrap(key, note: note, after, fields: fields)
            let shown = after == nil ? fields : DraftFields()
            try database.execute(
                sql: "UPDATE draft SET wrapped = ?, title = ?, notebook = ?, tags = ? WHERE id = ?",
                arguments: [
                    wrapped.blob, shown.title, shown.notebook, shown.tags.joined(separator: "\n"), id.bytes.blob,
                ])
        }
    }
}
