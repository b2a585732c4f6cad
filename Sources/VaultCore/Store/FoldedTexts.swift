// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB

/// Reads notes' folded texts, without a copy. A value lives within one access to the database.
final class FoldedTexts {
    private let reader: RowReader

    init(_ database: Database) throws { reader = try RowReader(database, "SELECT text FROM folded WHERE row = ?") }

    /// - Parameter body: is given the folded title and the folded body. Layout: docs/format.md §13.
    /// - Returns: nil for a note without one: a private one, or one that is gone.
    func withText<Result>(of row: Int64, _ body: (_ title: Span<UInt8>, _ body: Span<UInt8>) throws -> Result) throws -> Result? {
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
