// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// `RestoredRows` seals an archive's items as rows of a new index.
struct RestoredRows {
    private let layer: VaultLayer
    private let records: RecordSealer
    private let directory: VaultDirectory
    private let vaultID: VaultID
    /// Of private notes, as their keyslots say.
    private let keyEpochs: [NoteID: UInt32]

    init(
        _ layer: VaultLayer, _ records: RecordSealer, _ directory: VaultDirectory, vaultID: VaultID,
        keyEpochs: [NoteID: UInt32]
    ) {
        self.layer = layer
        self.records = records
        self.directory = directory
        self.vaultID = vaultID
        self.keyEpochs = keyEpochs
    }

    func insert(_ database: Database, _ item: ArchiveItem) throws {
        switch item {
        case .entry(let entry):
            try database.cachedStatement("INSERT INTO entry(device, sequence, bytes) VALUES(?, ?, ?)")
                .execute(arguments: [entry.device.blob, Int64(clamping: entry.sequence), entry.encoded.blob])
        case .noteKeyslot(let slot):
            let sealed = try layer.seal(Padme.pad(slot.encoded), .noteKeyslot(slot.noteID))
            try database.cachedStatement("INSERT INTO noteKey(note, sealed) VALUES(?, ?)").execute(arguments: [
                slot.noteID.bytes.blob, sealed.blob,
            ])
        case .revision(let revision):
            try database.cachedStatement("INSERT INTO revision(id, note, sealed, made) VALUES(?, ?, ?, ?)")
                .execute(arguments: [
                    revision.id.bytes.blob, revision.noteID.bytes.blob, try sealed(revision).blob, revision.made,
                ])
        case .draft(let draft): try insert(database, draft)
        case .change(let change):
            try database.cachedStatement(
                "INSERT INTO change(id, command, kind, made, first, last) VALUES(?, ?, ?, ?, ?, ?)"
            )
            .execute(arguments: [change.id, change.command, change.kind, change.made, change.first, change.last])
        case .vault, .attachment, .end: throw VaultError(.integrity)
        }
    }

    /// Seals a revision: what an archive says of it must be what stands in it, as for an index's rows.
    private func sealed(_ revision: ArchivedRevision) throws -> [UInt8] {
        if revision.isPrivate {
            // Under another key epoch than its keyslot's nobody could open it.
            guard let outer = try? PrivateRecord(parsing: revision.record), outer.noteID == revision.noteID,
                outer.keyEpoch == keyEpochs[revision.noteID]
            else { throw VaultError(.integrity) }
            return try records.seal(outer, revision: revision.id)
        }
        guard let record = try? NoteRecord(parsing: revision.record), record.noteID == revision.noteID else {
            throw VaultError(.integrity)
        }
        return try records.seal(record, revision: revision.id)
    }

    /// Inserts a draft: an ordinary draft gets a new key, a private one keeps what its note's password protects.
    private func insert(_ database: Database, _ draft: ArchivedDraft) throws {
        guard draft.tags.utf8.count(where: { $0 == 0x0A }) < NoteRecord.tagCountMax else {
            throw VaultError(.integrity)
        }
        let wrapped: [UInt8]
        switch draft.content {
        case .text(let text):
            let key = try SymmetricKey(random: ())
            wrapped = try layer.seal(key, .draftKey(draft.id))
            if let text {
                try DraftJournal(draft.id, key: key, vaultID: vaultID, folder: folder()).putBack(
                    DraftText(parsing: text))
            }
        case .sealedInside(let inner, let journal):
            _ = try DraftWrap.parts(of: inner)
            wrapped = try layer.seal(inner, .draftKey(draft.id))
            if let journal { try folder().replace(draft.id.hex, with: journal) }
        }
        try database.execute(
            sql: "INSERT INTO draft VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')",
            arguments: [
                draft.id.bytes.blob, wrapped.blob, draft.note?.bytes.blob, draft.base?.bytes.blob,
                draft.joins.flatMap(\.bytes).blob, draft.created,
                draft.discarded, draft.title, draft.notebook, draft.tags, draft.isTemplate,
            ])
    }

    private func folder() throws(VaultError) -> VaultDirectory { try directory.folder("drafts") }
}
