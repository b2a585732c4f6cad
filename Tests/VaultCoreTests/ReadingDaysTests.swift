// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import VaultCore

/// docs/format.md §9.1: what is read off a reading log.
struct ReadingDaysTests {
    private static func book(_ log: [(UInt32, ReadingLogEntry.Kind, UInt32)], _ readings: [BookReading]) throws
        -> BookDetails
    {
        var book = BookTests.details(.reading, pages: 200)
        book.readings = readings
        for (number, entry) in log.enumerated() {
            let id = try ChapterID([UInt8](repeating: UInt8(number + 1), count: 8))
            book.log.append(ReadingLogEntry(id: id, day: entry.0, kind: entry.1, amount: entry.2, line: ""))
        }
        return book
    }

    private static func pages(_ book: BookDetails) -> [UInt32: UInt32] {
        Dictionary(uniqueKeysWithValues: ReadingDays(book).days.map { ($0.day, $0.pages) })
    }

    @Test func aPageCountsThoseSinceTheOneBefore() throws {
        let book = try Self.book(
            [(10, .page, 50), (12, .page, 80), (11, .page, 60), (12, .minutes, 30)], [BookReading(started: 10)])
        #expect(Self.pages(book) == [10: 50, 11: 10, 12: 20])
        #expect(ReadingDays(book).days.last?.minutes == 30)
        #expect(ReadingProgress(book).page == 80)
    }

    @Test func aFinishedBookCountsWhatWasNotLogged() throws {
        let logged = try Self.book([(10, .percent, 25)], [BookReading(started: 10, finished: 20)])
        #expect(Self.pages(logged) == [10: 50, 20: 150] && ReadingDays(logged).days.last?.finished == 1)
        let unlogged = try Self.book([], [BookReading(started: 0, finished: 20)])
        #expect(Self.pages(unlogged) == [20: 200])
    }

    @Test func aSecondReadingBeginsAnew() throws {
        let book = try Self.book(
            [(10, .page, 200), (110, .page, 30)],
            [BookReading(started: 10, finished: 12), BookReading(started: 100)])
        #expect(Self.pages(book) == [10: 200, 12: 0, 110: 30] && ReadingProgress(book).percent == 15)
    }

    @Test func numbersThatAreTooLargeStayNumbers() throws {
        var book = try Self.book(
            [(1, .page, .max), (1, .minutes, .max), (1, .minutes, .max)], [BookReading(started: .max, finished: .max)])
        book.pages = .max
        #expect(ReadingDays(book).days.first?.minutes == .max && ReadingProgress(book).page <= .max)
    }
}
