// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import Glibc

/// The rules of the zone that TZ names, loaded by the C library while files can still be opened; it looks nothing up
/// again while TZ stays the same.
enum SystemZone {
    static func prepare() -> Bool { load(variable) }

    /// For a process that prepares something else too, which may set another zone.
    static var variable: String { unsafe getenv("TZ").map { unsafe String(cString: $0) } ?? "UTC0" }

    static func load(_ variable: String) -> Bool {
        guard unsafe setenv("TZ", variable, 1) == 0 else { return false }
        tzset()
        return offset(at: 0) != nil
    }

    static let zone = LocalZone { SystemZone.offset(at: $0) ?? 0 }

    private static func offset(at instant: Int64) -> Int64? {
        var time = time_t(instant)
        var parts = unsafe tm()
        guard unsafe localtime_r(&time, &parts) != nil else { return nil }
        return unsafe Int64(parts.tm_gmtoff)
    }
}
