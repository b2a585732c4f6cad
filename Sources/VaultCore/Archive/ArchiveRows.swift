// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// `ArchiveRows` makes items of an archive from an index's rows, with the vault's layer taken off.
///
/// All throw `VaultError.integrity` for what does not open.
enum ArchiveRows {
    static func keyslot(_ row: Row, _ layer: VaultLayer) throws -> NoteKeyslot {
        let note = try NoteID(try row.bytes("note"))
        guard let padded = layer.open(try row.bytes("sealed"), .noteKeyslot(note)),
            let content = try? Padme.unpad(padded),
            let slot = try? NoteKeyslot(parsing: content), slot.noteID == note
        else { throw VaultError(.integrity) }
        return slot
    }

    static func revision(_ row: Row, _ layer: VaultLayer) throws -> ArchivedRevision {
        let id = try RevisionID(try row.bytes("id"))
        let note = try NoteID(try row.bytes("note"))
        let (record, isPrivate): ([UInt8], Bool)
        switch try RecordSealer(layer).openOuter(try row.bytes("sealed"), note: note, revision: id) {
        case .plain(let plain): (record, isPrivate) = (plain.encoded, false)
        case .sealedInside(let outer): (record, isPrivate) = (outer.encoded, true)
        }
        return ArchivedRevision(
            id: id, noteID: note, made: try row.integer("made"), isPrivate: isPrivate, record: record)
    }

    static func attachment(_ row: Row, _ sealer: AttachmentSealer) throws -> AttachmentRecord {
        let record = try sealer.open(
            try row.bytes("sealed"), AttachmentID(try row.bytes("id")), note: NoteID(try row.bytes("note")))
        guard record.object.bytes == (try row.bytes("object")) else { throw VaultError(.integrity) }
        return record
    }

    static func change(_ row: Row) throws -> ArchivedChange {
        ArchivedChange(
            id: try row.integer("id"), command: try row.integer("command"), kind: try row.text("kind"),
            made: try row.integer("made"),
            first: try row.integer("first"), last: try row.integer("last"))
    }
}
