// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import VaultCore

/// docs/format.md §10: what two devices come to that did something to one book each.
struct BookDevicesTests {
    private static func sharing() throws -> (set: DeviceSet, book: NoteID) {
        var book: NoteID?
        let set = try DeviceSet {
            book = try BookTests.add("Dune", $0, .reading)
            _ = try $0.books.putChapter("1", in: #require(book), before: nil)
        }
        return (set, try #require(book))
    }

    /// Tells all, joins what fits, and tells that.
    private static func join(_ set: DeviceSet, _ notes: [NoteID]) throws {
        try set.exchange()
        for number in 0..<2 { _ = try set[number].devices.join(notes) }
        try set.exchange()
        try set.expectAlike(notes)
    }

    @Test func logsChaptersAndFieldsOfBothAreJoined() throws {
        let (set, book) = try Self.sharing()
        _ = try set[0].books.log(book, day: 20_000, .page, 50, "here")
        _ = try set[1].books.log(book, day: 20_001, .minutes, 30, "there")
        _ = try set[0].books.putChapter("2", in: book, before: nil)
        _ = try set[1].books.renameChapter("1", to: "1. Arrakis", in: book)
        _ = try set[1].books.change(book, .bookEdit) { $1.rating = 16 }
        try Self.join(set, [book])
        let joined = try set[0].books.book(book).details
        #expect(try !set[0].notes.note(book).isForked && joined == set[1].books.book(book).details)
        #expect(Set(joined.log.map(\.line)) == ["here", "there"] && joined.rating == 16)
        #expect(joined.chapters.map(\.title) == ["1. Arrakis", "2"])
    }

    @Test func twoRatingsAreAConflictThatIsKept() throws {
        let (set, book) = try Self.sharing()
        _ = try set[0].books.change(book, .bookEdit) { $1.rating = 16 }
        _ = try set[1].books.change(book, .bookEdit) { $1.rating = 4 }
        try Self.join(set, [book])
        #expect(try set[0].notes.note(book).isForked && set[1].notes.note(book).isForked)
    }

    @Test func notesMovedOnTwoDevicesStandWhereOneOfThemPutThem() throws {
        let (set, book) = try Self.sharing()
        var draft = NoteDraft(body: "a note")
        draft.place = NewPlace(book: book, chapter: "1")
        let note = try set[0].notes.create(draft).id
        try set.exchange()
        _ = try set[0].notes.edit(note) { $0.body += ", longer" }
        _ = try set[1].books.put([note], NewPlace(book: book, chapter: "2"))
        try Self.join(set, [note, book])
        #expect(try !set[0].notes.note(note).isForked && set[0].notes.note(note).body == "a note, longer")
        let sections = try set[0].books.notes(of: book, limit: 10).sections
        #expect(sections.first { $0.chapter?.title == "2" }?.notes.map(\.id) == [note])
    }

    @Test func aCoverThatTheOtherSideHasTakenAwayIsNoJoin() throws {
        var book: NoteID?
        let set = try DeviceSet {
            book = try BookTests.add("Dune", $0, .reading)
            _ = try $0.addAttachment("cover.jpg", [1, 2, 3], to: #require(book))
        }
        let id = try #require(book)
        let cover = try #require(try set[0].attachments.all(of: id).first)
        _ = try set[0].books.change(id, .bookEdit) { $1.cover = cover.id }
        _ = try set[1].attachments.remove([cover.id], from: id)
        try Self.join(set, [id])
        #expect(try set[0].notes.note(id).isForked)
    }

    @Test func aPersonWhoJoinsTwoVersionsLosesNoLineOfALog() throws {
        let (set, book) = try Self.sharing()
        for number in 0..<2 {
            _ = try set[number].books.log(book, day: 20_000, .page, 50, "from \(number)")
            _ = try set[number].books.putChapter("of \(number)", in: book, before: nil)
            _ = try set[number].books.change(book, .bookEdit) { $1.rating = UInt8(4 * (number + 1)) }
        }
        try Self.join(set, [book])
        #expect(try set[0].notes.note(book).isForked)
        let rating = try set[0].books.book(book).details.rating
        _ = try set[0].drafts.joinHeads(of: book)
        let joined = try set[0].books.book(book).details
        #expect(try !set[0].notes.note(book).isForked && joined.rating == rating)
        #expect(Set(joined.log.map(\.line)) == ["from 0", "from 1"])
        #expect(Set(joined.chapters.map(\.title)) == ["1", "of 0", "of 1"])
    }
}
