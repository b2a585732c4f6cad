// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB

/// Reads notes' folded texts, without a copy. A value lives within one access to the database.
final class FoldedTexts {
    private let reader: RowReader

    init(_ database: Database) throws { reader = try RowReader(database, "SELECT text FROM folded WHERE row = ?") }

    /// Gives the folded texts of a row.
    ///
    /// - Parameter body: is given the folded title and the folded body. Layout: docs/format.md §13.
    /// - Returns: nil for a note without one: a private one, or one that is gone.
    func withText<Result>(of row: Int64, _ body: (_ title: Span<UInt8>, _ body: Span<UInt8>) throws -> Result) throws
        -> Result?
    {
        try reader.begin([.integer(row)])
        guard try reader.next() else { return nil }
        return try reader.withText(0) { try Self.withParts($0, body) }
    }

    static func withParts<Result>(
        _ text: Span<UInt8>, _ body: (_ title: Span<UInt8>, _ body: Span<UInt8>) throws -> Result
    ) rethrows -> Result {
        var end = 0
        while end < text.count, text[end] != 0x0A { end += 1 }
        return try body(text.extracting(..<end), text.extracting(min(end + 1, text.count)...))
    }
}

extension IndexAccess {
    /// Returns the private notes that are unlocked, by their rows in the lists.
    func unlockedByRow() throws -> [Int64: UnlockedNote] {
        Dictionary(try unlockedNotes().map { ($0.row, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Gives the folded texts of a note of a list.
    ///
    /// - Returns: nil for a locked note, of which no words are known, and for one that was changed or removed since the
    ///   list had it.
    /// - Throws: `VaultError.integrity` for an ordinary note without a text: it would be in no list and no export, and
    ///   nobody would know.
    func withFolded<Result>(
        _ note: NoteFields, _ unlocked: UnlockedNote?, _ texts: FoldedTexts,
        _ body: (_ title: Span<UInt8>, _ body: Span<UInt8>) throws -> Result
    ) throws -> Result? {
        if let unlocked { return try FoldedTexts.withParts(NoteText(unlocked.record).indexed.span, body) }
        guard !note.features.contains(.isPrivate) else { return nil }
        if let result = try texts.withText(of: note.row, body) { return result }
        try expectNoText(note.row)
        return nil
    }

    /// Checks that a row may have no text: its note is gone, or private by now.
    ///
    /// - Throws: `VaultError.integrity` for an ordinary note: one of list and text is not of this moment.
    func expectNoText(_ row: Int64) throws {
        let found = try database.cachedStatement("SELECT features FROM note WHERE row = ?").row([row])
        if let found, try !NoteFeatures(rawValue: found.integer(at: 0)).contains(.isPrivate) {
            throw VaultError(.integrity)
        }
    }
}
