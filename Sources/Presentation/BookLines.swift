// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Dates
internal import TerminalText
internal import VaultFormat

/// `BookLines` makes the lines and the JSON of books.
enum BookLines {
    /// One line with tabs between the fields, for scripts.
    static func fields(_ book: BookRow, isLong: Bool) -> [String] {
        var fields = [
            book.note.shortID, book.shelf.name, book.note.title, book.authors.joined(separator: "; "),
            book.percent > 0 ? "\(book.percent)%" : "", stars(book.rating),
        ]
        if isLong {
            fields += [
                date(book.started), date(book.finished), book.pages > 0 ? "\(book.pages)" : "", "\(book.noteCount)",
                book.note.tags.joined(separator: ","), book.note.id,
            ]
        }
        return fields
    }

    static func row(_ book: BookRow, _ columns: Int, isLong: Bool) -> StyledLine {
        let width = max(NoteRowRenderer.columnsMin, columns)
        var line = StyledLine()
        line.append("  " + book.note.shortID, .dim, room: width / 2)
        line.append("  ")
        var end: [String] = []
        if book.shelf == .reading && book.percent > 0 { end.append("\(book.percent)%") }
        if book.rating > 0 { end.append(stars(book.rating)) }
        if book.noteCount > 0 { end.append(Quantity.counted(book.noteCount, "note")) }
        if isLong, book.started > 0 { end.append("from \(date(book.started))") }
        if isLong || book.shelf == .archived, book.finished > 0 { end.append(date(book.finished)) }
        let facts = DisplayWidth.truncate(end.joined(separator: "  "), to: width / 2)
        let room = max(8, width - line.columns - DisplayWidth.columns(of: facts) - 2)
        let before = line.columns
        line.append(book.note.title, .bold, room: room)
        let left = room - (line.columns - before)
        if !book.authors.isEmpty, left > 8 {
            line.append("  " + book.authors.joined(separator: ", "), .dim, room: left)
        }
        if !facts.isEmpty {
            line.pad(to: width - DisplayWidth.columns(of: facts))
            line.append(facts, .dim)
        }
        return line
    }

    static func facts(_ shown: ShownBook) -> [(String, String)] {
        let book = shown.book
        let progress =
            book.percent > 0 && book.page > 0
            ? "page \(book.page), \(book.percent)%"
            : book.page > 0 ? "page \(book.page)" : book.percent > 0 ? "\(book.percent)%" : ""
        return [
            ("id", book.note.shortID), ("authors", book.authors.joined(separator: ", ")), ("shelf", book.shelf.name),
            ("progress", progress), ("rating", stars(book.rating)),
            ("read", shown.readings.map { words($0) }.filter { !$0.isEmpty }.joined(separator: ", ")),
            ("publisher", shown.publishers.joined(separator: ", ")), ("published", shown.published),
            ("pages", book.pages > 0 ? Quantity.grouped(Int(book.pages)) : ""), ("language", shown.language),
            ("identifiers", shown.identifiers.joined(separator: "  ")),
            ("tags", book.note.tags.map { "#" + $0 }.joined(separator: " ")),
            ("cover", book.hasCover ? "vault book cover \(book.note.shortID)" : ""), ("source", source(shown.source)),
        ]
    }

    /// Says where a book came from: what an import calls a source has a line feed in it.
    private static func source(_ text: String) -> String {
        text.split(separator: "\n").last.map(String.init) ?? ""
    }

    private static func words(_ reading: ShownBook.Reading) -> String {
        switch (reading.started, reading.finished) {
        case (0, 0): ""
        case (let started, 0): "since \(date(started))"
        case (0, let finished): "until \(date(finished))"
        case (let started, let finished): "\(date(started)) to \(date(finished))"
        }
    }

