// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// `ArchivedDrafts` reads unfinished edits for an archive. An ordinary one leaves its key behind and brings its text;
/// of a private one both stay sealed.
struct ArchivedDrafts {
    private let index: FrozenIndex
    private let file: (DraftID) throws -> [UInt8]?

    /// Prepares to read drafts.
    ///
    /// - Parameter file: gives a draft's file, nil when it has none; without it they lie in the vault's folder.
    init(_ index: FrozenIndex, file: ((DraftID) throws -> [UInt8]?)? = nil) {
        self.index = index
        let directory = index.directory
        // Opened for each: a folder that cannot be opened now is not one without drafts.
        self.file =
            file ?? {
                try directory.folderIfThere("drafts")?.read($0.hex, byteCountMax: ArchivedDraft.journalByteCountMax)
            }
    }

    func draft(_ row: Row) throws -> ArchivedDraft {
        let id = try DraftID(try row.bytes("id"))
        var draft = ArchivedDraft(
            id: id, created: try row.integer("created"), content: try content(id, try row.bytes("wrapped")))
        draft.note = try row.optionalBytes("note").map { try NoteID($0) }
        draft.base = try row.optionalBytes("base").map { try RevisionID($0) }
        let joins = try row.bytes("joins")
        draft.joins = try stride(from: 0, to: joins.count, by: RevisionID.byteCount)
            .map { try RevisionID(Array(joins[$0..<min($0 + RevisionID.byteCount, joins.count)])) }
        draft.discarded = row["discarded"]
        draft.isTemplate = try row.flag("flags")
        draft.title = row.optionalText("title")
        draft.notebook = try row.text("notebook")
        draft.tags = try row.text("tags")
        return draft
    }

    private func content(_ id: DraftID, _ wrapped: [UInt8]) throws -> ArchivedDraft.Content {
        try Self.content(id, wrapped, file: file(id), index.layer, index.header.vaultID)
    }

    /// Makes the content of an archived draft from its wrapped key and its file.
    ///
    /// - Throws: `VaultError.integrity` for what does not open.
    static func content(
        _ id: DraftID, _ wrapped: [UInt8], file: [UInt8]?, _ layer: VaultLayer, _ vaultID: VaultID
    ) throws(VaultError) -> ArchivedDraft.Content {
        guard wrapped.count <= DraftWrap.ordinaryByteCount else {
            guard let pair = layer.open(wrapped, .draftKey(id)) else { throw VaultError(.integrity) }
            return .sealedInside(wrapped: pair, journal: file)
        }
        guard let key = layer.openKey(wrapped, .draftKey(id)) else { throw VaultError(.integrity) }
        guard let file else { return .text(nil) }
        let context = DraftJournal.context(id, vaultID)
        guard let padded = try? Cobblestone().open(file, key: key, context: context),
            let text = try? Padme.unpad(padded),
            (try? DraftText(parsing: text)) != nil
        else { throw VaultError(.integrity) }
        return .text(text)
    }
}
