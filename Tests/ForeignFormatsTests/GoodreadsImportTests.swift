// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing

@testable import ForeignFormats

struct GoodreadsImportTests {
    static let header =
        "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies\n"

    /// Rows of few columns: number, title, author, date read, shelves, rating, exclusive shelf.
    static func table(_ rows: String...) -> String {
        "Book Id,Title,Author,Date Read,Bookshelves,My Rating,Exclusive Shelf\n" + rows.joined(separator: "\n")
    }

    private func imported(_ text: String, pieceByteCount: Int = 64 << 10) -> Imported {
        Imported(.goodreads, MemorySource([("export.csv", text)], pieceByteCount: pieceByteCount))
    }

    @Test(arguments: [1, 3, 64 << 10]) func aRowBecomesABookWithItsNotes(pieceByteCount: Int) throws {
        let row =
            #"27,"A ""B"", #1",Ada Lee,"Lee, Ada","Bo  Ek, Cy Do","=""038500001X""","=""9780385000017""",4,4.02,House,Hardcover,412,2005,1999,2023/01/31,2022/12/24,"sci-fi, to-read, own","sci-fi (#3), own (#1)",read,"Good.<br/><br/>Very <b>good</b> &amp; more.",,"two"#
            + "\n\nlines\",2,1\n"
        let result = imported("\u{FEFF}" + Self.header + row, pieceByteCount: pieceByteCount)
        #expect(result.isWellFormed && result.notes.count == 3 && result.summary?.isComplete == true)
        let note = try #require(result.note("27"))
        let book = try #require(note.book)
        #expect(note.title == "A \"B\", #1" && note.tags == ["sci-fi", "own"])
        #expect(book.authors == ["Ada Lee", "Bo Ek", "Cy Do"] && book.publishers == ["House"])
        #expect(
            book.identifiers == [
                .init(kind: "goodreads", value: "27"), .init(kind: "isbn13", value: "9780385000017"),
                .init(kind: "isbn10", value: "038500001X"),
            ])
        #expect(book.rating == 16 && book.pages == 412 && book.published == "2005" && book.shelf == .archived)
        #expect(book.added == 19_350 && book.readings == [.init(started: nil, finished: 19_388)])
        #expect(
            note.body
                == "---\noriginal-publication-year: '1999'\nread-count: '2'\nowned-copies: '1'\nbinding: 'Hardcover'\n---\n"
        )
        let lost = note.losses.filter { !$0.code.isKept }
        #expect(
            lost == [
                Loss(.fieldNotCarried, detail: "average-rating"), Loss(.fieldNotCarried, detail: "positions"),
            ])
        let review = try #require(result.note("27/review"))
        #expect(review.title == "Review" && review.place == ParsedPlace(bookKey: "27"))
        #expect(review.body.hasPrefix("Good.\n\nVery **good** & more."))
        #expect(result.note("27/private-notes")?.body == "two\n\nlines")
    }

    @Test func shelvesAreThoseOfTheVaultAndOthersAreTags() throws {
        let result = imported(
            Self.table(
                "1,A,X,,,0,to-read", "2,B,X,,currently-reading,0,currently-reading", "3,C,X,,read,0,read",
                "4,D,X,,\"abandoned, sea\",0,abandoned", "5,E,X,,,0,"))
        let shelves = result.notes.compactMap(\.book?.shelf)
        #expect(shelves.prefix(4) == [.wishlist, .reading, .archived, .wishlist])
        #expect(result.notes.map(\.tags) == [[], [], [], ["sea", "abandoned"], []])
        #expect(result.notes[3].losses == [Loss(.shelfKeptAsTag, detail: "abandoned")])
        #expect(result.notes.allSatisfy { $0.book?.rating == 0 })
    }

    @Test func formulasOfSpreadsheetsAndDashesInISBNsAreRead() throws {
        let header = "Book Id,Title,Author,ISBN,ISBN13,My Rating,Exclusive Shelf\r\n"
        let result = imported(
            header + "1,A,X,=\"0385000011\",=\"\",1,read\r\n2,B,X,\"=\"\"\"\"\",978-0-385-00001-7,2,read\r\n"
                + "3,C,X,12345,,3,read\r\n")
        #expect(result.notes[0].book?.identifiers.last == .init(kind: "isbn10", value: "0385000011"))
        #expect(result.notes[1].book?.identifiers.last == .init(kind: "isbn13", value: "9780385000017"))
        #expect(result.notes[2].losses == [Loss(.valueUnreadable, detail: "isbn")])
        #expect(result.notes.compactMap(\.book?.rating) == [4, 8, 12])
    }

    @Test func columnsInAnyOrderAndRowsThatEndEarlyAreRead() throws {
        let text =
            "\"Exclusive Shelf\";\"My Rating\";\"Author\";\"Title\";\"Mood Ring\"\r\nread;5;\"L, A\";T;blue\r\nread;;A\r\nread;1;A;U;;more\r\n"
        let result = imported(text)
        #expect(result.notes.map(\.title) == ["T", "U"] && result.reasons == [.damaged])
        #expect(result.refused.first?.name == "export.csv: row 3" && result.notes[0].sourceKey == "T/L, A")
        #expect(result.notes[0].body == "---\nmood-ring: 'blue'\n---\n")
        #expect(result.notes[1].body == "---\ncolumn-6: 'more'\n---\n")
    }

    @Test func aBookThatOccursTwiceIsToldAndTheFirstCounts() {
        let result = imported(Self.table("1,A,X,,,5,read", "1,B,X,,,4,read"))
        #expect(result.notes.map(\.title) == ["A"] && result.reasons == [.duplicate])
        #expect(result.refused.first?.name == "export.csv: row 3" && result.summary?.found.notes == 2)
    }

    @Test func whatIsNoDateRatingOrNumberIsToldAndLeftOut() throws {
        let header = "Book Id,Title,Author,Number of Pages,Date Read,Date Added,My Rating,Exclusive Shelf\n"
        let note = try #require(imported(header + "1,A,X,many,2023/02/30,0000/00/00,6,read\n").notes.first)
        #expect(
            note.losses == [
                Loss(.valueUnreadable, detail: "pages"), Loss(.valueUnreadable, detail: "rating"),
                Loss(.dateReplaced, detail: "added"), Loss(.dateReplaced, detail: "date-read"),
            ])
        #expect(note.book?.readings == [] && note.book?.added == nil && isWithinCaps(note))
    }

    @Test func longAndManyValuesStayWithinTheCaps() throws {
        let names = (0..<70).map { "Name \($0)" }.joined(separator: ", ")
        let long = String(repeating: "ü", count: 3000)
        let row = "1,\(long),\(long),\(long),\"\(names)\",,,0,,a\u{7}b,,,,,,,\"\(long)\",,read\n"
        let note = try #require(imported(Self.header + row).notes.first)
        #expect(isWithinCaps(note) && note.book?.authors.count == 64 && note.book?.publishers == ["a b"])
        #expect(note.title?.utf8.count == 4096 && note.tags.isEmpty)
        #expect(Set(codes(note)) == [.valueCut, .tagTooLong])
    }

    @Test func aFileThatIsNoTableOfBooksIsRefusedWhole() {
        for text in ["", "Title,Author\nA,B\n", "\0\u{1}", "Title;Author,My Rating\n"] {
            let result = imported(text)
            #expect(result.reasons == [.malformedContainer] && result.summary?.isComplete == false)
        }
    }

    @Test func aFileThatEndsWithinQuotesGivesItsRowsAndIsNotComplete() {
        let result = imported(Self.table("1,A,X,,,5,read", "2,\"B,X,,,4,read\n3,C,X,,,4,read\n"))
        #expect(result.note("1") != nil && result.reasons == [.malformedContainer])
        #expect(result.summary?.isComplete == false && result.refused.first?.name == "export.csv: row 3")
    }

    @Test func lettersOfWindowsAreReadAndTold() throws {
        let bytes = Array(Self.table("1,").utf8) + [0xC4] + Array(",X,,,5,read\n".utf8)
        let note = try #require(Imported(.goodreads, MemorySource([("a.csv", bytes)])).notes.first)
        #expect(note.title == "Ä" && codes(note) == [.notUTF8])
    }
}

