// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates

extension ReadingStatistics: Presented {
    public func present(_ reply: ReadDays, on page: inout Page) {
        let spans = ReadingSpan.spans(reply.days, byYear: byYear)
        if page.style.json {
            let rows = spans.map { span in
                JSONText.object([
                    (byYear ? "year" : "week", .string(span.name)), ("pages", .count(span.pages)),
                    ("minutes", .count(span.minutes)), ("finished", .count(span.finished)),
                ])
            }
            return page.json(.answer([(byYear ? "years" : "weeks", .array(rows))]))
        }
        guard page.style.isTerminal else {
            for span in spans { page.tabbed([span.name, "\(span.pages)", "\(span.minutes)", "\(span.finished)"]) }
            return
        }
        let most = max(1, spans.map(\.pages).max() ?? 1)
        let room = max(4, page.style.columns - 48)
        for span in spans {
            var line = StyledLine()
            line.append(span.name, .bold)
            line.pad(to: 10)
            line.append(String(repeating: "█", count: (span.pages * room + most - 1) / most))
            line.pad(to: 12 + room)
            line.append("\(Quantity.counted(span.pages, "page"))")
            if span.minutes > 0 { line.append("  \(Quantity.grouped(span.minutes)) min") }
            if span.finished > 0 { line.append("  \(Quantity.counted(span.finished, "book"))", .dim) }
            page.output(line)
        }
        if spans.isEmpty { page.talk("nothing was read yet") }
    }
}

/// `ReadingSpan` is what was read in one week or year.
struct ReadingSpan: Equatable {
    /// "2026", or "2026-W48" (ISO 8601).
    let name: String
    var pages = 0
    var minutes = 0
    var finished = 0

    /// Adds up days; spans in which nothing was read are left out.
    static func spans(_ days: [ReadDays.Day], byYear: Bool) -> [ReadingSpan] {
        var spans: [ReadingSpan] = []
        for day in days {
            let name = byYear ? year(day.day) : week(day.day)
            if spans.last?.name != name { spans.append(ReadingSpan(name: name)) }
            spans[spans.count - 1].pages += day.pages
            spans[spans.count - 1].minutes += day.minutes
            spans[spans.count - 1].finished += day.finished
        }
        return spans
    }

    private static func year(_ day: UInt32) -> String { "\(CivilCalendar.date(ofDay: Int(day)).year)" }

    /// Returns the week of a day: it belongs to the year in which its Thursday lies (ISO 8601, 3.1.1.23).
    private static func week(_ day: UInt32) -> String {
        // 1970-01-01 was a Thursday.
        let thursday = Int(day) - (Int(day) + 3) % 7 + 3
        let year = CivilCalendar.date(ofDay: thursday).year
        let number = (thursday - CivilCalendar.dayNumber(year, 1, 1)) / 7 + 1
        return "\(year)-W\(number < 10 ? "0" : "")\(number)"
    }
}
