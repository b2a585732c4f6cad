// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `JSONBook` writes what a note says as a book, and in which book it stands.
///
/// Spec: docs/export-json.md §3.1.
enum JSONBook {
    static func write(_ book: BookDetails, _ json: inout JSONText) {
        json.key("book")
        json.open("{")
        json.member("shelf", book.shelf.name)
        json.member("subtitle", book.subtitle)
        json.member("authors", book.authors)
        json.member("publishers", book.publishers)
        json.member("published", book.published)
        json.member("identifiers", book.identifiers.map { "\($0.kind):\($0.value)" })
        json.member("pages", book.pages)
        json.member("language", book.language)
        if let cover = book.cover { json.member("cover", cover.text) }
        json.member("added", date: book.added)
        json.member("rating", Int(book.rating) * 25)
        json.key("readings")
        json.open("[")
        for reading in book.readings {
            json.open("{")
            if reading.started > 0 { json.member("started", ExportedDay.text(reading.started)) }
            if reading.finished > 0 { json.member("finished", ExportedDay.text(reading.finished)) }
            json.close("}")
        }
        json.close("]")
        json.member("chapters", book.chapters.map(\.title))
        json.key("log")
        json.open("[")
        for entry in book.log { write(entry, &json) }
        json.close("]")
        json.close("}")
    }

    private static func write(_ entry: ReadingLogEntry, _ json: inout JSONText) {
        json.open("{")
        json.member("day", ExportedDay.text(entry.day))
        switch entry.kind {
        case .none: break
        case .page: json.member("page", entry.amount)
        case .percent: json.member("percent", entry.amount)
        case .minutes: json.member("minutes", entry.amount)
        }
        json.member("line", entry.line)
        json.close("}")
    }

    static func write(_ place: ExportedPlace, _ json: inout JSONText) {
        json.key("inBook")
        json.open("{")
        json.member("id", place.book)
        json.member("title", place.title)
        if let chapter = place.chapter { json.member("chapter", chapter) }
        json.member("position", place.position)
        json.close("}")
    }
}

/// `ExportedDay` writes a day of a reading log: "2026-11-29".
enum ExportedDay {
    /// - Parameter day: since 1970-01-01; one after the year 9999 is written as the last one.
    static func text(_ day: UInt32) -> String {
        String(RFC3339.text(min(Int64(day) * 86_400_000, RFC3339.times.upperBound)).prefix(10))
    }
}

extension ExportedNote {
    /// Writes what is known of a book above its description, for formats that know no books.
    public mutating func describeBook() {
        guard let book else { return }
        let stars = book.rating == 0 ? "" : "\(book.rating / 4)\(["", ".25", ".5", ".75"][Int(book.rating % 4)]) of 5"
        let readings = book.readings.map { reading in
            [reading.started, reading.finished].map { $0 == 0 ? "?" : ExportedDay.text($0) }.joined(separator: " to ")
        }
        let facts = [
            ("Subtitle", book.subtitle), ("Authors", book.authors.joined(separator: ", ")),
            ("Shelf", book.shelf.name), ("Rating", stars), ("Read", readings.joined(separator: ", ")),
            ("Publishers", book.publishers.joined(separator: ", ")), ("Published", book.published),
            ("Pages", book.pages == 0 ? "" : "\(book.pages)"), ("Language", book.language),
            ("Identifiers", book.identifiers.map { "\($0.kind):\($0.value)" }.joined(separator: ", ")),
            ("Chapters", book.chapters.map(\.title).joined(separator: "; ")),
        ].filter { !$0.1.isEmpty }.map { "- \($0.0): \($0.1)\n" }
        let log = book.log.map { entry in
            let amount: String =
                switch entry.kind {
                case .none: ""
                case .page: "page \(entry.amount) "
                case .percent: "\(entry.amount)% "
                case .minutes: "\(entry.amount) min "
                }
            return "- \(ExportedDay.text(entry.day)) \(amount)\(entry.line)\n"
        }
        body =
            facts.joined() + (body.isEmpty ? "" : "\n" + body) + (body.isEmpty || body.hasSuffix("\n") ? "" : "\n")
            + (log.isEmpty ? "" : "\nReading log\n\n" + log.joined())
    }
}
