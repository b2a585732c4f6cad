// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// The time of day, and the time zone of whoever reads.
enum Clock {
    /// Milliseconds since 1970, UTC.
    static var now: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// How far the zone is ahead of UTC at a moment, in seconds: TZ's, or the system's.
    ///
    /// - Parameter milliseconds: since 1970, UTC.
    static func secondsEast(at milliseconds: Int64) -> Int {
        var moment = time_t(milliseconds / 1000)
        var parts = unsafe tm()
        guard unsafe localtime_r(&moment, &parts) != nil else { return 0 }
        return unsafe Int(parts.tm_gmtoff)
    }
}