struct StoryGraphImportTests {
    /// Rows of few columns: title, authors, number, status, stars, days, tags, review.
    static func table(_ rows: String...) -> String {
        "Title,Authors,ISBN/UID,Read Status,Star Rating,Dates Read,Tags,Review\n" + rows.joined(separator: "\n")
    }

    private func imported(_ text: String) -> Imported {
        Imported(.storygraph, MemorySource([("export.csv", text)], pieceByteCount: 7))
    }

    @Test func aRowBecomesABookWithQuartersOfStars() throws {
        let text =
            "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,Diverse Characters?,Flawed Characters?,Star Rating,Review,Content Warnings,Content Warning Description,Tags,Owned?\n"
            + "T,\"A Lee, B Ek\",\"C Do (Narrator)\",9780385000017,audio,read,2022/12/24,2023/02/03,\"2023/01/02-2023/02/03, 2023/03/04\",2,\"dark, tense\",slow,Plot,Yes,No,Yes,N/A,4.25,<div>Fine.</div>,,,\"sea, own\",No\n"
        let result = imported(text)
        let note = try #require(result.note("9780385000017"))
        let book = try #require(note.book)
        #expect(result.isWellFormed && book.authors == ["A Lee", "B Ek"] && book.rating == 17)
        #expect(
            book.readings == [.init(started: 19_359, finished: 19_391), .init(started: nil, finished: 19_420)])
        #expect(book.added == 19_350 && book.shelf == .archived && note.tags == ["sea", "own"])
        #expect(book.identifiers == [.init(kind: "isbn13", value: "9780385000017")])
        #expect(note.body.contains("moods: 'dark, tense'\n") && note.body.contains("contributors: 'C Do (Narrator)'"))
        #expect(note.losses.allSatisfy { $0.code.isKept })
        #expect(result.note("9780385000017/review")?.body.hasPrefix("Fine.") == true)
    }

    @Test(arguments: [
        ("2023/01/02", [ParsedBook.Reading(started: nil, finished: 19_359)]),
        ("2023/01/02-", [.init(started: 19_359, finished: nil)]),
        ("-2023/01/02", [.init(started: nil, finished: 19_359)]),
        ("2023-01-02-2023-01-03", [.init(started: 19_359, finished: 19_360)]), ("2023/01", []), ("2023", []),
        ("2023/01/02-x", []),
    ])
    func rangesMayBeOpenAndWhatIsNoDayIsTold(days: String, wanted: [ParsedBook.Reading]) throws {
        let note = try #require(imported(Self.table("T,A,u,read,,\(days),,\n")).notes.first)
        #expect(note.book?.readings == wanted)
        #expect(note.losses == (wanted.isEmpty ? [Loss(.dateReplaced, detail: "dates-read")] : []))
    }

    @Test func statesWithoutAShelfAreTagsAndTold() {
        let result = imported(
            Self.table(
                "A,X,1,to-read,,,,", "B,X,2,currently-reading,,2023/01/02,,", "C,X,3,did-not-finish,,,,",
                "D,X,4,paused,,,,"))
        #expect(result.notes.compactMap(\.book?.shelf) == [.wishlist, .reading, .archived, .reading])
        #expect(result.notes.map(\.tags) == [[], [], ["did-not-finish"], ["paused"]])
        #expect(result.notes[1].book?.readings == [.init(started: 19_359, finished: nil)])
        #expect(result.notes[2].losses == [Loss(.shelfKeptAsTag, detail: "did-not-finish")])
    }

    @Test func numbersThatAreNoISBNAreWhatTheyAre() {
        let result = imported(
            Self.table("A,X,B00AAAAAA1,read,,,,", "B,X,12ab-34,read,,,,", "C,X,,read,3.3,,,", "C,X,,read,,,,"))
        #expect(result.notes[0].book?.identifiers == [.init(kind: "asin", value: "B00AAAAAA1")])
        #expect(result.notes[1].book?.identifiers == [.init(kind: "storygraph", value: "12ab-34")])
        #expect(result.notes[2].sourceKey == "C/X" && result.notes[2].book?.rating == 13)
        #expect(result.notes[2].losses == [Loss(.ratingRounded)] && result.reasons == [.duplicate])
    }
}