    static func words(_ entry: ShownBook.LogEntry) -> String {
        let amount: String =
            switch entry.kind {
            case .none: ""
            case .page: "page \(entry.amount)"
            case .percent: "\(entry.amount)%"
            case .minutes: "\(entry.amount) min"
            }
        return [date(entry.day), amount, entry.line].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// Returns "2026-11-29"; nothing for none.
    static func date(_ day: UInt32) -> String {
        guard day > 0 else { return "" }
        let (year, month, day) = CivilCalendar.date(ofDay: Int(day))
        let digits = { (number: Int, width: Int) in
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    }

    /// Returns "★★★★¼" of quarters; nothing for none.
    static func stars(_ rating: UInt8) -> String {
        String(repeating: "★", count: Int(rating / 4)) + ["", "¼", "½", "¾"][Int(rating % 4)]
    }

    static func safe(_ text: String) -> [UInt8] {
        let bytes = SafeText.safe(Array(text.utf8), .multiline)
        return bytes.last == 0x0A ? bytes : bytes + [0x0A]
    }
}

extension BookShelf {
    /// Above its books.
    var title: String {
        switch self {
        case .reading: "Reading"
        case .wishlist: "Wishlist"
        case .archived: "Archived"
        }
    }
}

extension JSONText {
    static func book(_ book: BookRow) -> JSONText { .object(fields(book)) }

    private static func fields(_ book: BookRow) -> [(key: String, value: JSONText)] {
        [
            ("id", .string(book.note.id)), ("shortID", .string(book.note.shortID)),
            ("title", .string(book.note.title)), ("authors", .array(book.authors.map { .string($0) })),
            ("shelf", .string(book.shelf.name)), ("place", .string(book.note.place.name)),
            ("added", .date(book.added)), ("started", day(book.started)), ("finished", day(book.finished)),
            ("rating", rating(book.rating)), ("pages", .int(Int64(book.pages))), ("page", .int(Int64(book.page))),
            ("percent", .int(Int64(book.percent))), ("cover", .bool(book.hasCover)),
            ("notes", .count(book.noteCount)), ("tags", .array(book.note.tags.map { .string($0) })),
            ("forked", .bool(book.note.isForked)), ("damaged", .bool(book.note.isDamaged)),
            ("state", .string(book.note.state.name)), ("updated", .date(book.note.modified)),
            ("revision", .string(book.note.revision)),
        ]
    }

    static func book(_ shown: ShownBook) -> JSONText {
        .object(
            fields(shown.book) + [
                ("subtitle", .string(shown.subtitle)), ("publishers", .array(shown.publishers.map { .string($0) })),
                ("published", .string(shown.published)), ("identifiers", .array(shown.identifiers.map { .string($0) })),
                ("language", .string(shown.language)), ("description", .string(shown.description)),
                ("source", .string(shown.source)), ("coverID", .string(shown.cover)),
                (
                    "readings",
                    .array(
                        shown.readings.map {
                            .object([("started", day($0.started)), ("finished", day($0.finished))])
                        })
                ),
                (
                    "chapters",
                    .array(
                        shown.chapters.map {
                            .object([("title", .string($0.title)), ("notes", .count($0.noteCount))])
                        })
                ), ("looseNotes", .count(shown.looseNotes)),
                ("log", .array(shown.log.map { logEntry($0) })),
            ])
    }

    static func spot(_ spot: BookSpot) -> JSONText {
        .object([
            ("id", .string(spot.id)), ("title", .string(spot.title)),
            ("chapter", spot.chapter.map { .string($0) } ?? .null),
        ])
    }

    private static func logEntry(_ entry: ShownBook.LogEntry) -> JSONText {
        var fields: [(key: String, value: JSONText)] = [("day", day(entry.day))]
        switch entry.kind {
        case .none: break
        case .page: fields.append(("page", .int(Int64(entry.amount))))
        case .percent: fields.append(("percent", .int(Int64(entry.amount))))
        case .minutes: fields.append(("minutes", .int(Int64(entry.amount))))
        }
        return .object(fields + [("line", .string(entry.line))])
    }

    /// A date, or null.
    static func day(_ day: UInt32) -> JSONText { day == 0 ? .null : .string(BookLines.date(day)) }

    /// Stars in hundredths, or null: 425 for four and a quarter.
    private static func rating(_ quarters: UInt8) -> JSONText { quarters == 0 ? .null : .int(Int64(quarters) * 25) }
}
