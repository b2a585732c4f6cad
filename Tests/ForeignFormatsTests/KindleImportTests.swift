// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing

@testable import ForeignFormats

struct KindleImportTests {
    private static let place =
        "- Your Highlight on page 12 | Location 170-172 | Added on Monday, June 5, 2023 9:04:11 PM"

    static func entry(_ book: String, _ text: String, _ place: String = place) -> String {
        "\u{FEFF}\(book)\r\n\(place)\r\n\r\n\(text)\r\n==========\r\n"
    }

    private func imported(_ entries: String...) -> Imported {
        Imported(.kindle, MemorySource([("My Clippings.txt", entries.joined())], pieceByteCount: 5))
    }

    private static func line(_ kind: String, _ place: String, _ clock: String = "21:04:11") -> String {
        "- Your \(kind) on \(place) | Added on Monday, 5 June 2023 \(clock)"
    }

    @Test func highlightsBecomeNotesOfTheirBook() throws {
        let result = imported(Self.entry("A Title (Part One) (Lee, Ada)", "Some words\r\nof it"))
        #expect(result.isWellFormed && result.notes.count == 2 && result.summary?.isComplete == true)
        let book = try #require(result.note("A Title (Part One)/Ada Lee"))
        #expect(book.title == "A Title (Part One)" && book.book?.authors == ["Ada Lee"] && book.body.isEmpty)
        #expect(book.book?.shelf == .reading && book.losses.isEmpty)
        let note = result.notes[1]
        #expect(note.place == ParsedPlace(bookKey: book.sourceKey) && note.title == "Some words")
        #expect(note.body == "> Some words\n> of it\n\nPage 12, location 170–172\n")
        #expect(note.created == 1_685_999_051_000 && note.flags == .createdWithoutZone && note.losses.isEmpty)
    }

    @Test(arguments: [
        ("Monday, 5 June 2023 21:04:11", 1_685_999_051_000), ("Monday, June 05, 2023, 09:04 PM", 1_685_999_040_000),
        ("Monday, June 5, 2023 9:04:11\u{202F}PM", 1_685_999_051_000),
        ("Monday, June 5, 2023 12:04:11 AM", 1_685_923_451_000),
        ("Hinzugefügt am Montag, 5. Juni 2023 21:04:11", 1_685_999_051_000),
        ("Hinzugefügt am Montag, 5. Juni 2023 um 21:04:11 Uhr", 1_685_999_051_000),
        ("Ajouté le lundi 5 juin 2023 à 21:04:11", 1_685_999_051_000),
        ("Añadido el lunes, 5 de junio de 2023 21:04:11", 1_685_999_051_000),
        ("Añadido el lunes, 5 de junio de 2023 9:04:11 p. m.", 1_685_999_051_000),
        ("Añadid. el lunes 5 de junio de 2023, 21:04:11", 1_685_999_051_000),
        ("Aggiunto in data lunedì 5 giugno 2023 21:04:11", 1_685_999_051_000),
        ("Adicionado: segunda-feira, 5 de junho de 2023 21:04:11", 1_685_999_051_000),
        ("Added on Monday, 5 June 23 21:04:11 GMT-03:00", 1_686_009_851_000),
    ])
    func datesOfManyLanguagesAreRead(text: String, wanted: Int64) {
        #expect(KindleDate.time(text)?.milliseconds == wanted)
    }

