// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc

/// Time that this thread has had a processor for: what a busy machine does besides is not counted.
enum ProcessorTime {
    /// Seconds that the body took.
    static func seconds(of body: () throws -> Void) rethrows -> Double {
        let before = now
        try body()
        return now - before
    }

    private static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
