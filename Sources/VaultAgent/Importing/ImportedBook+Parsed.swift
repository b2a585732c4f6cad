// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol
internal import VaultCore
internal import VaultFormat

extension ImportedBook {
    /// Takes what a parser found; a value that no record holds is cut.
    ///
    /// - Parameter now: milliseconds since 1970, UTC.
    init(_ parsed: ParsedBook, now: Int64) {
        let added = parsed.added.map { Int64($0) * 86_400_000 } ?? now
        var details = BookDetails(shelf: .wishlist, added: added)
        details.subtitle = Self.line(parsed.subtitle)
        (details.authors, details.publishers) = (parsed.authors.map(Self.line), parsed.publishers.map(Self.line))
        (details.published, details.language) = (Self.line(parsed.published), Self.line(parsed.language))
        details.identifiers = parsed.identifiers.map { BookIdentifier(kind: $0.kind, value: $0.value) }
        (details.pages, details.rating) = (parsed.pages, parsed.rating)
        details.readings = parsed.readings.map { BookReading(started: $0.started ?? 0, finished: $0.finished ?? 0) }
        details.log = parsed.log.compactMap { entry in
            // The record names it anew: this one stands for none.
            guard let name = try? ChapterID([UInt8](repeating: 1, count: ChapterID.byteCount)) else { return nil }
            return ReadingLogEntry(
                id: name, day: entry.day, kind: ReadingLogEntry.Kind(entry.kind), amount: entry.amount,
                line: entry.line)
        }
        self.init(details)
        (chapters, cover) = (parsed.chapters, parsed.cover)
        shelf = parsed.shelf.map { BookShelf($0) }
    }

    /// Cuts a subtitle, the one line that a parser may send longer than a record holds it.
    private static func line(_ text: String) -> String {
        var (line, count) = ("", 0)
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= BookDetails.nameByteCountMax else { break }
            line.unicodeScalars.append(scalar)
        }
        return line
    }
}

extension BookShelf {
    init(_ parsed: ParsedBook.Shelf) {
        switch parsed {
        case .wishlist: self = .wishlist
        case .reading: self = .reading
        case .archived: self = .archived
        }
    }
}

extension ReadingLogEntry.Kind {
    init(_ parsed: ParsedBook.LogEntry.Kind) {
        switch parsed {
        case .none: self = .none
        case .page: self = .page
        case .percent: self = .percent
        case .minutes: self = .minutes
        }
    }
}
