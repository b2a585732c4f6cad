// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText
internal import VaultFormat

extension ListBooks: Presented {
    public func present(_ reply: BookList, on page: inout Page) {
        if page.style.json {
            let counts = BookShelf.shown.map { ($0.name, JSONText.count(reply.count($0))) }
            return page.json(
                .answer([
                    ("books", .array(reply.books.map { .book($0) })), ("counts", .object(counts)),
                    ("more", .bool(reply.hasMore)),
                ]))
        }
        guard page.style.isTerminal else {
            for book in reply.books { page.tabbed(BookLines.fields(book, isLong: long)) }
            return
        }
        for shelf in BookShelf.shown {
            let books = reply.books.filter { $0.shelf == shelf }
            guard !books.isEmpty else { continue }
            page.heading("\(shelf.title) · \(Quantity.grouped(reply.count(shelf)))")
            for book in books { page.output(BookLines.row(book, page.style.columns, isLong: long)) }
        }
        let total = self.shelf.map { reply.count($0) } ?? BookShelf.allCases.reduce(0) { $0 + reply.count($1) }
        page.talk(Quantity.notes(shown: reply.books.count, total: total, noun: "book"))
        if total == 0 && words.isEmpty { page.hint("vault book search TITLE, or vault book add TITLE --manual") }
    }
}

extension ShowBook: Presented {
    public func present(_ reply: ShownBook, on page: inout Page) { page.book(reply) }
}

extension AddBook: Presented {
    public func present(_ reply: ChangedBook, on page: inout Page) { page.changed(reply.book, "added") }
}

extension ChangeBook: Presented {
    public func present(_ reply: ChangedBook, on page: inout Page) { page.changed(reply.book, "saved") }
}

extension MoveBook: Presented {
    public func present(_ reply: ChangedBook, on page: inout Page) {
        switch move {
        case .start: page.changed(reply.book, "reading")
        case .finish: page.changed(reply.book, "finished")
        case .archive: page.changed(reply.book, "archived")
        }
    }
}

extension RemoveBook: Presented {
    public func present(_ reply: RemovedBook, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answerOfNotes([
                    ("book", .note(reply.note)), ("notes", .count(reply.noteCount)),
                    ("notesTrashed", .bool(reply.withNotes)),
                ]))
        }
        page.changed([reply.note], "moved to the trash")
        guard page.style.isTerminal else { return }
        if reply.noteCount > 0 {
            let notes = Quantity.counted(reply.noteCount, "note")
            page.talk(reply.withNotes ? "\(notes) went with it" : "\(notes) kept as ordinary notes")
        }
        page.hint("vault undo takes it back")
    }
}

extension LogReading: Presented {
    public func present(_ reply: ChangedBook, on page: inout Page) {
        page.changed(reply.book, takesBack ? "removed from the log" : "logged")
    }
}

extension ChangeChapter: Presented {
    public func present(_ reply: ShownBook, on page: inout Page) {
        if page.style.json { return page.book(reply) }
        for chapter in reply.chapters {
            let count = chapter.noteCount
            if page.style.isTerminal {
                page.output("  \(SafeText.singleLine(chapter.title)) · \(Quantity.counted(count, "note"))\n")
            } else {
                page.tabbed([chapter.title, "\(count)"])
            }
        }
    }
}

extension ListBookNotes: Presented {
    public func present(_ reply: BookNoteList, on page: inout Page) {
        if page.style.json {
            let sections = reply.sections.map { section in
                JSONText.object([
                    ("chapter", section.chapter.map { .string($0) } ?? .null), ("count", .count(section.count)),
                    ("notes", .array(section.notes.map { .note($0) })),
                ])
            }
            return page.json(
                .answerOfNotes([
                    ("book", .note(reply.book)), ("sections", .array(sections)), ("total", .count(reply.total)),
                    ("more", .bool(reply.hasMore)),
                ]))
        }
        for section in reply.sections {
            if page.style.isTerminal {
                page.heading("\(section.chapter ?? "No chapter") · \(Quantity.grouped(section.count))")
                page.output(page.rows(long: false).rows(section.notes.map { RenderedNote($0) }))
            } else {
                for note in section.notes { page.tabbed([note.shortID, section.chapter ?? "", note.title]) }
            }
        }
        guard page.style.isTerminal else { return }
        let shown = reply.sections.reduce(0) { $0 + $1.notes.count }
        page.talk(Quantity.notes(shown: shown, total: reply.total))
    }
}

extension PlaceNotes: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) {
        page.changed(reply, book == nil ? "out of its book" : "moved")
    }
}

extension AgreeToBookService: Presented {}
extension SetBookKey: Presented {}

extension ShowBookService: Presented {
    public func present(_ reply: BookServiceStatus, on page: inout Page) {
        let addresses = reply.agreed.split(separator: "\n").map(String.init)
        if page.style.json {
            return page.json(
                .answer([("agreed", .array(addresses.map { .string($0) })), ("key", .bool(reply.hasKey))]))
        }
        for address in addresses { page.output("asks \(SafeText.singleLine(address))\n") }
        if addresses.isEmpty { page.output("asks no service\n") }
        page.output(reply.hasKey ? "has a key for Google Books\n" : "has no key for Google Books\n")
    }
}

extension Page {
    fileprivate mutating func heading(_ text: String) {
        var line = StyledLine()
        line.append(text, .bold, room: style.columns)
        output(line)
    }

    /// Presents a book that was changed: for a script its identifier.
    mutating func changed(_ book: BookRow, _ word: String) {
        if style.json { return json(.answer([("book", .book(book))])) }
        changed([book.note], word)
    }

    fileprivate mutating func book(_ shown: ShownBook) {
        if style.json { return json(.answer([("book", .book(shown))])) }
        if style.isTerminal {
            var title = StyledLine()
            title.append(shown.book.note.title, .bold)
            if !shown.subtitle.isEmpty { title.append(": " + shown.subtitle) }
            output(title)
        } else {
            output("title\t\(SafeText.singleLine(shown.book.note.title))\n")
        }
        for (name, value) in BookLines.facts(shown) where !value.isEmpty {
            if style.isTerminal {
                var line = StyledLine()
                line.append("  " + name, .dim)
                line.pad(to: 14)
                line.append(value)
                output(line)
            } else {
                tabbed([name, value])
            }
        }
        if !shown.description.isEmpty {
            output("\n")
            output(BookLines.safe(shown.description))
        }
        if !shown.chapters.isEmpty || shown.looseNotes > 0 { output("\n") }
        for chapter in shown.chapters {
            output("  \(SafeText.singleLine(chapter.title)) · \(Quantity.counted(chapter.noteCount, "note"))\n")
        }
        if shown.looseNotes > 0 { output("  No chapter · \(Quantity.counted(shown.looseNotes, "note"))\n") }
        if !shown.log.isEmpty { output("\n") }
        for entry in shown.log { output("  \(SafeText.singleLine(BookLines.words(entry)))\n") }
    }
}
