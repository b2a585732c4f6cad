// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Dates
internal import Glibc
internal import Presentation
internal import VaultFormat

struct BookExportCommand: Command {
    static let name = "export"
    static var spec: Spec {
        Spec(
            "Write all books to a CSV file, unencrypted.",
            discussion: """
                The columns are those of Goodreads' export, which other services and 'vault import goodreads' read; \
                ratings in quarters, progress and the log have their own columns. 'vault export json' has all \
                of a book, with its notes.
                """,
            examples: [
                "vault book export books.csv": "Write all books to a new file.",
                "vault book export - | head -3": "Or to a program.",
            ])
    }
    var path = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&path, "path", "A new file; '-' is standard output.", completion: .file)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        if path == "-" { try Terminal.refuseOutput(of: "a table of books") }
        let target = path == "-" ? nil : try TargetFile(path)
        let count = try Session.with(context) { conversation throws(ClientFailure) in
            let ids = try Self.ids(&conversation)
            try Self.write(BookTable.head, to: target)
            for id in ids {
                try Self.write(BookTable.row(try BookReference.shown(id, &conversation)), to: target)
            }
            return ids.count
        }
        guard let target else { return Outcome(.ok) }
        try target.keep()
        try context.print(
            json: "{\"schema\":1,\"written\":\(JSONText.quoted(path)),\"books\":\(count)}",
            text: "\(count) \(count == 1 ? "book" : "books") written to \(VisibleText.escaped(path)) (not encrypted)")
        return Outcome(.ok)
    }

    private static func ids(_ conversation: inout Conversation) throws(ClientFailure) -> [String] {
        var (ids, list): ([String], ListBooks) = ([], ListBooks())
        list.limit = 0
        while true {
            let (outcome, replies) = try conversation.ask(list)
            try Session.require(outcome)
            for reply in replies { ids += reply.books.map(\.note.id) }
            guard replies.contains(where: \.hasMore), list.page < ListNotes.pageMax else { return ids }
            list.page += 1
        }
    }

    private static func write(_ line: String, to target: TargetFile?) throws(ClientFailure) {
        let bytes = Array((line + "\r\n").utf8)
        guard let target else { return try Streams.write(bytes) }
        guard FileBytes.write(bytes, to: target.descriptor) else {
            throw ClientFailure(.localSaveFailed, "cannot write the table: \(SystemError.text(errno))")
        }
    }
}

/// `BookTable` writes books as a table (RFC 4180), under the names of Goodreads' columns.
enum BookTable {
    private static let columns = [
        "Book Id", "Title", "Author", "Additional Authors", "ISBN", "ISBN13", "My Rating", "Publisher",
        "Number of Pages", "Year Published", "Date Read", "Date Added", "Bookshelves", "Exclusive Shelf", "Read Count",
        "Subtitle", "Rating", "Started", "Page", "Language", "Identifiers", "Description", "Log",
    ]

    static let head = line(columns)

    static func row(_ shown: ShownBook) -> String {
        let book = shown.book
        let identifier = { (kind: String) in
            shown.identifiers.first { $0.hasPrefix(kind + ":") }.map { String($0.dropFirst(kind.count + 1)) } ?? ""
        }
        let stars = book.rating == 0 ? "" : "\(book.rating / 4)" + [".0", ".25", ".5", ".75"][Int(book.rating % 4)]
        let log = shown.log.map { entry in
            let amount = entry.kind == .none ? "" : " \(word(entry.kind)) \(entry.amount)"
            return date(entry.day) + amount + (entry.line.isEmpty ? "" : " " + entry.line)
        }
        return line([
            book.note.id, book.note.title, book.authors.first ?? "",
            book.authors.dropFirst().joined(separator: ", "), identifier("isbn10"), identifier("isbn13"),
            "\((Int(book.rating) + 2) / 4)", shown.publishers.joined(separator: ", "),
            book.pages == 0 ? "" : "\(book.pages)", String(shown.published.prefix(4)),
            date(shown.readings.last { $0.finished > 0 }?.finished ?? 0),
            date(UInt32(clamping: book.added / 86_400_000)), book.note.tags.joined(separator: ", "), shelf(book.shelf),
            "\(shown.readings.count { $0.finished > 0 })", shown.subtitle, stars, date(book.started),
            book.page == 0 ? "" : "\(book.page)", shown.language, shown.identifiers.joined(separator: " "),
            shown.description, log.joined(separator: "\n"),
        ])
    }

    private static func word(_ kind: ReadingLogEntry.Kind) -> String {
        switch kind {
        case .none: ""
        case .page: "page"
        case .percent: "percent"
        case .minutes: "minutes"
        }
    }

    private static func shelf(_ shelf: BookShelf) -> String {
        switch shelf {
        case .wishlist: "to-read"
        case .reading: "currently-reading"
        case .archived: "read"
        }
    }

    /// Returns "2026/11/29", as Goodreads writes it.
    private static func date(_ day: UInt32) -> String {
        guard day > 0 else { return "" }
        let (year, month, day) = CivilCalendar.date(ofDay: Int(day))
        return "\(year)/\(month < 10 ? "0" : "")\(month)/\(day < 10 ? "0" : "")\(day)"
    }

    /// By bytes: a mark that combines with a quotation mark would hide it from a search for characters.
    private static func doubled(_ cell: String) -> String {
        String(decoding: cell.utf8.flatMap { $0 == 0x22 ? [$0, $0] : [$0] }, as: UTF8.self)
    }

    private static func line(_ cells: [String]) -> String {
        cells.map { cell in
            let isPlain = !cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
            return isPlain ? cell : "\"" + Self.doubled(cell) + "\""
        }.joined(separator: ",")
    }
}
