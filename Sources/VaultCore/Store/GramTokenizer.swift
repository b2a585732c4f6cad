// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import GRDBSQLite
internal import SearchText

/// FTS5's tokenizer for our index: a document gives each of its distinct 1-, 2- and 3-grams once, a query term is one gram as it stands.
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
