// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// What this thread alone has used: other tests run beside it.
public struct ThreadUsage {
    public let seconds: Double
    /// Memory that was touched for the first time, in bytes.
    public let faultedByteCount: Int

    /// RUSAGE_THREAD, which the C library's headers show to GNU programs only. Source: getrusage(2).
    private static let thread = __rusage_who_t(1)

    public static func current() -> ThreadUsage {
        var usage = rusage()
        guard unsafe getrusage(thread, &usage) == 0 else {
            return ThreadUsage(seconds: .infinity, faultedByteCount: .max)
        }
        let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return ThreadUsage(
            seconds: Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(microseconds) / 1e6,
            faultedByteCount: (usage.ru_minflt + usage.ru_majflt) * 4096)
    }
}
