// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText
internal import VaultFormat

/// `Projection` compares what the index says of a note with what its revision says.
enum Projection {
    /// Tells whether all that the index says of a note fits its revision.
    ///
    /// - Parameter text: of the same note.
    static func fits(_ database: Database, _ row: Row, _ shown: ProjectedNote, _ text: NoteText) throws -> Bool {
        let record = shown.record
        let fields: [Bool] = [
            try row.text("title") == text.title, try row.text("snippet") == text.snippet,
            try row.bytes("titleKey") == text.titleKey, try row.text("notebook") == record.notebook,
            try row.text("tags") == record.tags.joined(separator: "\n"), try row.integer("modified") == record.modified,
            try row.integer("created") == record.created, row.optionalText("source") == record.source,
            try row.integer("place") == NotePlace(record.flags).rawValue,
            try row.flag("pinned") == record.flags.contains(.pinned),
            try row.integer("features") == shown.features(NoteLinks(record)).rawValue,
            try row.count("byteCount") == record.body.utf8.count,
        ]
        return try fields.allSatisfy { $0 } && tagsFit(database, record) && linksFit(database, record)
            && textFits(database, row.integer("row"), shown, text)
            && BookRow.fits(database, row.integer("row"), record)
    }

    /// Tells whether the folded text is the note's; a private note has none.
    private static func textFits(_ database: Database, _ row: Int64, _ shown: ProjectedNote, _ text: NoteText) throws
        -> Bool
    {
        let folded = try database.cachedStatement("SELECT text FROM folded WHERE row = ?").row([row])
        return try shown.isPrivate ? folded == nil : folded.map { Array(try $0.text(at: 0).utf8) } == text.indexed
    }

    /// Tells whether the table of tags has the note's tags.
    private static func tagsFit(_ database: Database, _ record: NoteRecord) throws -> Bool {
        let statement = try database.cachedStatement("SELECT 1 FROM noteTag WHERE tag = ? AND note = ?")
        return try record.tags.allSatisfy {
            try statement.row([TagKey.bytes($0).blob, record.noteID.bytes.blob]) != nil
        }
    }

    /// Tells whether the table of links has the note's links.
    private static func linksFit(_ database: Database, _ record: NoteRecord) throws -> Bool {
        let statement = try database.cachedStatement("SELECT 1 FROM noteLink WHERE target = ? AND note = ?")
        return try NoteLinks(record).targets.allSatisfy {
            try statement.row([$0.blob, record.noteID.bytes.blob]) != nil
        }
    }
}
