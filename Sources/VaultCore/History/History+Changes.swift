// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// This extension finds which notes changed since somebody looked. Own entries and notes that other devices have
/// changed are counted together, in the order in which they were recorded here.
extension History {
    /// Returns the notes that changed, each once, in the order of their first change.
    ///
    /// - Parameters:
    ///   - position: how many changes are known already.
    ///   - limit: changes that are looked at.
    /// - Returns: the notes, and how many changes are known then.
    /// - Throws: `VaultError.integrity`; `.system`, `.saveFailed` when the index cannot be read.
    public func changes(after position: UInt64, limit: Int) throws(VaultError) -> (notes: [NoteID], position: UInt64) {
        try vault.read { index in
            let last = try index.changePosition()
            guard position < last, let start = Int64(exactly: position), let limit = Int64(exactly: limit) else {
                return ([], last)
            }
            let end = min(Int64(clamping: last), start.addingReportingOverflow(limit).partialValue)
            var seen: Set<NoteID> = []
            let notes = try index.changedNotes(start, end).filter { seen.insert($0).inserted }
            return (notes, UInt64(end))
        }
    }
}

extension IndexAccess {
    /// Counts own entries and arrivals so far.
    func changePosition() throws -> UInt64 {
        try IndexState.fetch(database).sequence + UInt64(clamping: arrivalNumber(at: .max))
    }

    /// Counts the arrivals that lie at a position or before it.
    private func arrivalNumber(at position: Int64) throws -> Int64 {
        guard try IndexState.fetch(database).schema >= Schema.firstWithDevices else { return 0 }
        return try database.cachedStatement(
            "SELECT number FROM arrival WHERE position <= ? ORDER BY position DESC LIMIT 1"
        ).row([position])?.integer("number") ?? 0
    }

    fileprivate func changedNotes(_ start: Int64, _ end: Int64) throws -> [NoteID] {
        let (before, until) = (try arrivalNumber(at: start), try arrivalNumber(at: end))
        var arrivals: [Int64: NoteID] = [:]
        if until > before {
            let statement = try database.cachedStatement(
                "SELECT position, note FROM arrival WHERE position > ? AND position <= ?")
            for row in try Row.fetchAll(statement, arguments: [start, end]) {
                arrivals[try row.integer("position")] = try NoteID(row.bytes("note"))
            }
        }
        let (first, last) = (start - before + 1, end - until)
        var own = first <= last ? try entries(first...last)[...] : []
        var notes: [NoteID] = []
        for position in (start + 1)...max(start + 1, end) {
            if let note = arrivals[position] {
                notes.append(note)
            } else if let entry = own.popFirst(), entry.operation != .drop, entry.noteID != .none {
                // A revision that was thinned out leaves its note as it is, and a device's name is of no note.
                notes.append(entry.noteID)
            }
        }
        return notes
    }
}

extension Transaction {
    /// Arrivals that are remembered: a reader that looks more rarely reads everything.
    private static var arrivalCountMax: Int64 { 100_000 }

    /// Tells those who watch that other devices have changed notes. Once a transaction: finding the last number reads
    /// all that are remembered.
    func tellArrivals(of notes: [NoteID]) throws {
        guard !notes.isEmpty else { return }
        let ownSequence = Int64(clamping: try IndexState.fetch(database).sequence)
        var number =
            try database.cachedStatement("SELECT coalesce(max(number), 0) AS last FROM arrival").row()?
            .integer("last") ?? 0
        for note in notes {
            number += 1
            try database.cachedStatement("INSERT INTO arrival(position, number, note) VALUES(?, ?, ?)")
                .execute(arguments: [ownSequence + number, number, note.bytes.blob])
        }
        try database.cachedStatement("DELETE FROM arrival WHERE number <= ?").execute(arguments: [
            number - Self.arrivalCountMax
        ])
    }
}
