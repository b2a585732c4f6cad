// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `KindleBook` collects the clippings of one book and makes notes of them: a highlight with what was noted there is
/// one note, and one that was extended stands in the last state alone.
struct KindleBook {
    /// A note that stands by itself is one too.
    private struct Highlight {
        let first: KindleClipping
        var longest: KindleClipping
        var notes: [KindleClipping] = []
    }

    /// Highlights of one place that a new one is compared with, and highlights that a note may belong to.
    private static let comparedCountMax = 16

    let key: String
    private let title: String
    private let authors: [String]
    private var highlights: [Highlight] = []
    /// By where they begin.
    private var places: [Int: [Int]] = [:]
    private var notes: [KindleClipping] = []
    private var (bookmarkCount, repeatedCount, emptyCount) = (0, 0, 0)

    static func key(_ clipping: KindleClipping) -> String {
        NoteAssembly.key(clipping.title + "/" + clipping.authors.joined(separator: ";"))
    }

    init(_ clipping: KindleClipping) {
        key = Self.key(clipping)
        (title, authors) = (clipping.title, clipping.authors)
    }

    mutating func add(_ clipping: KindleClipping) {
        switch clipping.place.kind {
        case .bookmark where clipping.text.isEmpty: bookmarkCount += 1
        case .highlight, .bookmark: addHighlight(clipping)
        case .note: if clipping.text.isEmpty { emptyCount += 1 } else { notes.append(clipping) }
        }
    }

    private mutating func addHighlight(_ clipping: KindleClipping) {
        guard !clipping.text.isEmpty else { return emptyCount += 1 }
        if let start = clipping.place.span?.lowerBound {
            for at in (places[start] ?? []).suffix(Self.comparedCountMax) {
                let known = highlights[at].longest.text
                guard
                    BookText.place(of: clipping.text, in: known) != nil
                        || BookText.place(of: known, in: clipping.text) != nil
                else { continue }
                if clipping.text.utf8.count > known.utf8.count { highlights[at].longest = clipping }
                repeatedCount += 1
                return
            }
            places[start, default: []].append(highlights.count)
        }
        highlights.append(Highlight(first: clipping, longest: clipping))
    }

    /// Gives the book and its notes: the book first, then the notes in the order of the book. What has no place comes
    /// last, in the order of the file.
    mutating func finished() -> [ParsedNote] {
        let loose = joinNotes().map { Highlight(first: $0, longest: $0) }
        let all = (highlights + loose).enumerated().sorted { one, other in
            (Self.start(one.element), one.offset) < (Self.start(other.element), other.offset)
        }
        var keys: [String: Int] = [:]
        return [book()] + all.map { note(of: $0.element, &keys) }
    }

    /// Puts each note to the nearest highlight that ends or goes on where it stands.
    ///
    /// - Returns: those that stand by themselves.
    private mutating func joinNotes() -> [KindleClipping] {
        let order = highlights.indices.filter { highlights[$0].longest.place.span != nil }.sorted {
            (Self.start(highlights[$0]), $0) < (Self.start(highlights[$1]), $1)
        }
        var loose: [KindleClipping] = []
        for note in notes {
            // From the last one that begins before it, not far back: highlights are short.
            let end =
                note.place.span.map { span in order.partitionIndex { Self.start(highlights[$0]) > span.lowerBound } }
                ?? 0
            let near = order[max(0, end - Self.comparedCountMax)..<end].last { at in
                guard let place = note.place.span?.lowerBound, let span = highlights[at].longest.place.span else {
                    return false
                }
                return span.contains(place)
                    && (highlights[at].longest.place.location == nil) == (note.place.location == nil)
            }
            if let near { highlights[near].notes.append(note) } else { loose.append(note) }
        }
        return loose
    }

    private static func start(_ highlight: Highlight) -> Int { highlight.longest.place.span?.lowerBound ?? .max }

    private func book() -> ParsedNote {
        var book = BookAssembly(sourceKey: key)
        book.setTitle(title)
        for author in authors { book.addAuthor(author) }
        book.setShelf(.reading)
        if bookmarkCount > 0 { book.note.losses.add(.bookmarkNotCarried, detail: String(bookmarkCount)) }
        if repeatedCount > 0 { book.note.losses.add(.highlightRepeated, detail: String(repeatedCount)) }
        if emptyCount > 0 { book.note.losses.add(.highlightWithoutText, detail: String(emptyCount)) }
        return book.finished()
    }

    /// Makes a note of a highlight, or of something noted by itself. Its first state says the key: an import knows
    /// it by that.
    private func note(of highlight: Highlight, _ keys: inout [String: Int]) -> ParsedNote {
        let (clipping, first) = (highlight.longest, highlight.first)
        var note = NoteAssembly(sourceKey: unusedKey(first, &keys))
        let isQuote = clipping.place.kind != .note
        note.setTitle(Self.title(clipping.text))
        note.setBody(Array(Self.body(clipping, isQuote: isQuote, highlight.notes).utf8))
        if clipping.isLimited { note.losses.add(.highlightWithoutText) }
        let time = KindleDate.time(first.place.date)
        if time == nil { note.losses.add(.dateReplaced, detail: "added") }
        if time?.isLocal == true { note.insert(.createdWithoutZone) }
        note.setTimes(created: time?.milliseconds, updated: time?.milliseconds)
        var parsed = note.finished()
        parsed.place = ParsedPlace(bookKey: key)
        return parsed
    }

    private func unusedKey(_ clipping: KindleClipping, _ keys: inout [String: Int]) -> String {
        let place = clipping.place
        let span = place.span.map { String($0.lowerBound) } ?? place.page
        let natural =
            MarkdownTitle.cut(key, byteCountMax: 800) + "/\(span)/\(place.kind.rawValue)/"
            + MarkdownTitle.cut(place.date, byteCountMax: 100)
        keys[natural, default: 0] += 1
        let number = keys[natural, default: 1]
        return number == 1 ? natural : natural + "#\(number)"
    }

    /// Returns the first words of a text.
    private static func title(_ text: String) -> String {
        let line = MarkdownTitle.firstLine(of: Array(text.utf8)[...]) ?? ""
        guard line.count > 80 else { return line }
        let cut = line.prefix(80)
        return String(cut[..<(cut.lastIndex(of: " ") ?? cut.endIndex)]) + "…"
    }

    private static func body(_ clipping: KindleClipping, isQuote: Bool, _ notes: [KindleClipping]) -> String {
        let lines = clipping.text.split(separator: "\n", omittingEmptySubsequences: false)
        var body = isQuote ? lines.map { $0.isEmpty ? ">" : "> " + $0 }.joined(separator: "\n") : clipping.text
        for note in notes { body += "\n\n" + note.text }
        let place = words(clipping.place)
        return body + (place.isEmpty ? "\n" : "\n\n\(place)\n")
    }

    /// Says where a clipping stands; in a language that is not known, by its own line.
    private static func words(_ place: KindlePlace) -> String {
        guard KindleDate.time(place.date) != nil else { return place.line }
        var words: [String] = []
        if !place.page.isEmpty { words.append("Page \(place.page)") }
        if let location = place.location {
            let end = location.count > 1 ? "–\(location.upperBound)" : ""
            words.append("\(words.isEmpty ? "Location" : "location") \(location.lowerBound)\(end)")
        }
        return words.joined(separator: ", ")
    }
}

extension [Int] {
    /// Returns where the elements begin that a test holds for, which it does for none before them.
    fileprivate func partitionIndex(_ test: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if test(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
