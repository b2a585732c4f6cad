// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText
internal import VaultFormat

/// Compares what the index says of a note with what its revision says.
enum Projection {
    static func fits(_ database: Database, _ row: Row, _ shown: ProjectedNote) throws -> Bool {
        let record = shown.record
        let text = NoteText(record)
        let fields: [Bool] = [
            try row.text("title") == text.title, try row.text("snippet") == text.snippet,
            try row.bytes("titleKey") == text.titleKey, try row.text("notebook") == record.notebook,
            try row.text("tags") == record.tags.joined(separator: "\n"), try row.integer("modified") == record.modified,
            try row.integer("created") == record.created, row.optionalText("source") == record.source,
            try row.integer("place") == NotePlace(record.flags).rawValue, try row.flag("pinned") == record.flags.contains(.pinned),
            try row.integer("features") == shown.features(NoteLinks(record)).rawValue, try row.count("byteCount") == record.body.utf8.count,
        ]
        return try fields.allSatisfy { $0 } && tagsFit(database, record) && linksFit(database, record)
    }

    /// Whether the table of tags has the note's.
    private static func tagsFit(_ database: Database, _ record: NoteRecord) throws -> Bool {
        let statement = try database.cachedStatement("SELECT 1 FROM noteTag WHERE tag = ? AND note = ?")
        return try record.tags.allSatisfy { try statement.row([TagKey.bytes($0).blob, record.noteID.bytes.blob]) != nil }
    }

    /// Whether the table of links has the note's.
    private static func linksFit(_ database: Database, _ record: NoteRecord) throws -> Bool {
        let statement = try database.cachedStatement("SELECT 1 FROM noteLink WHERE target = ? AND note = ?")
        return try NoteLinks(record).targets.allSatisfy { try statement.row([$0.blob, record.noteID.bytes.blob]) != nil }
    }

    /// Looks a few of the note's grams up: the first, one from the middle and the last.
    static func wordsArePresent(_ database: Database, _ row: Int64, _ record: NoteRecord) throws -> Bool {
        let text = NoteText(record).indexed
        let statement = try database.cachedStatement("SELECT 1 FROM search WHERE search MATCH ? AND rowid = ?")
        for begin in [0, text.count / 2, max(text.count - 12, 0)] {
            guard let gram = Grams.needed(for: whole(text, from: begin)).first else { continue }
            let quoted = "\"" + String(decoding: gram, as: UTF8.self).replacing("\"", with: "\"\"") + "\""
            guard try statement.row([quoted, row]) != nil else { return false }
        }
        return true
    }

    /// A few whole characters from an offset on.
    private static func whole(_ text: [UInt8], from begin: Int) -> [UInt8] {
        let tail = text[begin...].drop { $0 & 0xC0 == 0x80 }
        let scalars = String(decoding: tail.prefix(24), as: UTF8.self).unicodeScalars.prefix(3)
        return Array(String(String.UnicodeScalarView(scalars)).utf8)
    }
}
