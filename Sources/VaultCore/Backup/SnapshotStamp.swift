// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultFormat

/// A `SnapshotStamp` says when a snapshot was made, as its name has it: `YYYYMMDD`T`HHMMSS`Z, in UTC.
enum SnapshotStamp {
    /// Writes the stamp of a time.
    ///
    /// - Parameter milliseconds: since 1970, UTC.
    static func text(_ milliseconds: Int64) -> String {
        var second = Int(milliseconds / 1000)
        var time = unsafe tm()
        unsafe gmtime_r(&second, &time)
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let year = unsafe String(Int(time.tm_year) + 1900)
        let day = unsafe year + two(time.tm_mon + 1) + two(time.tm_mday)
        return unsafe String(repeating: "0", count: max(0, 4 - year.utf8.count)) + day + "T" + two(time.tm_hour)
            + two(time.tm_min) + two(time.tm_sec)
            + "Z"
    }

    /// Returns the milliseconds since 1970 that a name stands for.
    static func milliseconds(_ name: SnapshotName) -> Int64 {
        let digits = Array(name.text.utf8).map { Int32($0) - 0x30 }
        func number(_ range: Range<Int>) -> Int32 { range.reduce(0) { $0 * 10 + digits[$1] } }
        var time = unsafe tm()
        unsafe (time.tm_year, time.tm_mon, time.tm_mday) = (number(0..<4) - 1900, number(4..<6) - 1, number(6..<8))
        unsafe (time.tm_hour, time.tm_min, time.tm_sec) = (number(9..<11), number(11..<13), number(13..<15))
        return Int64(unsafe timegm(&time)) * 1000
    }
}
