// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `DateStyle` says how dates are written for people. Pure arithmetic: no formatter, no locale.
public enum DateStyle: String, Sendable {
    /// "2:03 PM" today, else "21/11/26".
    case classic
    /// "2026-11-21 14:03".
    case iso
    /// "3 min ago", "yesterday"; as `iso` when it is in the future or more than four weeks ago.
    case relative
    /// As the reader's locale has it; as `iso` where nobody says how (`RenderingClock.local`).
    case locale

    /// Writes a moment for a person.
    ///
    /// - Parameters:
    ///   - milliseconds: the moment, since 1970, UTC.
    ///   - offset: seconds east of UTC at that moment in the reader's zone.
    ///   - now: since 1970, UTC.
    ///   - nowOffset: seconds east of UTC now: another when the clocks were changed between the two.
    public func text(_ milliseconds: Int64, offset: Int, now: Int64, nowOffset: Int) -> String {
        let time = CivilTime(milliseconds: milliseconds, offset: offset)
        let today = CivilTime(milliseconds: now, offset: nowOffset).dayNumber
        return switch self {
        case .classic: Self.classic(time, isToday: time.dayNumber == today)
        case .iso, .locale: Self.iso(time)
        case .relative: Self.relative(time, daysAgo: today - time.dayNumber, milliseconds, now: now)
        }
    }

    /// Writes a moment as "2026-11-21T14:03:00.000Z", for JSON and for scripts. Source: RFC 3339.
    public static func rfc3339(_ milliseconds: Int64) -> String {
        let time = CivilTime(milliseconds: milliseconds)
        return date(time)
            + "T\(padded(time.hour)):\(padded(time.minute)):\(padded(time.second)).\(padded(time.millisecond, 3))Z"
    }

    private static func classic(_ time: CivilTime, isToday: Bool) -> String {
        guard isToday else { return "\(padded(time.day))/\(padded(time.month))/\(padded(time.year % 100))" }
        return "\(time.hour % 12 == 0 ? 12 : time.hour % 12):\(padded(time.minute)) \(time.hour < 12 ? "AM" : "PM")"
    }

    private static func iso(_ time: CivilTime) -> String { "\(date(time)) \(padded(time.hour)):\(padded(time.minute))" }

    private static func relative(_ time: CivilTime, daysAgo: Int, _ milliseconds: Int64, now: Int64) -> String {
        let (difference, overflow) = now.subtractingReportingOverflow(milliseconds)
        // Clocks of two devices may differ by a little.
        guard !overflow, difference > -60_000 else { return iso(time) }
        let minutes = difference / 60_000
        if minutes < 1 { return "just now" }
        if minutes < 60 { return "\(minutes) min ago" }
        return switch daysAgo {
        case ...0: "\(minutes / 60) h ago"
        case 1: "yesterday"
        case 2..<7: "\(daysAgo) days ago"
        case 7..<14: "1 week ago"
        case 14...28: "\(daysAgo / 7) weeks ago"
        default: iso(time)
        }
    }

    private static func date(_ time: CivilTime) -> String {
        "\(padded(time.year, 4))-\(padded(time.month))-\(padded(time.day))"
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

/// `RenderingClock` holds what dates need besides the moment: the style, now, and the reader's time zone. It is given,
/// so that rendering has no clock.
public struct RenderingClock: Sendable {
    public var style = DateStyle.classic
    /// Milliseconds since 1970, UTC.
    public var now: Int64
    /// Seconds east of UTC at a moment given in milliseconds since 1970.
    public var offset: @Sendable (Int64) -> Int

    /// Writes a moment as the reader's locale has it.
    public var local: (@Sendable (Int64) -> String)?

    public init(style: DateStyle = .classic, now: Int64, offset: @escaping @Sendable (Int64) -> Int) {
        (self.style, self.now, self.offset) = (style, now, offset)
    }

    public func text(_ milliseconds: Int64) -> String {
        if style == .locale, let local { return local(milliseconds) }
        return style.text(milliseconds, offset: offset(milliseconds), now: now, nowOffset: offset(now))
    }
}
