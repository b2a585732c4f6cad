// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Glibc

/// `Clock` tells the time of day, and the time zone of the reader.
enum Clock {
    /// Milliseconds since 1970, UTC.
    static var now: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The zone that TZ names in the time zone database; empty for the system's zone, which counts where TZ is not set
    /// or has rules of its own.
    ///
    /// The agent, which reads dates in a search and makes daily notes, knows these names and no other rules: what is
    /// shown and what is meant must not be hours apart.
    static let zone: String = {
        guard let text = Environment.text("TZ") else { return "" }
        let named = text == "UTC0" ? "UTC" : ImportZone.name(ofVariable: text) ?? ""
        let name = ImportZone.isNamed(named) ? named : ""
        guard name != text else { return name }
        // The C library reads TZ once, here; programs that we start get it as it was.
        if name.isEmpty { unsafe unsetenv("TZ") } else { unsafe setenv("TZ", name, 1) }
        tzset()
        unsafe setenv("TZ", text, 1)
        return name
    }()

    /// Returns how far the zone is ahead of UTC at a moment, in seconds.
    ///
    /// - Parameter milliseconds: since 1970, UTC.
    static func secondsEast(at milliseconds: Int64) -> Int {
        _ = zone
        var moment = time_t(milliseconds / 1000)
        var parts = unsafe tm()
        guard unsafe localtime_r(&moment, &parts) != nil else { return 0 }
        return unsafe Int(parts.tm_gmtoff)
    }

    /// Returns a moment as LC_TIME has dates and times, on one line; in English where that is unknown.
    @Sendable static func localText(_ milliseconds: Int64) -> String {
        _ = (zone, locale)
        var moment = time_t(milliseconds / 1000)
        var parts = unsafe tm()
        guard unsafe localtime_r(&moment, &parts) != nil else { return "" }
        var text = [CChar](repeating: 0, count: 128)
        // The date alone, and the time without seconds: %X has them.
        let count = unsafe strftime(&text, text.count, "%x %H:%M", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Read once: the C library's own is "C" until somebody asks for another.
    private static let locale: Void = { _ = unsafe setlocale(LC_TIME, "") }()
}
