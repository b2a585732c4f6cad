// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// Time that goes on while the machine sleeps: a lid that was closed for a night counts.
enum BootClock {
    /// Seconds since start, sleep included.
    static var seconds: Double { read(CLOCK_BOOTTIME) }

    /// Seconds that this machine has slept since it was started; when it grows, the machine was suspended.
    static var sleptSeconds: Double { read(CLOCK_BOOTTIME) - read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
