// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `ReadingProgress` says how far a book was read in the reading that counts.
public struct ReadingProgress: Sendable, Equatable {
    /// 0 where no page is known.
    public let page: UInt32
    /// 0 where nothing is known; from the page where the number of pages is.
    public let percent: UInt32

    public init(_ book: BookDetails) {
        let started = book.readings.last?.started ?? 0
        // By days: a line may be written later than it was read, and come from another device.
        var last: ReadingLogEntry?
        for entry in book.log where (entry.kind == .page || entry.kind == .percent) && entry.day >= started {
            if entry.day >= last?.day ?? 0 { last = entry }
        }
        guard let last else {
            (page, percent) = (0, 0)
            return
        }
        let reached = UInt64(last.amount)
        if last.kind == .page {
            page = last.amount
            percent = book.pages == 0 ? 0 : UInt32(min(100, reached * 100 / UInt64(book.pages)))
        } else {
            percent = min(100, last.amount)
            page = UInt32(clamping: UInt64(book.pages) * UInt64(percent) / 100)
        }
    }
}

/// `ReadingDays` says what was read of a book on which days, by its log and its readings.
///
/// A page that was reached counts the pages since the one before in the same reading. What a finished reading did not
/// log counts on the day on which it ended: all pages where nothing was logged. Spec: docs/format.md §13.
public struct ReadingDays: Sendable {
    public struct Day: Sendable, Equatable {
        /// Days since 1970-01-01.
        public var day: UInt32
        public var pages: UInt32 = 0
        public var minutes: UInt32 = 0
        /// Readings that ended then.
        public var finished: UInt32 = 0
    }

    /// In order, each once.
    public let days: [Day]

    public init(_ book: BookDetails) {
        var found: [UInt32: Day] = [:]
        func add(_ day: UInt32, pages: UInt64 = 0, minutes: UInt64 = 0, finished: UInt64 = 0) {
            var known = found[day] ?? Day(day: day)
            known.pages = UInt32(clamping: UInt64(known.pages) + pages)
            known.minutes = UInt32(clamping: UInt64(known.minutes) + minutes)
            known.finished = UInt32(clamping: UInt64(known.finished) + finished)
            found[day] = known
        }
        var reached = Self.noneReached(in: book)
        for entry in book.log.enumerated().sorted(by: { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }) {
            let entry = entry.element
            switch entry.kind {
            case .none: continue
            case .minutes: add(entry.day, minutes: UInt64(entry.amount))
            case .page, .percent:
                let page =
                    entry.kind == .page ? UInt64(entry.amount) : UInt64(book.pages) * UInt64(entry.amount) / 100
                let reading = Self.reading(of: entry.day, in: book)
                if page > reached[reading] { add(entry.day, pages: page - reached[reading]) }
                reached[reading] = page
            }
        }
        for (number, reading) in book.readings.enumerated() where reading.finished > 0 {
            let left = UInt64(book.pages) > reached[number] ? UInt64(book.pages) - reached[number] : 0
            add(reading.finished, pages: left, finished: 1)
        }
        days = found.values.sorted { $0.day < $1.day }
    }

    /// The page that was reached in each reading; one more where there are none.
    private static func noneReached(in book: BookDetails) -> [UInt64] {
        [UInt64](repeating: 0, count: max(1, book.readings.count))
    }

    /// The last reading that had begun on a day.
    private static func reading(of day: UInt32, in book: BookDetails) -> Int {
        book.readings.lastIndex { $0.started <= day } ?? 0
    }
}
