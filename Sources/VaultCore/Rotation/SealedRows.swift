// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// A `SealedRows` is one of the index's tables that hold sealed values. The cases are all of them, since what is
/// missing here would be lost with the old key.
///
/// Attachments' records are sealed anew together with their files.
enum SealedRows: UInt8, CaseIterable {
    case revisions = 0, noteKeys, drafts, thumbnails, attachments

    /// A `Value` says of one value where its row is, what it is, and in which of its places it may be.
    struct Value {
        let place: DatabaseValue
        let sealed: [UInt8]
        let layerPlaces: [VaultLayer.Place]
    }

    /// Returns the value after a place, in the table's own order; nil at the end.
    func value(_ database: Database, after place: DatabaseValue) throws -> Value? {
        guard let row = try database.cachedStatement(select).row([place, 1]) else { return nil }
        return Value(place: row["place"], sealed: try row.bytes("sealed"), layerPlaces: try layerPlaces(row))
    }

    /// Returns values after a place, for tests.
    func values(_ database: Database, after place: DatabaseValue, limit: Int) throws -> [Value] {
        let rows = try Row.fetchAll(database.cachedStatement(select), arguments: [place, limit])
        return try rows.map { row in
            Value(place: row["place"], sealed: try row.bytes("sealed"), layerPlaces: try layerPlaces(row))
        }
    }

    /// Removes thumbnails without their attachments: such a thumbnail belongs to nothing, and nobody could say what it
    /// is bound to.
    func removeOrphans(_ database: Database) throws {
        guard self == .thumbnails else { return }
        try database.execute(sql: "DELETE FROM thumbnail WHERE attachment NOT IN (SELECT id FROM attachment)")
    }

    func update(_ database: Database, _ value: Value, _ sealed: [UInt8]) throws {
        try database.cachedStatement(updating).execute(arguments: [sealed.blob, value.place])
    }

    /// A key before the first row.
    var begin: DatabaseValue { isByNumber ? Int64(Int64.min).databaseValue : [UInt8]().blob.databaseValue }

    /// Whether its rows have numbers, in whose order they lie.
    private var isByNumber: Bool { self != .noteKeys && self != .drafts }

    /// Returns the place of a row as it is kept between two unlocks.
    func encoded(_ place: DatabaseValue) -> [UInt8] {
        guard isByNumber else { return place.bytes }
        let number = UInt64(bitPattern: Int64.fromDatabaseValue(place) ?? Int64.min)
        return (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }

    func place(_ encoded: [UInt8]) -> DatabaseValue {
        guard isByNumber else { return encoded.blob.databaseValue }
        guard encoded.count == 8 else { return begin }
        return Int64(bitPattern: encoded.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }).databaseValue
    }

    private var select: String {
        switch self {
        case .revisions: "SELECT rowid AS place, id, note, sealed FROM revision WHERE rowid > ? ORDER BY rowid LIMIT ?"
        case .noteKeys: "SELECT note AS place, note, sealed FROM noteKey WHERE note > ? ORDER BY note LIMIT ?"
        case .drafts: "SELECT id AS place, id, wrapped AS sealed FROM draft WHERE id > ? ORDER BY id LIMIT ?"
        case .thumbnails:
            """
            SELECT thumbnail.rowid AS place, attachment.id AS id, attachment.note AS note, thumbnail.sealed AS sealed FROM thumbnail
            JOIN attachment ON attachment.id = thumbnail.attachment WHERE thumbnail.rowid > ? ORDER BY thumbnail.rowid LIMIT ?
            """
        case .attachments:
            "SELECT rowid AS place, id, note, sealed FROM attachment WHERE rowid > ? ORDER BY rowid LIMIT ?"
        }
    }

    private var updating: String {
        switch self {
        case .revisions: "UPDATE revision SET sealed = ? WHERE rowid = ?"
        case .noteKeys: "UPDATE noteKey SET sealed = ? WHERE note = ?"
        case .drafts: "UPDATE draft SET wrapped = ? WHERE id = ?"
        case .thumbnails: "UPDATE thumbnail SET sealed = ? WHERE rowid = ?"
        case .attachments: "UPDATE attachment SET sealed = ? WHERE rowid = ?"
        }
    }

    private func layerPlaces(_ row: Row) throws -> [VaultLayer.Place] {
        switch self {
        case .revisions:
            let (revision, note) = (try RevisionID(try row.bytes("id")), try NoteID(try row.bytes("note")))
            return [.record(revision, note), .privateRecord(revision, note)]
        case .noteKeys: return [.noteKeyslot(try NoteID(try row.bytes("note")))]
        case .drafts: return [.draftKey(try DraftID(try row.bytes("id")))]
        case .thumbnails: return [.thumbnail(try AttachmentID(try row.bytes("id")), try NoteID(try row.bytes("note")))]
        case .attachments:
            return [.attachmentRecord(try AttachmentID(try row.bytes("id")), try NoteID(try row.bytes("note")))]
        }
    }
}