    @Test(arguments: [
        "", "Monday", "5 June 2023", "作成日: 2023年6月5日月曜日 21:04:11", "0 June 2023 21:04", "31 June 2023 21:04:11",
        "June 5, 2023 13:04:11 PM", "5 June 99999 21:04:11", "5 June 2023 99:99:99", "5 June 2023 :",
    ])
    func whatIsNoDateIsNone(text: String) { #expect(KindleDate.time(text) == nil) }

    @Test(arguments: [
        ("- Your Highlight on Location 55-56 | Added on x", KindlePlace.Kind.highlight, "", 55...56),
        ("- Your Highlight at location 135 | Added on x", .highlight, "", 135...135),
        ("- Highlight Loc. 3665-67  | Added on x", .highlight, "", 3665...3667),
        ("- Highlight on Page 3 | Loc. 1998-2002 | Added on x", .highlight, "3", 1998...2002),
        ("- Your Note on Page xii | Location 5 | Added on x", .note, "xii", 5...5),
        ("- Ihre Markierung auf Seite 7 | bei Position 96-97 | Hinzugefügt am x", .highlight, "7", 96...97),
        ("- Ihre Notiz bei Position 6805 | Hinzugefügt am x", .note, "", 6805...6805),
        ("- Ihr Lesezeichen auf Seite 222 | Position 3393 | Hinzugefügt am x", .bookmark, "222", 3393...3393),
        ("- Votre surlignement sur la page 12 | emplacement 145-147 | Ajouté le x", .highlight, "12", 145...147),
        ("- Votre surlignement à l'emplacement 123 | Ajouté le x", .highlight, "", 123...123),
        ("- Votre note sur la page 2 | Emplacement 3394 | Ajouté le x", .note, "2", 3394...3394),
        ("- Votre signet sur la page 2 | emplacement 33 | Ajouté le x", .bookmark, "2", 33...33),
        ("- La subrayado en la página 79 | posición 1293-1295 | Añadido el x", .highlight, "79", 1293...1295),
        ("- Tu nota en la página 10 | Ubicación 150 | Añadido el x", .note, "10", 150...150),
        ("- Mi marcador Posición 1012 | Añadido el x", .bookmark, "", 1012...1012),
        ("- 3ページ|位置No. 300-301のハイライト |作成日: x", .highlight, "3ページ", 300...301),
        ("– Zaznaczenie: 40-41 | Dodano: x", .highlight, "", 40...41),
    ])
    func placesOfManyLanguagesAreRead(line: String, kind: KindlePlace.Kind, page: String, location: ClosedRange<Int>) {
        let place = KindlePlace(line)
        #expect(place.kind == kind && place.page == page && place.location == location)
    }

    @Test(arguments: [
        ("T (A)", "T", ["A"]), ("T", "T", []), ("T (x) (Lee, Ada;Ek, Bo)", "T (x)", ["Ada Lee", "Bo Ek"]),
        ("T (A B (Ed.))", "T", ["A B (Ed.)"]), ("T (German Edition)", "T (German Edition)", []),
        ("T (Unknown)", "T", []), ("(A)", "(A)", []), ("T)", "T)", []), ("T (A, B, Jr.)", "T", ["A, B, Jr."]),
    ])
    func bracketsPartTitleAndAuthor(line: String, title: String, authors: [String]) throws {
        let clipping = try #require(KindleClipping([line, Self.place, "", "x"]))
        #expect(clipping.title == title && clipping.authors == authors)
    }

    @Test func aNoteIsJoinedToTheHighlightWhereItStands() throws {
        let result = imported(
            Self.entry("T (A)", "my thought", Self.line("Note", "Location 20")),
            Self.entry("T (A)", "second", Self.line("Highlight", "Location 18-20")),
            Self.entry("T (A)", "first", Self.line("Highlight", "Location 10-20")),
            Self.entry("T (A)", "alone", Self.line("Note", "Location 99")),
            Self.entry("U (A)", "other", Self.line("Note", "Location 20")))
        #expect(result.isWellFormed && result.notes.count == 6)
        // In the order of the book, whatever the order in which they were made.
        let bodies = result.notes.filter { $0.book == nil }.map(\.body)
        let wanted = [
            "> first\n\nLocation 10–20\n", "> second\n\nmy thought\n\nLocation 18–20\n", "alone\n\nLocation 99\n",
            "other\n\nLocation 20\n",
        ]
        #expect(bodies == wanted)
    }

    @Test func theLongestOfAnExtendedHighlightIsKeptUnderTheKeyOfTheFirst() throws {
        let first = Self.entry("T (A)", "Some words", Self.line("Highlight", "Location 10-11", "21:00:00"))
        let longer = Self.entry("T (A)", "Some words and more", Self.line("Highlight", "Location 10-12", "21:01:00"))
        let result = imported(first, longer, first, Self.entry("T (A)", "x", Self.line("Highlight", "Location 11-11")))
        #expect(result.notes.count == 3 && result.notes[1].body.hasPrefix("> Some words and more\n"))
        #expect(result.notes[0].losses == [Loss(.highlightRepeated, detail: "2")])
        #expect(imported(first).notes[1].sourceKey == result.notes[1].sourceKey)
        #expect(result.notes[1].created == imported(first).notes[1].created)
    }

    @Test func bookmarksAndHighlightsWithoutTextAreCounted() throws {
        let limit = "<You have reached the clipping limit for this item>"
        let result = imported(
            Self.entry("T (A)", "", Self.line("Bookmark", "Location 10")),
            Self.entry("T (A)", "", Self.line("Highlight", "Location 11-12")),
            Self.entry("T (A)", " " + limit, Self.line("Highlight", "Location 13-14")),
            Self.entry("T (A)", "The first " + limit, Self.line("Highlight", "Location 15-16")))
        #expect(
            result.notes[0].losses == [
                Loss(.bookmarkNotCarried, detail: "1"), Loss(.highlightWithoutText, detail: "2"),
            ])
        #expect(result.notes.count == 2 && result.notes[1].body == "> The first\n\nLocation 15–16\n")
        #expect(codes(result.notes[1]) == [.highlightWithoutText])
    }

