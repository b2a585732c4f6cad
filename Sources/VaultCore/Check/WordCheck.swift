// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText
internal import TextReading

/// A `WordCheck` compares the search table with the folded texts of some notes that follow each other: grams are looked
/// up for all of them at once, which is what the table is made for; each note takes part in three look-ups at least.
struct WordCheck {
    private struct Note {
        let row: Int64
        let text: [UInt8]
        /// Whether its words are known, so compared.
        let isKnown: Bool
        var lookedUp = 0
    }

    private var notes: [Note] = []
    private var byteCount = 0
    /// Rows up to here were looked at.
    private var last: Int64
    private static let byteCountMax = 4 << 20
    private static let lookUpsPerNote = 3

    /// Adds a note and the words that its row should have.
    ///
    /// - Parameter text: folded; nil for a note that has no words in the table.
    mutating func add(_ row: Int64, _ text: [UInt8]?) {
        notes.append(Note(row: row, text: text ?? [], isKnown: true))
        byteCount += text?.count ?? 0
    }

    /// Adds a note that cannot be read: nobody knows what words its row should have.
    mutating func pass(_ row: Int64) { notes.append(Note(row: row, text: [], isKnown: false)) }

    /// Begins behind a row.
    ///
    /// - Parameter row: the last of the notes before these; rows rise.
    init(after row: Int64) { last = row }

    /// Long texts are not kept until all notes are there.
    var isFull: Bool { byteCount > Self.byteCountMax }

    /// Compares the notes that were added since the last time.
    ///
    /// - Returns: rows of notes that lack words, or have words that are not theirs.
    mutating func wrongRows(_ database: Database) throws -> [Int64] {
        guard let end = notes.last?.row, end > last else { return [] }
        let rows = (last + 1)...end
        defer { (notes, byteCount, last) = ([], 0, end) }
        var wrong: Set<Int64> = []
        // Of one of them three characters too: a look-up that fits few notes each would take as long as all the rest.
        let sample = notes[notes.count / 2].text
        if let gram = Grams.needed(
            for: Array(sample.suffix(from: sample.count / 2).drop { $0 & 0xC0 == 0x80 }.prefix(24))
        ).first {
            try lookUp(gram, database, rows, &wrong)
        }
        for index in notes.indices {
            // Another place of the text each time, so that it is not the same few grams in every vault.
            for part in 0..<Self.lookUpsPerNote where notes[index].lookedUp <= part && !notes[index].text.isEmpty {
                let gram = Self.gram(notes[index].text, at: notes[index].text.count * part / Self.lookUpsPerNote)
                try lookUp(gram, database, rows, &wrong)
            }
        }
        return wrong.sorted()
    }

    private mutating func lookUp(
        _ gram: [UInt8], _ database: Database, _ rows: ClosedRange<Int64>, _ wrong: inout Set<Int64>
    ) throws {
        let statement = try database.cachedStatement(
            "SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?")
        let found = Set(
            try Int64.fetchAll(statement, arguments: [SearchTable.quoted(gram), rows.lowerBound, rows.upperBound]))
        let query = SearchQuery(needle: gram)
        var known = 0
        for index in notes.indices {
            let holds = query.map { TextMatch.match($0, title: notes[index].text, body: []) != nil } ?? false
            if holds { notes[index].lookedUp += 1 }
            let isFound = found.contains(notes[index].row)
            if isFound { known += 1 }
            if notes[index].isKnown, holds != isFound { wrong.insert(notes[index].row) }
        }
        // Words of a row that no note has.
        if known < found.count { wrong.formUnion(found.subtracting(notes.map(\.row))) }
    }

    /// Returns the character at a place of a text: most of the notes have it too, so that few look-ups do for all.
    private static func gram(_ text: [UInt8], at offset: Int) -> [UInt8] {
        var start = offset
        while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
        return Array(text[start..<(start + UTF8Decoding.scalar(in: text.span, at: start).byteCount)])
    }
}