struct CSVReaderTests {
    private func rows(_ text: String, pieceByteCount: Int = 64 << 10) throws -> [[String]?] {
        let source = MemorySource([("a.csv", text)], pieceByteCount: pieceByteCount)
        _ = try source.nextEntry()
        let reader = try #require(CSVReader(source))
        var rows: [[String]?] = []
        while let row = try reader.next() {
            switch row {
            case .cells(let cells): rows.append(cells.map { String(decoding: $0, as: UTF8.self) })
            case .tooLarge: rows.append(nil)
            }
        }
        return rows
    }

    @Test(arguments: [1, 2, 5, 4096]) func brokenQuotesAndEndsOfLinesAreRead(pieceByteCount: Int) throws {
        let text = "\u{FEFF}a,b\r\n\r\n\"x\r\ny\", z \r1,\"say \"\"it\"\"\"\n=\"07\",q\"r\"s\n,\n\"open"
        let wanted = [
            ["a", "b"], ["x\r\ny", "z"], ["1", "say \"it\""], ["=\"07\"", "q\"r\"s"], ["", ""], ["open"],
        ]
        #expect(try rows(text, pieceByteCount: pieceByteCount) == wanted)
    }

    @Test func aRowBeyondItsLimitsIsToldAndTheNextOneIsRead() throws {
        let cell = String(repeating: "x", count: CSVReader.cellByteCountMax + 5000)
        #expect(try rows("a,b\n1,\(cell)\n2,3\n") == [["a", "b"], nil, ["2", "3"]])
        #expect(try rows("a,b\n1,\"\(cell)\"\n2,3\n") == [["a", "b"], nil, ["2", "3"]])
        #expect(
            try rows("a,b\n1,\"\(cell)\(String(repeating: " ", count: 9000))\"  ,y\n2,3\n") == [
                ["a", "b"], nil, ["2", "3"],
            ])
        let many = Array(repeating: "1", count: CSVReader.cellCountMax + 1).joined(separator: ",")
        #expect(try rows("a,b\n\(many)\n2,3\n") == [["a", "b"], nil, ["2", "3"]])
        let large = String(repeating: "x", count: CSVReader.cellByteCountMax - 10)
        let wide = Array(repeating: large, count: 9).joined(separator: ",")
        #expect(try rows("a,b\n\(wide)\n2,3\n") == [["a", "b"], nil, ["2", "3"]])
        #expect(try rows("a,b\n1,\(large)\n") == [["a", "b"], ["1", large]])
    }
}
