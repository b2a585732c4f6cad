// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import GRDBSQLite
internal import SearchText

/// A `SearchTable` makes what the search table is asked for: notes that have some grams. Which of them hold the words
/// is for their texts to say.
enum SearchTable {
    /// Most grams that are asked for. Each is a list of as many rows as notes have it: the rarest few let through
    /// hardly more than all would.
    private static let gramCountMax = 8
    /// Fewer need not be counted.
    private static let countedMin = 17
    private static let sampledMax = 32
    /// The newest notes, in which grams are counted.
    private static let sampleRows: Int64 = 300

    /// Returns the expression for notes that may hold each word of an alternative; nil when it has none that must be
    /// there.
    ///
    /// - Parameter share: among how many alternatives the look-ups are shared.
    static func expression(_ alternative: FilterPlan.Alternative, share: Int, _ database: Database) throws -> String? {
        let terms = alternative.words.filter { !$0.isNegated }.map { $0.needles.flatMap(\.query.needles) }
        let single = terms.filter { $0.count == 1 }.flatMap { $0 }
        let either = terms.filter { $0.count > 1 }.map { needles in
            "(" + needles.map { all(Array(Grams.needed(for: $0).prefix(gramCountMax))) }.joined(separator: " OR ") + ")"
        }
        let grams = single.isEmpty ? [] : [try expression(single, share: share, database)]
        let parts = grams + either
        return parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }

    /// Returns the expression for notes that may hold all of some words.
    static func expression(_ needles: [[UInt8]], share: Int = 1, _ database: Database) throws -> String {
        let grams = Grams.needed(forAll: needles)
        let most = max(gramCountMax / share, 2)
        return all(grams.count < countedMin / share ? grams : try rarest(grams, most, database))
    }

    private static func rarest(_ grams: [[UInt8]], _ most: Int, _ database: Database) throws -> [[UInt8]] {
        let sampled =
            grams.count <= sampledMax
            ? grams : (0..<sampledMax).map { grams[$0 * (grams.count - 1) / (sampledMax - 1)] }
        // A damaged table may have any number as a row.
        let newest = try database.cachedStatement("SELECT max(row) FROM note").row()?.integer(at: 0) ?? 0
        let statement = try database.cachedStatement("SELECT count(*) FROM search WHERE search MATCH ? AND rowid > ?")
        let counted = try sampled.map { gram in
            (gram, try statement.row([quoted(gram), max(newest, sampleRows) - sampleRows])?.integer(at: 0) ?? 0)
        }
        return counted.sorted { $0.1 < $1.1 }.prefix(most).map(\.0)
    }

    private static func all(_ grams: [[UInt8]]) -> String { "(" + grams.map(quoted).joined(separator: " AND ") + ")" }

    static func quoted(_ gram: [UInt8]) -> String {
        "\"" + String(decoding: gram, as: UTF8.self).replacing("\"", with: "\"\"") + "\""
    }
}

/// A `GramTokenizer` is FTS5's tokenizer for our index: a document gives each of its distinct 1-, 2- and 3-grams once,
/// a query term is one gram as it stands.
///
/// The text is folded already: the same bytes must come again when a document's words are deleted.
@safe final class GramTokenizer: FTS5CustomTokenizer {
    static let name = "grams"
    private var grams = Grams()

    init(db: Database, arguments: [String]) throws {}

    func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization, pText: UnsafePointer<CChar>?, nText: CInt,
        tokenCallback: @escaping FTS5TokenCallback
    ) -> CInt {
        guard let text = unsafe pText, nText > 0 else { return SQLITE_OK }
        if tokenization.contains(.query) { return unsafe tokenCallback(context, 0, text, nText, 0, nText) }
        // The note may be locked later: nothing of it stays here.
        defer { grams.forget() }
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(nText))
        var result = SQLITE_OK
        unsafe grams.forEach(in: Array(bytes)) { offset, count in
            guard result == SQLITE_OK else { return }
            result = unsafe tokenCallback(context, 0, text + offset, CInt(count), CInt(offset), CInt(offset + count))
        }
        return result
    }
}