    @Test func aLanguageThatIsNotKnownKeepsTextAndPlaceAndTellsTheDate() throws {
        let result = imported(Self.entry("T (A)", "słowa", "- Zaznaczenie: 40-41 | Dodano: poniedziałek"))
        #expect(result.notes[1].body == "> słowa\n\nZaznaczenie: 40-41 | Dodano: poniedziałek\n")
        #expect(result.notes[1].created == nil && result.notes[1].losses == [Loss(.dateReplaced, detail: "added")])
    }

    @Test func entriesOfOtherShapesAreReadAsFarAsTheyGo() throws {
        let odd =
            "T (A)\nno place, but words\n==========\n\n==========\nonly a title\n==========\nT (A)\n\(Self.place)\n\nend"
        let result = Imported(.kindle, MemorySource([("c.txt", odd)]))
        #expect(result.isWellFormed && result.notes.filter { $0.book != nil }.map(\.title) == ["T", "only a title"])
        #expect(result.notes.contains { $0.body.hasPrefix("> no place, but words") })
        #expect(result.notes.contains { $0.body.hasPrefix("> end") })
        let utf16: [UInt8] = [0xFF, 0xFE] + odd.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        #expect(Imported(.kindle, MemorySource([("c.txt", utf16)])).notes == result.notes)
        let none = Imported(.kindle, MemorySource([("c.txt", "no clippings")]))
        #expect(none.reasons == [.malformedContainer] && none.summary?.isComplete == false)
    }

    @Test func twoOfOnePlaceAndTimeAreTwo() {
        let result = imported(Self.entry("T (A)", "one"), Self.entry("T (A)", "two"))
        #expect(result.notes.count == 3 && Set(result.notes.map(\.sourceKey)).count == 3)
    }

    @Test func anythingAtAllGivesRecordsWithinTheCaps() {
        let long = String(repeating: "ü", count: 5000)
        let result = imported(
            Self.entry("\(long) (\(long))", long), Self.entry("\(long) (\(long))", "> \(long)", "- \(long) | \(long)"),
            Self.entry("T (A)", "x", "- Your Highlight on page 99999999999999999999 | Location 5-1 | Added on \(long)"))
        #expect(result.isWellFormed && result.notes.count == 5 && result.notes.allSatisfy(isWithinCaps))
    }
}
