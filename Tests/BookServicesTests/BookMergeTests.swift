// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import BookServices
import ParserProtocol
import Testing

struct BookMergeTests {
    private func note(_ key: String, isbn: [String] = [], _ change: (inout ParsedBook) -> Void = { _ in }) -> ParsedNote
    {
        var note = ParsedNote(sourceKey: key)
        var book = ParsedBook()
        note.title = "Title"
        for value in isbn {
            book.identifiers.append(.init(kind: value.count == 10 ? "isbn10" : "isbn13", value: value))
        }
        change(&book)
        note.book = book
        return note
    }

    @Test func oneNumberIsOneResultInTheOrderOfTheFirst() throws {
        let google = [
            note("google:a"), note("google:b", isbn: ["9780261102217"]), note("google:c", isbn: ["9780441013593"]),
        ]
        let library = [
            note("openlibrary:x"), note("openlibrary:c", isbn: ["9780441013593"]),
            // The old form of the same number.
            note("openlibrary:b", isbn: ["0261102214"]),
        ]
        let merged = BookMerge.merged([google, library])
        #expect(merged.map(\.sourceKey) == ["google:a", "google:b", "google:c", "openlibrary:x"])
        #expect(merged[1].book?.identifiers.map(\.value) == ["9780261102217", "0261102214"])
    }

    @Test func whatTheFirstLacksIsTakenFromTheSecond() throws {
        var first = note("google:a", isbn: ["9780261102217"]) { $0.authors = ["A"] }
        first.body = ""
        var second = note("openlibrary:a", isbn: ["9780261102217"]) {
            ($0.authors, $0.publishers, $0.published, $0.pages) = (["B"], ["P"], "1991", 310)
            ($0.language, $0.coverAddress, $0.subtitle) = ("en", "https://covers.openlibrary.org/b/id/1-L.jpg", "S")
            $0.identifiers.append(.init(kind: "openlibrary", value: "OL1M"))
        }
        second.body = "About"
        let merged = try #require(BookMerge.merged([[first], [second]]).first)
        let book = try #require(merged.book)
        #expect(book.authors == ["A"] && book.publishers == ["P"] && book.published == "1991" && book.pages == 310)
        #expect(book.language == "en" && book.subtitle == "S" && merged.body == "About")
        #expect(book.coverAddress.hasPrefix("https://covers.") && book.identifiers.last?.value == "OL1M")
        let reversed = try #require(BookMerge.merged([[second], [first]]).first)
        #expect(reversed.book?.authors == ["B"] && reversed.sourceKey == "openlibrary:a")
    }

    @Test func whatIsNoBookOrHasNoNumberIsNotMerged() {
        let same = note("google:a"), other = note("openlibrary:a", isbn: ["9780261102218"])
        #expect(BookMerge.merged([[same, ParsedNote(sourceKey: "n")], [other, other]]).count == 3)
        #expect(BookMerge.merged([]).isEmpty && BookMerge.merged([[], []]).isEmpty)
    }

    @Test func aListMergedTwiceStaysAsItIs() {
        let list = [note("google:a", isbn: ["9780261102217"]), note("google:b")]
        #expect(BookMerge.merged([BookMerge.merged([list])]) == list)
    }
}

struct BookFailureTests {
    private func failure(_ outcome: FetchAnswer.Outcome, _ service: BookService = .google, hasKey: Bool = false)
        -> BookFetchFailure?
    {
        BookFetchFailure(FetchAnswer(outcome, httpStatus: 503), of: service, hasKey: hasKey)
    }

    @Test func itSaysWhichOfTheThreeItIs() {
        for lack in FetchAnswer.Lack.allCases {
            #expect(failure(.noNetwork(lack))?.message.hasPrefix("no network") == true)
            #expect(failure(.noNetwork(lack))?.kind == .noNetwork)
        }
        #expect(failure(.quota(retryAfter: 0))?.message.hasPrefix("quota") == true)
        #expect(failure(.quota(retryAfter: 0))?.hint.contains("vault book key") == true)
        #expect(failure(.quota(retryAfter: 90), .openlibrary)?.hint == "try it again in 90 seconds")
        #expect(failure(.quota(retryAfter: 7200), hasKey: true)?.hint == "try it again in 2 hours")
        for refusal in FetchAnswer.Refusal.allCases {
            #expect(failure(.refused(refusal))?.message.hasPrefix("refused") == true)
        }
        #expect(failure(.refused(.country))?.hint.contains("books.country") == true)
        #expect(failure(.refused(.key), hasKey: true)?.hint.contains("vault book key") == true)
        #expect(failure(.malformed(isPage: true))?.kind == .noNetwork && failure(.failing)?.kind == .service)
        #expect(failure(.whole(byteCount: 1)) == nil)
    }
}
