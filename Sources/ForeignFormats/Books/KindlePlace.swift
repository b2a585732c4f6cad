// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `KindlePlace` is the second line of an entry in a Kindle's clippings: what it is, where in the book, and when it was
/// made.
///
/// "- Your Highlight on page 12 | Location 170-172 | Added on Monday, 5 June 2023 21:04:11"; older ones say "Highlight
/// Loc. 3665-67", and each language has words of its own. In one that is not known the last part is the date and the
/// one before it the location.
struct KindlePlace {
    enum Kind: String { case highlight, note, bookmark }

    private static let lineByteCountMax = 4096
    private static let bookmarks = [
        "bookmark", "lesezeichen", "signet", "marcador", "segnalibro", "ブックマーク", "书签", "закладка",
    ]
    private static let notes = ["note", "notiz", "nota", "メモ", "笔记", "заметка"]
    private static let pages = ["page", "seite", "página", "pagina", "ページ", "页", "странице"]
    private static let locations = [
        "location", "loc.", "position", "emplacement", "posición", "posizione", "posição", "ubicación", "位置", "месте",
    ]

    let kind: Kind
    /// As it is written: books have pages of Roman numbers too.
    let page: String
    let location: ClosedRange<Int>?
    let date: String
    /// The whole line, without the dash before it.
    let line: String

    /// Returns whether a line says a place.
    static func isOne(_ line: String) -> Bool {
        guard let first = line.first else { return false }
        return (first == "-" || first == "–") && line.contains("|")
    }

    init(_ text: String) {
        let cut = MarkdownTitle.cut(text, byteCountMax: Self.lineByteCountMax)
        line = BookText.line(String(cut.drop { $0 == "-" || $0 == "–" }))
        let parts = line.split(separator: "|").map { BookText.line(String($0)) }
        let places = parts.dropLast()
        date = parts.last ?? ""
        let words = (places.first ?? line).lowercased()
        kind =
            Self.has(Self.bookmarks, words) ? .bookmark : Self.has(Self.notes, words) ? .note : .highlight
        var (page, location, numbers) = ("", ClosedRange<Int>?.none, [ClosedRange<Int>]())
        for part in places {
            let lower = part.lowercased()
            let (isLocation, isPage) = (Self.has(Self.locations, lower), Self.has(Self.pages, lower))
            if isLocation { location = location ?? Self.range(lower) }
            if isPage, !isLocation, page.isEmpty { page = Self.lastWord(part) }
            if !isLocation, !isPage, let range = Self.range(lower) { numbers.append(range) }
        }
        self.page = page
        self.location = location ?? numbers.last
    }

    /// Where it stands: its location, or its page where the book has none.
    var span: ClosedRange<Int>? { location ?? Self.range(page) }

    private static func has(_ words: [String], _ text: String) -> Bool { words.contains { text.contains($0) } }

    /// Returns what names the page: the last word with a digit, or the last one.
    private static func lastWord(_ text: String) -> String {
        let words = text.split(separator: " ").map(String.init)
        let word = words.last { $0.contains { $0.isASCII && $0.isNumber } } ?? words.last ?? ""
        return MarkdownTitle.cut(word, byteCountMax: 64)
    }

    /// Returns the last number or range of a text. The end of "3665-67" is 3667.
    private static func range(_ text: String) -> ClosedRange<Int>? {
        let words = text.split { !($0.isASCII && $0.isNumber) && $0 != "-" && $0 != "–" }
        guard let word = words.last(where: { $0.contains { $0.isNumber } }) else { return nil }
        let ends = word.split { $0 == "-" || $0 == "–" }.map(String.init)
        guard let first = ends.first, first.utf8.count <= 9, let start = Int(first) else { return nil }
        guard ends.count > 1, let last = ends.last, last.utf8.count <= 9 else { return start...start }
        let whole = last.utf8.count < first.utf8.count ? first.dropLast(last.utf8.count) + last : last[...]
        guard let end = Int(whole), end >= start else { return start...start }
        return start...end
    }
}
