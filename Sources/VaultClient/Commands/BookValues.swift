// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Dates
internal import Presentation
internal import VaultFormat

/// `BookDay` reads a day as a person names it: "2026-11-21", "today", "yesterday".
enum BookDay {
    static func today(_ context: Context) -> UInt32 {
        let clock = context.style.clock
        return UInt32(clamping: (clock.now + Int64(clock.offset(clock.now)) * 1000) / 86_400_000)
    }

    /// - Parameter text: nil for today.
    /// - Throws: `.usage`.
    static func parse(_ text: String?, _ context: Context) throws(ClientFailure) -> UInt32 {
        let today = today(context)
        switch text {
        case nil, "today"?: return today
        case "yesterday"?: return today - 1
        case let text?:
            let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            if parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
                (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
            {
                let number = CivilCalendar.dayNumber(year, month, day)
                let date = CivilCalendar.date(ofDay: number)
                if date == (year, month, day), number > 0 { return UInt32(clamping: number) }
            }
            throw .usage("'\(text)' is not a date", hint: "--date 2026-11-21, today or yesterday")
        }
    }
}

/// `BookRating` reads stars: "4", "4.25", "3.5".
enum BookRating {
    /// - Returns: quarters; nil where none are given.
    static func parse(_ text: String?) throws(ClientFailure) -> UInt8? {
        guard let text else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let quarters = ["": 0, "0": 0, "00": 0, "25": 1, "5": 2, "50": 2, "75": 3]
        guard (1...2).contains(parts.count), let whole = UInt8(parts[0]), whole <= 5,
            let part = quarters[parts.count == 2 ? String(parts[1]) : ""],
            whole * 4 + UInt8(part) <= BookDetails.ratingMax
        else { throw .usage("'\(text)' is not a rating", hint: "--rating 4, 3.5 or 4.25; 0 for none") }
        return whole * 4 + UInt8(part)
    }
}
