// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A day of the calendar, without a time zone.
public struct CivilDay: Equatable, Sendable {
    public let year: Int
    public let month: Int
    public let day: Int

    /// "2026-11-21"; nil for what is no day.
    public init?(iso text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3,
            zip(parts, [4, 2, 2]).allSatisfy({
                $0.utf8.count == $1 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
            }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year >= 1,
            (1...12).contains(month),
            (1...Self.days(of: month, year)).contains(day)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// What a person calls a day, seen from `today`: nothing, "today", "yesterday", "tomorrow", or as above.
    public init?(_ text: String, today: CivilTime) {
        let day: CivilTime
        switch text.lowercased() {
        case "", "today": day = today
        case "yesterday": day = CivilTime(milliseconds: Int64(today.dayNumber - 1) * 86_400_000)
        case "tomorrow": day = CivilTime(milliseconds: Int64(today.dayNumber + 1) * 86_400_000)
        default:
            self.init(iso: text)
            return
        }
        self.init(day)
    }

    public init(_ time: CivilTime) { (year, month, day) = (time.year, time.month, time.day) }

    public var iso: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

    private static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
