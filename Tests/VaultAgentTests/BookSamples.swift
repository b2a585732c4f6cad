// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import VaultFormat

@testable import VaultAgent

/// The operations of books as they lie on the wire, written down by hand from docs/agent-protocol.md §3.
enum BookSamples {
    private static let ref = "00000002 6b37"
    private static let noFacts = "00 00 00 00 00 00 00 00"

    private static let added: AddBook = {
        var add = AddBook()
        (add.title, add.facts.authors, add.facts.pages) = ("D", ["F"], 412)
        (add.shelf, add.source) = (.reading, "google:a")
        return add
    }()

    private static let changed: ChangeBook = {
        var change = ChangeBook(ref: "k7")
        (change.title, change.rating, change.cover) = ("D", 18, "")
        return change
    }()

    private static let logged: LogReading = {
        var log = LogReading(ref: "k7")
        (log.day, log.kind, log.amount, log.line) = (20000, .page, 50, "x")
        return log
    }()

    private static let placed: PlaceNotes = {
        var place = PlaceNotes(refs: ["k7"], book: "D", chapter: "1")
        (place.spot, place.other) = (.before, "m4")
        return place
    }()

    static let all: [(operation: any Handled, bytes: String)] = [
        (ListBooks(), "c0 00 00000000 00 00 00 00000032 00000001"),
        (ShowBook(ref: "k7"), "c1 \(ref)"),
        (
            added,
            "c2 00000001 44 00 01 00000001 00000001 46 00 00 00 01 0000019c 00 00 02 00000000 01 00000008 676f6f676c653a61"
        ),
        (changed, "c3 \(ref) 01 00000001 44 01 12 \(noFacts) 01 00000000"),
        (MoveBook(ref: "k7", .finish, day: 20000), "c4 \(ref) 02 00004e20 00"),
        (RemoveBook(ref: "k7", withNotes: true), "c5 \(ref) 01"),
        (logged, "c6 \(ref) 00 00004e20 01 00000032 00000001 78"),
        (ChangeChapter(ref: "k7", .rename, title: "a", other: "b"), "c7 \(ref) 03 00000001 61 01 00000001 62"),
        (ListBookNotes(ref: "k7"), "c8 \(ref) 00000000 00000001"),
        (placed, "c9 00000001 \(ref) 01 00000001 44 01 00000001 31 02 00000002 6d34"),
        (ReadingStatistics(byYear: true), "ca 01"),
        (ShowBookService(), "cb"),
        (AgreeToBookService(addresses: "a"), "cc 00000001 61"),
        (SetBookKey(), "cd"), (PassBookKey(), "ce"),
    ]
}
