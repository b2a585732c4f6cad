// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import BookServices
internal import ParserProtocol
internal import Presentation
internal import SecretMemory
internal import TerminalText
internal import VaultFormat

/// `FoundBooks` shows what book services found, and lets a person choose.
enum FoundBooks {
    static func show(_ found: BookLookup.Found, _ context: Context) throws(ClientFailure) {
        if context.options.json {
            return try Streams.write(String(decoding: json(found).encoded, as: UTF8.self) + "\n")
        }
        // Without a book the first one is the error that the command ends with.
        for failure in found.books.isEmpty ? found.failures.dropFirst() : found.failures[...] {
            Streams.warn(failure.message)
            Streams.say("vault: hint: " + failure.hint)
        }
        for (number, book) in found.books.enumerated() {
            try Streams.write(
                context.style.isTerminal ? line(number + 1, book, context.style.columns) : fields(book))
        }
    }

    /// Every service failed: that is the failure of the search. One that answered is enough.
    static func outcome(of found: BookLookup.Found) throws(ClientFailure) -> Outcome {
        if found.books.isEmpty, let first = found.failures.first { throw first.clientFailure }
        return found.books.isEmpty
            ? Outcome(.notFound, "no service found such a book", hint: "vault book add --manual TITLE adds it by hand")
            : Outcome(.ok)
    }

    /// Finds the one book that a person means.
    ///
    /// - Parameter words: "google:ID", an ISBN, or words.
    static func chosen(
        _ words: String, _ lookup: BookLookup, _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> ParsedNote {
        for service in BookService.allCases where words.hasPrefix(service.rawValue + ":") {
            let id = String(words.dropFirst(service.rawValue.utf8.count + 1))
            let found = try lookup.book(id, of: service, over: &conversation)
            if let book = found.books.first { return book }
            _ = try outcome(of: found)
            throw ClientFailure(.notFound, "\(service.title) has no such book", hint: "vault book search TITLE")
        }
        let query = ServiceQuery(words)
        let found = try lookup.search(query, count: 9, over: &conversation)
        if found.books.count == 1 || query.isbn != nil, let book = found.books.first { return book }
        let outcome = try outcome(of: found)
        guard outcome.code == .ok else { throw ClientFailure(outcome) }
        let first = found.books.prefix(9)
        guard !context.options.json, !context.options.noInput, Terminal.canAsk else {
            throw ClientFailure(
                .ambiguous, "more than one book fits", hint: "vault book search WORDS, then vault book add SERVICE:ID")
        }
        for (number, book) in first.enumerated() {
            Streams.writeAll(Array(line(number + 1, book, context.style.columns).utf8), to: Streams.talk)
        }
        return try first[ask(first.count)]
    }

    private static func ask(_ count: Int) throws(ClientFailure) -> Int {
        let answer: SecretBytes
        do { answer = try PasswordReader.ask(prompt: "Which one? [1-\(count)] ", echo: true) } catch .empty {
            throw ClientFailure(.aborted, "no book was added")
        } catch { throw PasswordSource.failure(error) }
        let text = unsafe answer.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        guard let number = Int(text.filter { !$0.isWhitespace }), (1...count).contains(number) else {
            throw ClientFailure(.aborted, "no book was added")
        }
        return number - 1
    }

    /// Takes what a service said; what the person says counts more.
    static func facts(of book: ParsedNote, _ said: BookFacts) -> BookFacts {
        var facts = said
        let found = book.book ?? ParsedBook()
        facts.subtitle = said.subtitle ?? cut(found.subtitle)
        facts.authors = said.authors ?? found.authors
        facts.publishers = said.publishers ?? found.publishers
        facts.published = said.published ?? found.published
        facts.identifiers = said.identifiers ?? found.identifiers.map { "\($0.kind):\($0.value)" }
        facts.pages = said.pages ?? found.pages
        facts.language = said.language ?? found.language
        facts.description = said.description ?? book.body
        return facts
    }

    private static func cut(_ text: String) -> String {
        var cut = text
        while cut.utf8.count > BookDetails.nameByteCountMax { cut.removeLast() }
        return cut
    }

    private static func line(_ number: Int, _ book: ParsedNote, _ columns: Int) -> String {
        let details = book.book ?? ParsedBook()
        let year = String(details.published.prefix(4))
        let facts = [
            details.authors.joined(separator: ", "), year, details.pages > 0 ? "\(details.pages) pages" : "",
        ].filter { !$0.isEmpty }.joined(separator: ", ")
        let title = [book.title ?? "", details.subtitle].filter { !$0.isEmpty }.joined(separator: ": ")
        let mark = number < 10 ? " \(number)" : "\(number)"
        let room = max(20, columns - 4)
        let head = OneLine.cut(title + (facts.isEmpty ? "" : " · " + facts), to: room)
        let below = OneLine.cut(book.body.split(separator: "\n").first.map(String.init) ?? "", to: room)
        let lines =
            ["\(mark)  \(head)"] + (below.isEmpty ? [] : ["    \(below)"]) + [
                "    \(SafeText.singleLine(book.sourceKey))"
            ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fields(_ book: ParsedNote) -> String {
        let details = book.book ?? ParsedBook()
        let isbn = details.identifiers.first { $0.kind == "isbn13" }?.value ?? ""
        let fields = [
            book.sourceKey, book.title ?? "", details.authors.joined(separator: "; "), details.published, isbn,
        ]
        return fields.map(SafeText.singleLine).joined(separator: "\t") + "\n"
    }

    static func json(_ found: BookLookup.Found) -> JSONText {
        let books = found.books.map { book -> JSONText in
            let details = book.book ?? ParsedBook()
            return .object([
                ("volume", .string(book.sourceKey)), ("title", .string(book.title ?? "")),
                ("subtitle", .string(details.subtitle)), ("authors", .array(details.authors.map { .string($0) })),
                ("publishers", .array(details.publishers.map { .string($0) })),
                ("published", .string(details.published)),
                ("identifiers", .array(details.identifiers.map { .string("\($0.kind):\($0.value)") })),
                ("pages", .int(Int64(details.pages))), ("language", .string(details.language)),
                ("summary", .string(book.body)), ("cover", .bool(!details.coverAddress.isEmpty)),
            ])
        }
        let failures = found.failures.map { failure in
            JSONText.object([("message", .string(failure.message)), ("hint", .string(failure.hint))])
        }
        return .object([("schema", .int(1)), ("books", .array(books)), ("failures", .array(failures))])
    }
}
